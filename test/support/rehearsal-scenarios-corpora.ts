import type { Files, Scenario } from './rehearsal-scenario.ts'

const GUESTBOOK = 'argocd-example-apps/guestbook'
const DEPLOYMENT = 'guestbook-ui-deployment.yaml'
const SERVICE = 'guestbook-ui-svc.yaml'

/** The same files with one of them changed. @throws where the text is not there */
export function edited(file: string, from: string | RegExp, to: string): (files: Files) => Files {
  return (files) => {
    const text = files[file] ?? ''
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`${file} has no ${String(from)}`)
    return { ...files, [file]: changed }
  }
}

export const added =
  (more: Files): ((files: Files) => Files) =>
  (files) => ({ ...files, ...more })

export const without =
  (...names: readonly string[]): ((files: Files) => Files) =>
  (files) =>
    Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)))

export const both =
  (...changes: readonly ((files: Files) => Files)[]): ((files: Files) => Files) =>
  (files) =>
    changes.reduce((changed, change) => change(changed), files)

export const same = (files: Files): Files => files

export const APPLY_ANEW = { syncPolicy: { syncOptions: ['CreateNamespace=true', 'Force=true', 'Replace=true'] } }

/** Changes of other projects' applications. */
export const corporaScenarios: readonly Scenario[] = [
  { name: 'guestbook-new', corpus: GUESTBOOK },
  { name: 'guestbook-image', corpus: GUESTBOOK, before: same, after: edited(DEPLOYMENT, ':v5', ':v6') },
  {
    name: 'guestbook-selector',
    corpus: GUESTBOOK,
    before: same,
    after: edited(DEPLOYMENT, /app: guestbook-ui/g, 'app: renamed'),
    shows: /field is immutable/,
  },
  {
    name: 'guestbook-selector-forced',
    corpus: GUESTBOOK,
    before: same,
    after: edited(DEPLOYMENT, /app: guestbook-ui/g, 'app: renamed'),
    request: { force: true },
    shows: /replaced/,
  },
  {
    name: 'guestbook-renamed',
    corpus: GUESTBOOK,
    before: same,
    after: edited(DEPLOYMENT, 'name: guestbook-ui', 'name: guestbook-web'),
    request: { prune: true },
    shows: /pruned/,
  },
  {
    name: 'guestbook-renamed-kept',
    corpus: GUESTBOOK,
    before: same,
    after: edited(DEPLOYMENT, 'name: guestbook-ui', 'name: guestbook-web'),
    shows: /kept/,
  },
  {
    name: 'guestbook-failing-rollout',
    corpus: GUESTBOOK,
    before: same,
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 1\n  progressDeadlineSeconds: 4'),
      edited(DEPLOYMENT, ':v5', ':v6'),
      edited(
        DEPLOYMENT,
        '        app: guestbook-ui\n    spec',
        '        app: guestbook-ui\n      annotations: {simulator.plumbline.dev/pod: never-ready}\n    spec',
      ),
    ),
    shows: /Degraded/,
  },
  {
    name: 'guestbook-no-namespace',
    corpus: GUESTBOOK,
    spec: { syncPolicy: { syncOptions: [] } },
    shows: /not found/,
  },
  {
    name: 'guestbook-scaled-to-none',
    corpus: GUESTBOOK,
    before: same,
    after: edited(DEPLOYMENT, 'replicas: 1', 'replicas: 0'),
    shows: /endpoint/,
  },
  {
    name: 'guestbook-service-pruned',
    corpus: GUESTBOOK,
    before: same,
    after: without(SERVICE),
    request: { prune: true },
    shows: /endpoint/,
  },
  {
    name: 'guestbook-cluster-ip',
    corpus: GUESTBOOK,
    before: same,
    after: edited(SERVICE, 'spec:', 'spec:\n  clusterIP: 10.0.77.77'),
    shows: /field is immutable|may not change/,
  },
  {
    name: 'guestbook-recreated-pods',
    corpus: GUESTBOOK,
    before: edited(DEPLOYMENT, 'replicas: 1', 'replicas: 2\n  strategy: {type: Recreate}'),
    after: both(
      edited(DEPLOYMENT, 'replicas: 1', 'replicas: 2\n  strategy: {type: Recreate}'),
      edited(DEPLOYMENT, ':v5', ':v6'),
    ),
    shows: /downtime/,
  },
  {
    name: 'guestbook-unknown-field',
    corpus: GUESTBOOK,
    before: same,
    after: edited(DEPLOYMENT, 'replicas: 1', 'replicass: 2'),
    shows: /replicass|unknown field/,
  },
  {
    name: 'guestbook-scaled-by-hand',
    corpus: GUESTBOOK,
    before: same,
    meanwhile: async ({ namespace, send }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/guestbook-ui`
      await send('PATCH', path, { spec: { replicas: 3 } }, 'application/merge-patch+json')
    },
    shows: /replicas/,
  },
  {
    name: 'guestbook-other-applier',
    corpus: GUESTBOOK,
    before: same,
    meanwhile: async ({ namespace, send }) => {
      const path = `/apis/apps/v1/namespaces/${namespace}/deployments/guestbook-ui?force=true`
      const containers = [{ name: 'guestbook-ui', image: 'example.com/theirs:1', env: [{ name: 'HAND', value: '1' }] }]
      const body = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'guestbook-ui', namespace },
        spec: { template: { spec: { containers } } },
      }
      await send('PATCH', path, body, 'application/apply-patch+yaml')
    },
    shows: /image/,
  },
  { name: 'kustomize-guestbook-new', corpus: 'argocd-example-apps/kustomize-guestbook' },
  { name: 'sync-waves-new', corpus: 'argocd-example-apps/sync-waves', shows: /wave 3/ },
  { name: 'sync-waves-again', corpus: 'argocd-example-apps/sync-waves', before: same },
  {
    name: 'sync-waves-failing-hook',
    corpus: 'argocd-example-apps/sync-waves',
    after: edited(
      'manifests.yaml',
      /spec:\n {2}template:\n/,
      'spec:\n  backoffLimit: 0\n  template:\n    metadata: {annotations: {simulator.plumbline.dev/pod: fail}}\n',
    ),
    shows: /hook failed/,
  },
  { name: 'sock-shop-new', corpus: 'argocd-example-apps/sock-shop' },
  { name: 'boutique-new', corpus: 'online-boutique/kubernetes-manifests' },
  {
    name: 'boutique-update',
    corpus: 'online-boutique/kubernetes-manifests',
    before: same,
    after: both(
      edited('frontend.yaml', 'image: frontend', 'image: frontend:2'),
      edited('cartservice.yaml', 'image: redis:alpine', 'image: redis:7'),
    ),
    shows: /2 pods|restarts/,
  },
  { name: 'boutique-kustomize-new', corpus: 'online-boutique/kustomize' },
  {
    name: 'kube-prometheus-new',
    corpus: 'kube-prometheus/manifests',
    spec: { source: { directory: { recurse: true } } },
  },
  {
    name: 'flux-without-definitions',
    corpus: 'flux2-kustomize-helm-example/apps/base/podinfo',
    shows: /HelmRelease/,
  },
]
