/** Small manifests for tests of syncs. */

type Notes = { readonly [annotation: string]: string }

const ARGO = 'argocd.argoproj.io'

export const wave = (n: number): Notes => ({ [`${ARGO}/sync-wave`]: String(n) })
export const hook = (phases: string, policies?: string): Notes => ({
  [`${ARGO}/hook`]: phases,
  ...(policies === undefined ? {} : { [`${ARGO}/hook-delete-policy`]: policies }),
})
export const options = (text: string): Notes => ({ [`${ARGO}/sync-options`]: text })

export function configMap(name: string, data: Notes = {}, annotations: Notes = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, annotations }, data }
}

/** A Job whose pod ends as `hint` says: well when absent, `fail`, `never-ready` for one that never ends. */
export function job(name: string, annotations: Notes = {}, hint?: string): object {
  const metadata = name.endsWith('-') ? { generateName: name, annotations } : { name, annotations }
  const pod = hint === undefined ? {} : { annotations: { 'simulator.plumbline.dev/pod': hint } }
  const containers = [{ name: 'main', image: 'busybox:1.36', command: ['true'] }]
  const template = { metadata: pod, spec: { restartPolicy: 'Never', containers } }
  return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { backoffLimit: 0, template } }
}

export function deployment(
  name: string,
  annotations: Notes = {},
  more: { readonly image?: string; readonly hint?: string } = {},
): object {
  const labels = { app: name }
  const pod = more.hint === undefined ? {} : { annotations: { 'simulator.plumbline.dev/pod': more.hint } }
  const containers = [{ name: 'main', image: more.image ?? 'nginx:1.27' }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, annotations },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels, ...pod }, spec: { containers } },
    },
  }
}
