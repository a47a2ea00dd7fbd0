import type { KubeObject, ObjectMeta, OwnerReference } from '../object.ts'
import { sameJson } from '../object.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, goQuote, invalid, required, tooLong } from './field-error.ts'
import type { NameCheck, StringCheck } from './names.ts'
import { byteLength, labelName, labelValue, pathSegmentName, qualifiedName } from './names.ts'

/** `field.Invalid` for every message of a check. */
export function failing(check: StringCheck, value: string, field: string): FieldError[] {
  return check(value).map((message) => invalid(field, value, message))
}

export function validateLabels(labels: unknown, field: string): FieldError[] {
  if (typeof labels !== 'object' || labels === null) return []
  return Object.entries(labels).flatMap(([key, value]) => [
    ...failing(qualifiedName, key, field),
    ...failing(labelValue, String(value), field),
  ])
}

/** The bytes that annotations may take, keys and values together. */
const annotationLimit = 256 * 1024

export function validateAnnotations(annotations: Record<string, string> | undefined, field: string): FieldError[] {
  if (!annotations) return []
  const entries = Object.entries(annotations)
  const errors = entries.flatMap(([key]) =>
    qualifiedName(key.toLowerCase()).map((message) => invalid(field, key, message)),
  )
  const size = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0)
  return size > annotationLimit ? [...errors, tooLong(field, annotationLimit)] : errors
}

function validateOwner(owner: OwnerReference, field: string): FieldError[] {
  const errors: FieldError[] = []
  const parts = owner.apiVersion.split('/')
  const version = parts.length > 2 ? '' : (parts.at(-1) ?? '')
  if (version === '') errors.push(invalid(`${field}.apiVersion`, owner.apiVersion, 'version must not be empty'))
  if (owner.kind === '') errors.push(invalid(`${field}.kind`, owner.kind, 'must not be empty'))
  if (owner.name === '') errors.push(invalid(`${field}.name`, owner.name, 'must not be empty'))
  if (owner.uid === '') errors.push(invalid(`${field}.uid`, owner.uid, 'must not be empty'))
  if (owner.apiVersion === 'v1' && owner.kind === 'Event') {
    errors.push(invalid(field, owner, '/v1, Kind=Event is disallowed from being an owner'))
  }
  return errors
}

function validateOwners(owners: readonly OwnerReference[], field: string): FieldError[] {
  let first: OwnerReference | undefined
  return owners.flatMap((owner) => {
    const errors = validateOwner(owner, field)
    if (owner.controller !== true) return errors
    if (!first) {
      first = owner
      return errors
    }
    const names = `${first.kind}/${first.name} and ${owner.kind}/${owner.name}`
    const text = `Only one reference can have Controller set to true. Found "true" in references for ${names}`
    return [...errors, invalid(field, owners, text)]
  })
}

function validateFinalizers(finalizers: readonly string[], field: string): FieldError[] {
  const errors = finalizers.flatMap((name) => failing(qualifiedName, name, field))
  if (!finalizers.includes('orphan') || !finalizers.includes('foregroundDeletion')) return errors
  return [...errors, invalid(field, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set')]
}

/** The finalizers that are the server's own. */
export const standardFinalizer = new Set(['foregroundDeletion', 'kubernetes', 'orphan'])

/** What the rules of most kinds ask of finalizers beside: a name without a domain must be one of the server's own. */
export function validateKnownFinalizer(name: string, field: string): FieldError[] {
  if (name.includes('/') || standardFinalizer.has(name)) return []
  return [invalid(field, name, 'name is neither a standard finalizer name nor is it fully qualified')]
}

export function validateKnownFinalizers(meta: ObjectMeta): FieldError[] {
  return (meta.finalizers ?? []).flatMap((name, i) => validateKnownFinalizer(name, `metadata.finalizers[${i}]`))
}

/** Metadata of a new object, or of any object whose name is not checked again (`pathSegmentName`). */
export function validateMetadata(meta: ObjectMeta, nameCheck: NameCheck, at = 'metadata'): FieldError[] {
  const errors: FieldError[] = []
  const name = meta.name ?? ''
  const prefix = meta.generateName ?? ''
  if (prefix !== '') {
    errors.push(...nameCheck(prefix, true).map((text) => invalid(`${at}.generateName`, prefix, text)))
  }
  if (name === '') errors.push(required(`${at}.name`, 'name or generateName is required'))
  else errors.push(...nameCheck(name, false).map((text) => invalid(`${at}.name`, name, text)))
  if (meta.namespace !== undefined && meta.namespace !== '') {
    const { namespace } = meta
    errors.push(...labelName(namespace, false).map((text) => invalid(`${at}.namespace`, namespace, text)))
  }
  return [
    ...errors,
    ...validateLabels(meta.labels, `${at}.labels`),
    ...validateAnnotations(meta.annotations, `${at}.annotations`),
    ...validateOwners(meta.ownerReferences ?? [], `${at}.ownerReferences`),
    ...validateFinalizers(meta.finalizers ?? [], `${at}.finalizers`),
  ]
}

const fixed = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const

function noNewFinalizers(next: ObjectMeta, live: ObjectMeta): FieldError[] {
  if (live.deletionTimestamp === undefined) return []
  const old = new Set(live.finalizers)
  const extra = [...new Set(next.finalizers)].filter((name) => !old.has(name)).sort()
  if (extra.length === 0) return []
  const list = `[]string{${extra.map(goQuote).join(', ')}}`
  const text = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`
  return [forbidden('metadata.finalizers', text)]
}

/** What `ValidateObjectMetaUpdate` finds; the rules of most kinds ask it once more. */
export function validateMetadataChange(next: ObjectMeta, live: ObjectMeta): FieldError[] {
  return [
    ...noNewFinalizers(next, live),
    ...((next.generation ?? 0) < (live.generation ?? 0)
      ? [invalid('metadata.generation', next.generation ?? 0, 'must not be decremented')]
      : []),
    ...fixed.flatMap((key) => unchanged(`metadata.${key}`, next[key], live[key])),
    ...validateLabels(next.labels, 'metadata.labels'),
    ...validateAnnotations(next.annotations, 'metadata.annotations'),
    ...validateOwners(next.ownerReferences ?? [], 'metadata.ownerReferences'),
  ]
}

/** What is asked of every object's metadata on an update, before the rules of its kind. */
export function validateMetadataUpdate(next: KubeObject, live: KubeObject): FieldError[] {
  return [...validateMetadata(next.metadata, pathSegmentName), ...validateMetadataChange(next.metadata, live.metadata)]
}

/** `ValidateImmutableField`; the value printed is `shown` where the server prints an internal struct. */
export function unchanged(field: string, next: unknown, live: unknown, shown: unknown = next): FieldError[] {
  return sameJson(next, live) ? [] : [invalid(field, shown ?? null, 'field is immutable')]
}
