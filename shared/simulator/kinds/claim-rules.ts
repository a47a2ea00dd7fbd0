import { sameQuantity, parseQuantity } from '../../fields/quantity.ts'
import { labelSelector, oneOf } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { objectAt, textAt, textMapAt, textsAt } from './json.ts'
import { labelName, subdomainName } from './names.ts'

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

/** The spec of a claim, or of a claim template (`ValidatePersistentVolumeClaimSpec`). */
export function validateClaimSpec(spec: Json, field: string): FieldError[] {
  const storage = textMapAt(objectAt(spec, 'resources'), 'requests')['storage']
  const mode = spec['volumeMode']
  const className = textAt(spec, 'storageClassName')
  const attributes = textAt(spec, 'volumeAttributesClassName')
  return [
    ...modes(spec, field),
    ...labelSelector(objectAt(spec, 'selector'), `${field}.selector`),
    ...readWriteOncePod(spec, field),
    ...storageRequest(storage, `${field}.resources[storage]`),
    ...(className === ''
      ? []
      : subdomainName(className, false).map((text) => invalid(`${field}.storageClassName`, className, text))),
    ...(typeof mode === 'string' ? oneOf(mode, `${field}.volumeMode`, ['Block', 'Filesystem']) : []),
    ...['dataSource', 'dataSourceRef'].flatMap((key) => source(objectAt(spec, key), `${field}.${key}`)),
    ...sourcesAgree(objectAt(spec, 'dataSource'), objectAt(spec, 'dataSourceRef'), field),
    ...(attributes === ''
      ? []
      : subdomainName(attributes, false).map((text) =>
          invalid(`${field}.volumeAttributesClassName`, attributes, text),
        )),
  ]
}

/** The server names no value here but its own path, which prints as nothing. */
function sourcesAgree(source: Json | undefined, reference: Json | undefined, field: string): FieldError[] {
  if (!source || !reference) return []
  if (textAt(reference, 'namespace') !== '') {
    return [invalid(field, {}, 'may not be specified when dataSourceRef.namespace is specified')]
  }
  const same = ['apiGroup', 'kind', 'name'].every((key) => textAt(source, key) === textAt(reference, key))
  return same ? [] : [invalid(field, {}, 'must match dataSourceRef')]
}

function modes(spec: Json, field: string): FieldError[] {
  return textsAt(spec, 'accessModes').length === 0
    ? [required(`${field}.accessModes`, 'at least 1 access mode is required')]
    : []
}

function readWriteOncePod(spec: Json, field: string): FieldError[] {
  const given = textsAt(spec, 'accessModes')
  const unknown = given
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(`${field}.accessModes`, mode, accessModes))
  const other = given.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode))
  if (!given.includes('ReadWriteOncePod') || !other) return unknown
  return [...unknown, forbidden(`${field}.accessModes`, 'may not use ReadWriteOncePod with other access modes')]
}

function storageRequest(storage: string | undefined, field: string): FieldError[] {
  if (storage === undefined) return [required(field)]
  if (parseQuantity(storage).unscaled > 0n) return []
  return [invalid(field, storage, 'must be greater than zero')]
}

function source(reference: Json | undefined, field: string): FieldError[] {
  if (!reference) return []
  const kind = textAt(reference, 'kind')
  const group = textAt(reference, 'apiGroup')
  const namespace = textAt(reference, 'namespace')
  return [
    ...(textAt(reference, 'name') === '' ? [required(`${field}.name`)] : []),
    ...(kind === '' ? [required(`${field}.kind`)] : []),
    ...(group === '' && kind !== 'PersistentVolumeClaim'
      ? [invalid(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : subdomainName(group === '' ? 'a' : group, false).map((text) => invalid(`${field}.apiGroup`, group, text))),
    ...(namespace === ''
      ? []
      : labelName(namespace, false).map((text) => invalid(`${field}.namespace`, namespace, text))),
  ]
}

/** Whether two texts are the same amount; absent is zero. */
export function sameAmount(a: string | undefined, b: string | undefined): boolean {
  return sameQuantity(a ?? '0', b ?? '0')
}
