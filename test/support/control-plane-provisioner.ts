import { setTimeout } from 'node:timers/promises'
import type { JsonClient } from './control-plane-client.ts'

type Claim = {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string }
  readonly spec: {
    readonly storageClassName?: string
    readonly accessModes: readonly string[]
    readonly resources: { readonly requests: { readonly storage: string } }
    readonly volumeName?: string
  }
}
type Volume = {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly storageClassName?: string }
  readonly status?: { readonly phase?: string }
}

const CLASS = 'double'
const PROVISIONER = 'double.plumbline.dev'

/**
 * A double of a volume provisioner: a default class, a volume for every claim of it, gone again when it is released. Binding is
 * the real controller's.
 */
export async function startProvisioner(client: JsonClient): Promise<{ stop(): Promise<void> }> {
  await client.request('/apis/storage.k8s.io/v1/storageclasses', {
    method: 'POST',
    body: {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: PROVISIONER,
    },
  })
  const abort = new AbortController()
  const running = (async () => {
    while (!abort.signal.aborted) {
      await tend(client).catch(() => undefined)
      await setTimeout(100, undefined, { signal: abort.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: async () => {
      abort.abort()
      await running
    },
  }
}

async function tend(client: JsonClient): Promise<void> {
  const claims = await itemsOf<Claim>(client, '/api/v1/persistentvolumeclaims')
  const volumes = await itemsOf<Volume>(client, '/api/v1/persistentvolumes')
  const known = new Set(volumes.map(({ metadata }) => metadata.name))
  for (const claim of claims) {
    if (claim.spec.storageClassName !== CLASS || claim.spec.volumeName !== undefined || known.has(nameFor(claim)))
      continue
    await client.request('/api/v1/persistentvolumes', { method: 'POST', body: volumeFor(claim) })
  }
  for (const { metadata, spec, status } of volumes) {
    if (spec.storageClassName !== CLASS || status?.phase !== 'Released') continue
    await client.request(`/api/v1/persistentvolumes/${metadata.name}`, { method: 'DELETE' })
  }
}

async function itemsOf<T>(client: JsonClient, path: string): Promise<readonly T[]> {
  return ((await client.request(path)).body as { readonly items: readonly T[] }).items
}

function nameFor({ metadata }: Claim): string {
  return `pvc-${metadata.uid}`
}

function volumeFor(claim: Claim): object {
  const { name, namespace, uid } = claim.metadata
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: nameFor(claim), annotations: { 'pv.kubernetes.io/provisioned-by': PROVISIONER } },
    spec: {
      capacity: claim.spec.resources.requests,
      accessModes: claim.spec.accessModes,
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: CLASS,
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid },
      csi: { driver: PROVISIONER, volumeHandle: uid },
    },
  }
}
