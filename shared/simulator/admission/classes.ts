import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import type { Json } from '../kinds/json.ts'
import { absent, ensureObject, objectAt, textAt, textMapAt } from '../kinds/json.ts'
import type { StrategyContext } from '../kinds/strategy.ts'
import type { KubeObject } from '../object.ts'
import type { Plugin } from './request.ts'
import { creates, refuse } from './request.ts'

const age = (o: KubeObject): string => o.metadata.creationTimestamp ?? ''

/** The class that is marked as default: the newest, then the first by name. */
function defaultClass(context: StrategyContext, resource: string, mark: string): KubeObject | undefined {
  const marked = [...context.list(resource)].filter((o) => o.metadata.annotations?.[mark] === 'true')
  return marked.sort(
    (a, b) => age(b).localeCompare(age(a)) || (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''),
  )[0]
}

/** A claim without a class gets the default one. */
export const defaultStorageClass: Plugin = (request) => {
  const { next, context } = request
  if (!next || !creates(request, 'persistentvolumeclaims')) return
  const spec = ensureObject(next, 'spec')
  if (!absent(spec, 'storageClassName')) return
  if (next.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] !== undefined) return
  const mark = 'storageclass.kubernetes.io/is-default-class'
  const found = defaultClass(context, 'storageclasses.storage.k8s.io', mark)
  if (found) spec['storageClassName'] = found.metadata.name
}

export const defaultIngressClass: Plugin = (request) => {
  const { next, context } = request
  if (!next || !creates(request, 'ingresses.networking.k8s.io')) return
  const spec = ensureObject(next, 'spec')
  if (!absent(spec, 'ingressClassName')) return
  if (next.metadata.annotations?.['kubernetes.io/ingress.class'] !== undefined) return
  const mark = 'ingressclass.kubernetes.io/is-default-class'
  const found = defaultClass(context, 'ingressclasses.networking.k8s.io', mark)
  if (found) spec['ingressClassName'] = found.metadata.name
}

const protections: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
  'volumeattributesclasses.storage.k8s.io': 'kubernetes.io/vac-protection',
}

/** Volumes and claims are not deleted while they are in use (`StorageObjectInUseProtection`). */
export const protectStorage: Plugin = (request) => {
  const { next } = request
  for (const [resource, finalizer] of Object.entries(protections)) {
    if (!next || !creates(request, resource)) continue
    const finalizers = next.metadata.finalizers ?? []
    if (!finalizers.includes(finalizer)) next.metadata.finalizers = [...finalizers, finalizer]
  }
}

const storage = (o: KubeObject): string =>
  textMapAt(objectAt(objectAt(o, 'spec'), 'resources'), 'requests')['storage'] ?? '0'

/** Only a bound claim whose class allows it may grow (`PersistentVolumeClaimResize`). */
export const claimResize: Plugin = (request) => {
  const { next, live, context } = request
  const isClaim = request.group === '' && request.resource === 'persistentvolumeclaims' && request.subresource === ''
  if (!isClaim || request.operation !== 'update' || !next || !live) return
  if (compareQuantities(parseQuantity(storage(next)), parseQuantity(storage(live))) <= 0) return
  if (textAt(objectAt(live, 'status'), 'phase') !== 'Bound') {
    throw refuse(request, 'Only bound persistent volume claims can be expanded')
  }
  const spec: Json = objectAt(next, 'spec') ?? {}
  const found = context.lookup('storageclasses.storage.k8s.io', '', textAt(spec, 'storageClassName'))
  if (found?.['allowVolumeExpansion'] === true) return
  const problem =
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'
  throw refuse(request, problem)
}

/** At most one priority class is the default. */
export const oneDefaultPriority: Plugin = (request) => {
  const { next, context, group, resource, operation } = request
  if (!next || operation === 'delete' || group !== 'scheduling.k8s.io' || resource !== 'priorityclasses') return
  if (next['globalDefault'] !== true) return
  for (const other of context.list('priorityclasses.scheduling.k8s.io')) {
    if (other['globalDefault'] !== true || other.metadata.name === next.metadata.name) continue
    const problem = `PriorityClass ${other.metadata.name ?? ''} is already marked as default. Only one default can exist`
    throw refuse(request, problem)
  }
}
