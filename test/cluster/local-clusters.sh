#!/bin/sh
# The full life of kind and minikube clusters, and of an agent in them, with real nodes: wherever a container engine runs.
#
#   sh test/cluster/local-clusters.sh [kind|minikube]...
#
# Makes, stops, starts and deletes a cluster of each, loads the agent's image, installs the agent, lets it sync, and takes all of
# it away again. Says on one line what it skips. Exit status: 0 all that could run passed, 1 something failed.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
plumbline() { "$root/node_modules/.bin/node" "$root/cli/main.ts" "$@"; }

engine=''
for one in docker podman; do
  if command -v "$one" >/dev/null 2>&1 && "$one" info >/dev/null 2>&1; then engine=$one && break; fi
done
if [ -z "$engine" ]; then
  echo 'skipped: no container engine runs here (docker info and podman info fail)'
  exit 0
fi

work=$(mktemp -d)
export XDG_STATE_HOME="$work/state" KUBECONFIG="$work/kubeconfig"
name=plumbline-life
trap 'rm -rf "$work"' EXIT

step() { printf '%s: %s\n' "$provider" "$1"; }
fail() { printf '%s: FAILED: %s\n' "$provider" "$1" >&2; plumbline cluster delete "$provider/$name" --yes || true; exit 1; }
context_of() { case $1 in kind) echo "kind-$name" ;; *) echo "$name" ;; esac; }

repository() {
  mkdir -p "$work/repo"
  cat >"$work/repo/app.yaml" <<YAML
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: shop, namespace: argocd }
spec:
  project: default
  source: { repoURL: https://github.com/argoproj/argocd-example-apps, targetRevision: HEAD, path: guestbook }
  destination: { server: https://kubernetes.default.svc, namespace: shop }
  syncPolicy: { automated: { prune: true, selfHeal: true }, syncOptions: [CreateNamespace=true] }
YAML
  git -C "$work/repo" init -q
  git -C "$work/repo" -c user.name=t -c user.email=t@example.com add .
  git -C "$work/repo" -c user.name=t -c user.email=t@example.com commit -qm Begin
}

life() {
  provider=$1
  context=$(context_of "$provider")
  step 'create'
  plumbline cluster create "$provider/$name" --wait 10m || fail 'it was not made'
  kubectl --context "$context" wait --for=condition=Ready nodes --all --timeout=300s || fail 'its node is not ready'
  plumbline cluster create "$provider/$name" 2>/dev/null && fail 'a name was taken twice'
  step 'stop and start'
  plumbline cluster stop "$provider/$name" || fail 'it was not stopped'
  plumbline cluster start "$provider/$name" || fail 'it was not started'
  kubectl --context "$context" wait --for=condition=Ready nodes --all --timeout=300s || fail 'its node is not ready again'
  agent
  step 'logs'
  plumbline cluster logs "$provider/$name" "$work/logs" >/dev/null || fail 'no logs'
  [ -n "$(ls "$work/logs")" ] || fail 'the logs are empty'
  step 'delete'
  plumbline cluster delete "$provider/$name" --yes || fail 'it was not deleted'
  plumbline cluster list -o name | grep -qx "$provider/$name" && fail 'it is still listed'
  kubectl config get-contexts -o name | grep -qx "$context" && fail 'its context is still there'
  step 'passed'
}

agent() {
  step 'agent: build, load, install'
  [ -f "$root/dist/cli.js" ] || fail 'dist/ is not built: npm install does it'
  "$engine" build -q -t plumbline-agent:life "$root" >/dev/null || fail 'the image was not built'
  (cd "$work/repo" && plumbline agent install --context "$context" --image plumbline-agent:life --load "$provider/$name") || fail 'the agent was not installed'
  kubectl --context "$context" -n plumbline rollout status deployment/plumbline-agent --timeout=300s || fail 'the agent does not run'
  step 'agent: it syncs'
  kubectl --context "$context" -n shop wait --for=create deployment/guestbook-ui --timeout=300s || fail 'the agent did not sync'
  plumbline agent status --context "$context" || fail 'no status'
  step 'agent: uninstall'
  plumbline agent uninstall --context "$context" --yes >/dev/null || fail 'the agent was not taken away'
  left=$(kubectl --context "$context" get clusterrole,clusterrolebinding,role,rolebinding,deployment,serviceaccount -A -l app.kubernetes.io/name=plumbline-agent -o name)
  [ -z "$left" ] || fail "an uninstallation left $left"
}

repository
for provider in "${@:-kind minikube}"; do
  for provider in $provider; do
    if plumbline cluster providers -o json | grep -A5 "\"provider\": \"$provider\"" | grep -q '"state": "ready"'; then
      life "$provider"
    else
      echo "skipped: $provider is not ready here (plumbline cluster providers says why)"
    fi
  done
done
