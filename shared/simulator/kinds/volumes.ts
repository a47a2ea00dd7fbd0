import type { KubeObject } from '../object.ts'
import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import { privateCopy, sameJson } from '../object.ts'
import { validateNodeSelector } from './affinity-rules.ts'
import { oneOf, requireText } from './checks.ts'
import { accessModes, sameAmount, validateClaimSpec } from './claim-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, copyAsGiven, ensureObject, goContainer, objectAt, textAt, textMapAt, textsAt } from './json.ts'
import { unchanged, validateMetadata } from './metadata.ts'
import { subdomainName } from './names.ts'
import type { KindStrategy } from './strategy.ts'
import { jsonDiff } from './unified-diff.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}
const storageOf = (o: KubeObject): string => textMapAt(objectAt(specOf(o), 'resources'), 'requests')['storage'] ?? '0'

const claim = defineKind({
  status: true,
  metadataOnUpdate: 'both',
  prepare: (next, live) => {
    dropOddSource(specOf(next), live && specOf(live))
    normalizeSources(specOf(next))
  },
  validate: (o) => validateClaimSpec(specOf(o), 'spec'),
  validateChange: claimChangeErrors,
  fieldSelectors: { name: (o) => o.metadata.name ?? '' },
})

/** The older field takes claims and snapshots only; anything else is ignored, as it always was. */
function dropOddSource(spec: Json, before: Json | undefined): void {
  const reference = objectAt(spec, 'dataSourceRef')
  if (reference && textAt(reference, 'namespace') !== '' && absent(before, 'dataSourceRef'))
    delete spec['dataSourceRef']
  const used = !absent(before, 'dataSource') || !absent(before, 'dataSourceRef')
  const source = objectAt(spec, 'dataSource')
  if (used || !source || objectAt(spec, 'dataSourceRef')) return
  const kind = `${textAt(source, 'apiGroup')}/${textAt(source, 'kind')}`
  const known = ['/PersistentVolumeClaim', 'snapshot.storage.k8s.io/VolumeSnapshot']
  if (!known.includes(kind)) delete spec['dataSource']
}

/** `dataSource` and `dataSourceRef` stand for each other where one of them is unset. */
function normalizeSources(spec: Json): void {
  const source = objectAt(spec, 'dataSource')
  const reference = objectAt(spec, 'dataSourceRef')
  if (source && !reference) spec['dataSourceRef'] = { ...source }
  if (!source && reference && textAt(reference, 'namespace') === '') {
    const { namespace: _, ...rest } = reference
    spec['dataSource'] = rest
  }
}

function claimChangeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const bound = textAt(objectAt(next, 'status'), 'phase') === 'Bound'
  const is = copyAsGiven(specOf(next))
  const was = privateCopy(specOf(live))
  if (textAt(was, 'volumeName') === '' && !absent(is, 'volumeName')) was['volumeName'] = is['volumeName']
  if (absent(was, 'storageClassName') && !absent(is, 'storageClassName')) delete is['storageClassName']
  if (bound) {
    ensureObject(ensureObject(is, 'resources'), 'requests')['storage'] = storageOf(live)
    if (absent(was, 'volumeAttributesClassName')) delete is['volumeAttributesClassName']
    else is['volumeAttributesClassName'] = was['volumeAttributesClassName']
  }
  const errors: FieldError[] = []
  if (!sameClaimSpec(is, was)) {
    const text =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    errors.push(forbidden('spec', `${text}\n${jsonDiff(claimView(was), claimView(is))}`))
  }
  if (compareQuantities(parseQuantity(storageOf(next)), parseQuantity(storageOf(live))) < 0) {
    const capacity = textMapAt(objectAt(live, 'status'), 'capacity')['storage'] ?? '0'
    if (compareQuantities(parseQuantity(storageOf(next)), parseQuantity(capacity)) <= 0) {
      errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'))
    }
  }
  return [...errors, ...unchanged('volumeMode', specOf(next)['volumeMode'], specOf(live)['volumeMode'])]
}

function sameClaimSpec(a: Json, b: Json): boolean {
  return sameAmount(storageIn(a), storageIn(b)) && sameJson(withoutStorage(a), withoutStorage(b))
}

const storageIn = (spec: Json): string | undefined => textMapAt(objectAt(spec, 'resources'), 'requests')['storage']

function withoutStorage(spec: Json): Json {
  const copy = privateCopy(spec)
  const requests = objectAt(objectAt(copy, 'resources'), 'requests')
  if (requests) delete requests['storage']
  return copy
}

const claimView = (spec: Json): Json =>
  goView('internal/core.PersistentVolumeClaimSpec', 'core/v1.PersistentVolumeClaimSpec', spec)

