import type { KubeObject } from '../object.ts'
import { validateTolerations } from './affinity-rules.ts'
import { labelSelector, oneOf, requiredOneOf } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, required, tooLong } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { unchanged } from './metadata.ts'
import { byteLength, labelName, subdomainName } from './names.ts'
import { containerResourceName, resourceAmount } from './resource-rules.ts'
import { storageClass } from './storage-class.ts'
import type { KindStrategy } from './strategy.ts'

/** The storage group, and classes of nodes and priorities. */

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

/** Tokens that a driver wants for itself: one for each audience, for ten minutes at least. */
function tokenRequests(requests: readonly Json[]): FieldError[] {
  const seen = new Set<string>()
  return requests.flatMap((request, i) => {
    const at = `spec.tokenRequests[${i}]`
    const audience = textAt(request, 'audience')
    if (seen.has(audience)) return [duplicate(`${at}.audience`, audience)]
    seen.add(audience)
    const seconds = numberAt(request, 'expirationSeconds') ?? 600
    if (seconds < 600)
      return [invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes')]
    if (seconds <= 2 ** 32) return []
    return [invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds')]
  })
}

function driverPeriod(seconds: number | undefined): FieldError[] {
  if (seconds === undefined || seconds >= 10) return []
  const field = 'spec.nodeAllocatableUpdatePeriodSeconds'
  return [invalid(field, seconds, 'must be greater than or equal to 10 seconds')]
}

function driverSecrets(spec: Json): FieldError[] {
  const value = spec['serviceAccountTokenInSecrets']
  if (typeof value !== 'boolean' || objectsAt(spec, 'tokenRequests').length > 0) return []
  const text = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
  return [invalid('spec.serviceAccountTokenInSecrets', value, text)]
}

const csiDriver = defineKind({
  unconditional: false,
  validate: (o) => {
    const name = o.metadata.name ?? ''
    const policy = specOf(o)['fsGroupPolicy']
    return [
      ...(byteLength(name) > 63 ? [tooLong('metadata.name', 63)] : []),
      ...(typeof policy === 'string'
        ? oneOf(policy, 'spec.fsGroupPolicy', ['File', 'None', 'ReadWriteOnceWithFSType'])
        : []),
      ...tokenRequests(objectsAt(specOf(o), 'tokenRequests')),
      ...textsAt(specOf(o), 'volumeLifecycleModes').flatMap((mode) =>
        oneOf(mode, 'spec.volumeLifecycleModes', ['Persistent', 'Ephemeral']),
      ),
      ...driverPeriod(numberAt(specOf(o), 'nodeAllocatableUpdatePeriodSeconds')),
      ...driverSecrets(specOf(o)),
    ]
  },
  validateChange: (next, live) =>
    ['attachRequired', 'volumeLifecycleModes'].flatMap((key) =>
      unchanged(`spec.${key === 'attachRequired' ? 'attachedRequired' : key}`, specOf(next)[key], specOf(live)[key]),
    ),
})

const csiNode = defineKind({ unconditional: false, metadataOnUpdate: 'whole' })
const csiStorageCapacity = defineKind({
  metadataOnUpdate: 'late',
  unconditional: false,
  validate: (o) => labelSelector(objectAt(o, 'nodeTopology'), 'nodeTopology'),
  validateChange: (next, live) =>
    ['nodeTopology', 'storageClassName'].flatMap((key) => unchanged(key, next[key], live[key])),
})

const volumeAttachment = defineKind({
  status: true,
  metadataOnUpdate: 'whole',
  unconditional: false,
  resetFields: { main: [['status']], status: [['spec'], ['metadata']] },
  validate: (o) => {
    const source = objectAt(specOf(o), 'source') ?? {}
    const given = ['inlineVolumeSpec', 'persistentVolumeName'].filter((key) => !absent(source, key))
    const text = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
    return [
      ...(textAt(specOf(o), 'attacher') === '' ? [required('spec.attacher')] : []),
      ...(given.length === 0 ? [required('spec.source', text)] : []),
      ...(given.length === 2 ? [forbidden('spec.source', text)] : []),
      ...subdomainName(textAt(specOf(o), 'nodeName'), false).map((message) =>
        invalid('spec.nodeName', textAt(specOf(o), 'nodeName'), message),
      ),
    ]
  },
  validateChange: (next, live) =>
    unchanged(
      'spec',
      specOf(next),
      specOf(live),
      goView('internal/storage.VolumeAttachmentSpec', 'storage/v1.VolumeAttachmentSpec', specOf(next)),
    ),
})

const volumeAttributesClass = defineKind({
  validate: (o, _context, live) =>
    live === undefined && textAt(o, 'driverName') === '' ? [required('driverName')] : [],
  validateChange: (next, live) => ['driverName', 'parameters'].flatMap((key) => unchanged(key, next[key], live[key])),
})

/** The greatest priority that a user may define; the system's own are above. */
const highestUserPriority = 1_000_000_000
const systemPriorities: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
}

function priorityClassErrors(o: KubeObject): FieldError[] {
  const name = o.metadata.name ?? ''
  const value = numberAt(o, 'value') ?? 0
  const policy = o['preemptionPolicy']
  const errors: FieldError[] = []
  if (name.startsWith('system-')) {
    const known = Object.hasOwn(systemPriorities, name) ? systemPriorities[name] : undefined
    const prefix = "priority class names with 'system-' prefix are reserved for system use only. error: "
    if (known === undefined) {
      errors.push(forbidden('metadata.name', `${prefix}${name} is not a known system priority class`))
    } else if (known !== value) {
      errors.push(forbidden('metadata.name', `${prefix}value of ${name} PriorityClass must be ${known}`))
    }
  } else if (value > highestUserPriority) {
    errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${highestUserPriority}`))
  }
  if (typeof policy !== 'string') return errors
  return [...errors, ...requiredOneOf(policy, 'preemptionPolicy', ['PreemptLowerPriority', 'Never'])]
}

/** On update only what may not change is looked at. */
const priorityClass = defineKind({
  generation: [],
  validate: (o, _context, live) => (live === undefined ? priorityClassErrors(o) : []),
  validateChange: (next, live) => [
    ...(next['value'] === live['value'] ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...unchanged('preemptionPolicy', next['preemptionPolicy'], live['preemptionPolicy']),
  ],
})

const runtimeClass = defineKind({
  metadataOnUpdate: 'late',
  anyFinalizer: true,
  unconditional: false,
  createOnUpdate: true,
  validate: (o) => {
    const handler = textAt(o, 'handler')
    const fixed = Object.entries(objectAt(objectAt(o, 'overhead'), 'podFixed') ?? {})
    return [
      ...(handler === ''
        ? [required('handler')]
        : labelName(handler, false).map((text) => invalid('handler', handler, text))),
      ...fixed.flatMap(([name, amount]) => [
        ...containerResourceName(name, `overhead.limits[${name}]`),
        ...resourceAmount(name, String(amount), `overhead.limits[${name}]`),
      ]),
      ...validateTolerations(objectsAt(objectAt(o, 'scheduling'), 'tolerations'), 'scheduling.tolerations'),
    ]
  },
  validateChange: (next, live) => unchanged('handler', next['handler'], live['handler']),
})

export const storageKinds: Readonly<Record<string, KindStrategy>> = {
  'csidrivers.storage.k8s.io': csiDriver,
  'csinodes.storage.k8s.io': csiNode,
  'csistoragecapacities.storage.k8s.io': csiStorageCapacity,
  'priorityclasses.scheduling.k8s.io': priorityClass,
  'runtimeclasses.node.k8s.io': runtimeClass,
  'storageclasses.storage.k8s.io': storageClass,
  'volumeattachments.storage.k8s.io': volumeAttachment,
  'volumeattributesclasses.storage.k8s.io': volumeAttributesClass,
}
