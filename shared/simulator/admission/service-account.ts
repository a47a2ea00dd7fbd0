import type { Json } from '../kinds/json.ts'
import { ensureObject, objectsAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Plugin } from './request.ts'
import { creates, refuse } from './request.ts'

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const letters = 'bcdfghjklmnpqrstvwxz2456789'

/** A pod runs as a service account and has its token mounted, unless it says otherwise (`plugin/pkg/admission/serviceaccount`). */
export const serviceAccount: Plugin = (request) => {
  const { next, context, namespace } = request
  if (context.serviceAccounts !== true || !next || !creates(request, 'pods')) return
  if (next.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return
  const spec = ensureObject(next, 'spec')
  const name = textAt(spec, 'serviceAccountName') || 'default'
  spec['serviceAccountName'] = name
  spec['serviceAccount'] = name
  const account = context.lookup('serviceaccounts', namespace, name)
  if (!account) {
    throw refuse(request, `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`)
  }
  if (wantsToken(spec, account)) mountToken(spec, (count) => context.random(count))
  if (objectsAt(spec, 'imagePullSecrets').length > 0) return
  const secrets = objectsAt(account, 'imagePullSecrets')
  if (secrets.length > 0) spec['imagePullSecrets'] = secrets.map((secret) => ({ ...secret }))
}

function wantsToken(spec: Json, account: KubeObject): boolean {
  const own = spec['automountServiceAccountToken']
  return (typeof own === 'boolean' ? own : account['automountServiceAccountToken']) !== false
}

function mountToken(spec: Json, random: (below: number) => number): void {
  const volumes = objectsAt(spec, 'volumes')
  const existing = volumes.find((volume) => textAt(volume, 'name').startsWith('kube-api-access-'))
  const suffix = Array.from({ length: 5 }, () => letters.charAt(random(letters.length))).join('')
  const name = existing ? textAt(existing, 'name') : `kube-api-access-${suffix}`
  const containers = [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')]
  let used = false
  for (const container of containers) {
    const mounts = objectsAt(container, 'volumeMounts')
    if (mounts.some((mount) => mount['mountPath'] === mountPath)) continue
    container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath }]
    used = true
  }
  if (used && !existing) spec['volumes'] = [...volumes, tokenVolume(name)]
}

function tokenVolume(name: string): Json {
  const field = { apiVersion: 'v1', fieldPath: 'metadata.namespace' }
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: field }] } },
      ],
    },
  }
}