/** Every source of a volume with what it requires, in the server's order. */
const sources: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  glusterfs: ['endpoints', 'path'],
  flocker: [],
  nfs: ['server', 'path'],
  rbd: ['image'],
  quobyte: ['registry', 'volume'],
  cephfs: [],
  iscsi: ['targetPortal', 'iqn'],
  cinder: ['volumeID'],
  fc: [],
  flexVolume: ['driver'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  local: ['path'],
  storageos: ['volumeName'],
  csi: ['driver', 'volumeHandle'],
}

const volume = defineKind({
  status: true,
  metadataOnUpdate: 'whole',
  prepare: (next, live, { now }) => {
    if (live === undefined) next['status'] = { phase: 'Pending', lastPhaseTransitionTime: now }
  },
  validate: (o) => volumeErrors(specOf(o)),
  validateChange: volumeChangeErrors,
  fieldSelectors: { name: (o) => o.metadata.name ?? '' },
})

function volumeErrors(spec: Json): FieldError[] {
  const capacity = textMapAt(spec, 'capacity')
  const modes = textsAt(spec, 'accessModes')
  const className = textAt(spec, 'storageClassName')
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy')
  const only = Object.keys(capacity)
  const affinity = objectAt(objectAt(spec, 'nodeAffinity'), 'required')
  return [
    ...(modes.length === 0 ? [required('spec.accessModes')] : []),
    ...modes
      .filter((mode) => !accessModes.includes(mode))
      .map((mode) => notSupported('spec.accessModes', mode, accessModes)),
    ...(only.length === 0 ? [required('spec.capacity')] : []),
    ...(only.length === 1 && only[0] === 'storage'
      ? []
      : [notSupported('spec.capacity', goContainer(spec, 'capacity'), ['storage'])]),
    ...Object.entries(capacity).flatMap(([name, amount]) =>
      parseQuantity(amount).unscaled > 0n
        ? []
        : [invalid(`spec.capacity[${name}]`, amount, 'must be greater than zero')],
    ),
    ...(policy === '' ? [] : oneOf(policy, 'spec.persistentVolumeReclaimPolicy', ['Delete', 'Recycle', 'Retain'])),
    ...(affinity ? validateNodeSelector(affinity, 'spec.nodeAffinity.required') : []),
    ...(objectAt(spec, 'nodeAffinity') && !affinity
      ? [required('spec.nodeAffinity.required', 'must specify required node constraints')]
      : []),
    ...sourceErrors(spec, affinity !== undefined),
    ...(className === ''
      ? []
      : subdomainName(className, false).map((text) => invalid('spec.storageClassName', className, text))),
    ...oneOf(textAt(spec, 'volumeMode'), 'spec.volumeMode', ['Block', 'Filesystem']),
  ]
}

function sourceErrors(spec: Json, hasAffinity: boolean): FieldError[] {
  const present = Object.keys(sources).filter((key) => !absent(spec, key))
  if (present.length === 0) return [required('spec', 'must specify a volume type')]
  return present.flatMap((key, i) => {
    if (i > 0) return [forbidden(`spec.${key}`, 'may not specify more than 1 volume type')]
    const source = objectAt(spec, key) ?? {}
    const errors = (sources[key] ?? []).flatMap((name) => requireText(source, name, `spec.${key}`))
    if (key !== 'local' || hasAffinity) return errors
    return [...errors, required('spec.nodeAffinity', 'Local volume requires node affinity')]
  })
}

function volumeChangeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const pick = (o: KubeObject): Json =>
    Object.fromEntries(Object.entries(specOf(o)).filter(([key]) => Object.hasOwn(sources, key)))
  const view = (o: KubeObject): Json => {
    const all = goView('internal/core.PersistentVolumeSpec', 'core/v1.PersistentVolumeSpec', pick(o))
    const names = Object.keys(sources).map((key) => key.toLowerCase())
    return Object.fromEntries(Object.entries(all).filter(([key]) => names.includes(key.toLowerCase())))
  }
  const errors = [...validateMetadata(next.metadata, subdomainName), ...volumeErrors(specOf(next))]
  if (!sameJson(pick(next), pick(live))) {
    const text = `spec.persistentvolumesource is immutable after creation\n${jsonDiff(view(live), view(next))}`
    errors.push(forbidden('spec.persistentvolumesource', text))
  }
  errors.push(...unchanged('volumeMode', specOf(next)['volumeMode'], specOf(live)['volumeMode']))
  const affinity = specOf(live)['nodeAffinity']
  if (affinity === undefined || sameJson(affinity, specOf(next)['nodeAffinity'])) return errors
  const text = 'field is immutable, except for updating from beta label to GA'
  return [...errors, invalid('nodeAffinity', specOf(next)['nodeAffinity'] ?? null, text)]
}

export const volumeKinds: Readonly<Record<string, KindStrategy>> = {
  persistentvolumeclaims: claim,
  persistentvolumes: volume,
}
