import type { KubeObject } from '../object.ts'
import { parseQuantity } from '../../fields/quantity.ts'
import { sameJson } from '../object.ts'
import { validateNodeSelector } from './affinity-rules.ts'
import { oneOf } from './checks.ts'
import { accessModes } from './claim-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, goContainer, objectAt, textAt, textMapAt, textsAt } from './json.ts'
import { unchanged, validateMetadata } from './metadata.ts'
import { subdomainName } from './names.ts'
import { jsonDiff } from './unified-diff.ts'
import type { StrategyContext } from './strategy.ts'
import { iscsi } from './volume-iscsi.ts'
import type { SourceRules } from './volume-sources.ts'
import {
  azureDisk,
  azureFile,
  cephfs,
  cinder,
  cloudDisk,
  csi,
  fibreChannel,
  flexVolume,
  flocker,
  glusterfs,
  hostPath,
  localDisk,
  needing,
  nfs,
  quobyte,
  rbd,
  storageOs,
} from './volume-sources.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

/** Every source of a persistent volume, in the server's order (`ValidatePersistentVolumeSpec`). */
const sources: Readonly<Record<string, SourceRules>> = {
  hostPath,
  gcePersistentDisk: cloudDisk('pdName'),
  awsElasticBlockStore: cloudDisk('volumeID'),
  glusterfs,
  flocker,
  nfs,
  rbd,
  quobyte,
  cephfs,
  iscsi,
  cinder,
  fc: fibreChannel,
  flexVolume,
  azureFile,
  vsphereVolume: needing('volumePath'),
  photonPersistentDisk: needing('pdID'),
  portworxVolume: needing('volumeID'),
  azureDisk,
  scaleIO: needing('gateway', 'system', 'volumeName'),
  local: localDisk,
  storageos: storageOs,
  csi,
}
export const persistentVolume = defineKind({
  status: true,
  metadataOnUpdate: 'whole',
  prepare: (next, live, { now }) => {
    if (live === undefined) next['status'] = { phase: 'Pending', lastPhaseTransitionTime: now }
  },
  prepareStatus: timePhase,
  validate: (o) => [...volumeErrors(o), ...mountOptionErrors(o)],
  validateChange: volumeChangeErrors,
  warnings: volumeWarnings,
})

/** Sources whose volumes may name mount options in an annotation. */
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
]
const mountOptions = 'volume.beta.kubernetes.io/mount-options'

function mountOptionErrors(o: KubeObject): FieldError[] {
  if (!Object.hasOwn(o.metadata.annotations ?? {}, mountOptions)) return []
  if (mountable.some((key) => !absent(specOf(o), key))) return []
  return [forbidden(`metadata.annotations.${mountOptions}`, 'may not specify mount options for this volume type')]
}

