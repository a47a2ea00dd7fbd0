import fs from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { add, commit } from 'isomorphic-git'

/** One more application: a hook before, three waves, a hook after. */
export async function addWaves(repository: string): Promise<void> {
  await mkdir(path.join(repository, 'waves'))
  const files: Readonly<Record<string, string>> = {
    'apps/waves.yaml': APPLICATION,
    'waves/migrate.yaml': hook('migrate', 'PreSync'),
    'waves/config.yaml': config('settings', 0),
    'waves/database.yaml': deployment('database', 1),
    'waves/server.yaml': deployment('server', 2),
    'waves/smoke.yaml': hook('smoke', 'PostSync'),
  }
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(repository, file), text)
  await add({ fs, dir: repository, filepath: Object.keys(files) })
  const author = {
    name: 'Ada',
    email: 'ada@example.com',
    timestamp: Math.floor(Date.now() / 1000) - 300,
    timezoneOffset: 0,
  }
  await commit({ fs, dir: repository, message: 'Bring the server up in waves', author })
}

const APPLICATION = `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: waves, namespace: argocd}
spec:
  project: default
  source: {repoURL: ., targetRevision: main, path: waves}
  destination: {server: https://kubernetes.default.svc, namespace: waves}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
`

function hook(name: string, phase: string): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations: {argocd.argoproj.io/hook: ${phase}, argocd.argoproj.io/hook-delete-policy: BeforeHookCreation}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: ${name}, image: example.com/${name}:1}]
`
}

function config(name: string, wave: number): string {
  return `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, annotations: {argocd.argoproj.io/sync-wave: "${wave}"}}
data: {level: info}
`
}

function deployment(name: string, wave: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, annotations: {argocd.argoproj.io/sync-wave: "${wave}"}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers: [{name: ${name}, image: example.com/${name}:1}]
`
}