function volumeErrors(o: KubeObject): FieldError[] {
  const spec = specOf(o)
  const className = textAt(spec, 'storageClassName')
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy')
  const root = /^\/+(?:\.\/*)*$/u.test(textAt(objectAt(spec, 'hostPath'), 'path'))
  return [
    ...modeErrors(textsAt(spec, 'accessModes')),
    ...capacityErrors(spec),
    ...(policy === '' ? [] : oneOf(policy, 'spec.persistentVolumeReclaimPolicy', ['Delete', 'Recycle', 'Retain'])),
    ...affinityErrors(objectAt(spec, 'nodeAffinity')),
    ...sourceErrors(spec, o.metadata.name ?? ''),
    ...(root && policy === 'Recycle'
      ? [forbidden('spec.persistentVolumeReclaimPolicy', "may not be 'recycle' for a hostPath mount of '/'")]
      : []),
    ...(className === ''
      ? []
      : subdomainName(className, false).map((text) => invalid('spec.storageClassName', className, text))),
    ...oneOf(textAt(spec, 'volumeMode'), 'spec.volumeMode', ['Block', 'Filesystem']),
    ...attributesErrors(spec),
  ]
}

function modeErrors(modes: readonly string[]): FieldError[] {
  const other = modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))
  return [
    ...(modes.length === 0 ? [required('spec.accessModes')] : []),
    ...modes
      .filter((mode) => !accessModes.includes(mode))
      .map((mode) => notSupported('spec.accessModes', mode, accessModes)),
    ...(modes.includes('ReadWriteOncePod') && other
      ? [forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ]
}

function capacityErrors(spec: Json): FieldError[] {
  const capacity = Object.entries(textMapAt(spec, 'capacity'))
  const only = capacity.length === 1 && capacity[0]?.[0] === 'storage'
  return [
    ...(capacity.length === 0 ? [required('spec.capacity')] : []),
    ...(only ? [] : [notSupported('spec.capacity', goContainer(spec, 'capacity'), ['storage'])]),
    ...capacity.flatMap(([name, amount]) => {
      const { unscaled } = parseQuantity(amount)
      if (unscaled > 0n) return []
      const positive = invalid(`spec.capacity[${name}]`, amount, 'must be greater than zero')
      if (unscaled === 0n) return [positive]
      const whole = Number(amount)
      const shown = Number.isInteger(whole) ? whole : amount
      return [invalid(`spec.capacity[${name}]`, shown, 'must be a valid resource quantity'), positive]
    }),
  ]
}

function affinityErrors(affinity: Json | undefined): FieldError[] {
  const needed = objectAt(affinity, 'required')
  if (needed) return validateNodeSelector(needed, 'spec.nodeAffinity.required')
  return affinity ? [required('spec.nodeAffinity.required', 'must specify required node constraints')] : []
}

function attributesErrors(spec: Json): FieldError[] {
  const name = spec['volumeAttributesClassName']
  if (typeof name !== 'string') return []
  const field = 'spec.volumeAttributesClassName'
  return [
    ...(name === ''
      ? [required(field, 'an empty string is disallowed')]
      : subdomainName(name, false).map((text) => invalid(field, name, text))),
    ...(absent(spec, 'csi') ? [required('spec.csi', 'has to be specified when using volumeAttributesClassName')] : []),
  ]
}

function sourceErrors(spec: Json, name: string): FieldError[] {
  const present = Object.entries(sources).filter(([key]) => !absent(spec, key))
  if (present.length === 0) return [required('spec', 'must specify a volume type')]
  return present.flatMap(([key, rules], i) => {
    // A flex volume is looked at even where it is the second.
    if (i > 0 && key !== 'flexVolume') {
      return [forbidden(`spec.${key === 'cephfs' ? 'cephFS' : key}`, 'may not specify more than 1 volume type')]
    }
    const shown = key === 'gcePersistentDisk' ? 'persistentDisk' : key
    const errors = rules(objectAt(spec, key) ?? {}, `spec.${shown}`, { persistent: true, name })
    if (key !== 'local' || !absent(spec, 'nodeAffinity')) return errors
    return [...errors, required('spec.nodeAffinity', 'Local volume requires node affinity')]
  })
}

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'volume.beta.kubernetes.io/storage-class': 'deprecated since v1.8; use "storageClassName" attribute instead',
  [mountOptions]: 'deprecated since v1.31; use "mountOptions" attribute instead',
}
const deprecatedSources: Readonly<Record<string, string>> = {
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
}

function volumeWarnings(o: KubeObject): string[] {
  const spec = specOf(o)
  const recycled = textAt(spec, 'persistentVolumeReclaimPolicy') === 'Recycle'
  return [
    ...Object.entries(deprecatedAnnotations)
      .filter(([key]) => Object.hasOwn(o.metadata.annotations ?? {}, key))
      .map(([key, text]) => `metadata.annotations[${key}]: ${text}`),
    ...(recycled
      ? [
          'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
        ]
      : []),
    ...Object.entries(deprecatedSources)
      .filter(([key]) => !absent(spec, key))
      .map(([key, text]) => `spec.${key === 'storageos' ? 'storageOS' : key}: ${text}`),
  ]
}

/** A phase's time is that of the write where the writer says none. */
function timePhase(next: KubeObject, live: KubeObject, { now }: StrategyContext): void {
  const status = objectAt(next, 'status')
  const before = objectAt(live, 'status')
  if (!status) return
  const was = before?.['lastPhaseTransitionTime']
  const is = status['lastPhaseTransitionTime'] ?? undefined
  if (textAt(status, 'phase') !== textAt(before, 'phase')) {
    if (is === undefined || is === was) status['lastPhaseTransitionTime'] = now
  } else if (is === undefined && was !== undefined) status['lastPhaseTransitionTime'] = was
}

function volumeChangeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const pick = (o: KubeObject): Json =>
    Object.fromEntries(Object.entries(specOf(o)).filter(([key]) => Object.hasOwn(sources, key)))
  const view = (o: KubeObject): Json => {
    const all = goView('internal/core.PersistentVolumeSpec', 'core/v1.PersistentVolumeSpec', pick(o))
    const names = Object.keys(sources).map((key) => key.toLowerCase())
    return Object.fromEntries(Object.entries(all).filter(([key]) => names.includes(key.toLowerCase())))
  }
  const errors = [...validateMetadata(next.metadata, subdomainName), ...volumeErrors(next)]
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
