import { decodeAs, DecodeError } from '../kinds/codec.ts'
import { errorText, invalid, required } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { structNamed } from '../kinds/go-types.ts'
import { validateMetadata } from '../kinds/metadata.ts'
import { dns1035Label, pathSegmentName } from '../kinds/names.ts'
import { isObject, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import type { Structural } from './structural.ts'
import { childSchema } from './structural.ts'

/**
 * The value with the metadata of embedded objects read as metadata: what no metadata has goes, and `unknown` gathers its paths
 * (apiextensions `pkg/apiserver/schema/objectmeta`); the same value where nothing changes.
 *
 * @throws DecodeError for metadata of other types
 */
export function withEmbeddedMetadata(value: unknown, schema: Structural, unknown: string[], path = ''): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return value
    const next = value.map((item, i) => withEmbeddedMetadata(item, items, unknown, `${path}[${i}]`))
    return next.some((item, i) => item !== value[i]) ? next : value
  }
  if (!isObject(value)) return value
  let copy: JsonObject | undefined
  for (const [key, child] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`
    let next: unknown = schema.embeddedResource ? readTypeField(key, child, unknown, at) : child
    const known = childSchema(schema, key)
    if (known !== undefined) next = withEmbeddedMetadata(next, known, unknown, at)
    if (next !== child) setOwn((copy ??= { ...value }), key, next)
  }
  return copy ?? value
}

function readTypeField(key: string, value: unknown, unknown: string[], path: string): unknown {
  if (key === 'metadata') return readMetadata(value, unknown, path)
  if ((key === 'apiVersion' || key === 'kind') && typeof value !== 'string') {
    throw new DecodeError(errorText(invalid(path, inOrder(value), 'must be a string')))
  }
  return value
}

function readMetadata(value: unknown, unknown: string[], path: string): unknown {
  const struct = structNamed('meta/v1.ObjectMeta')
  try {
    const metadata = decodeAs(struct, value)
    if (isObject(value)) {
      unknown.push(...Object.keys(value).flatMap((key) => (struct.byName.has(key) ? [] : [`${path}.${key}`])))
    }
    return metadata
  } catch (error) {
    if (DecodeError.is(error))
      throw new DecodeError(errorText(invalid(path, inOrder(value), error.message)), { cause: error })
    throw error
  }
}

/** Data with its keys in order, as Go writes maps. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const key of Object.keys(value).sort()) setOwn(out, key, inOrder(value[key]))
  return out
}

/** Embedded resources must say what they are, and their metadata must be good. */
export function embeddedErrors(value: unknown, schema: Structural, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema
    return items === undefined ? [] : value.flatMap((item, i) => embeddedErrors(item, items, `${path}[${i}]`))
  }
  if (!isObject(value)) return []
  const own = schema.embeddedResource ? resourceErrors(value, path) : []
  const inner = Object.entries(value).flatMap(([key, child]) => {
    const known = childSchema(schema, key)
    return known === undefined ? [] : embeddedErrors(child, known, path === '' ? key : `${path}.${key}`)
  })
  return [...own, ...inner]
}

function resourceErrors(value: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const key of ['apiVersion', 'kind']) if (!Object.hasOwn(value, key)) errors.push(required(`${path}.${key}`))
  const { apiVersion, kind, metadata } = value
  if (apiVersion === '') errors.push(invalid(`${path}.apiVersion`, apiVersion, 'must not be empty'))
  else if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
  }
  if (typeof kind === 'string') errors.push(...kindErrors(kind, `${path}.kind`))
  if (isObject(metadata)) {
    const checked = metadata['name'] === undefined ? { ...metadata, name: 'fakename' } : metadata
    errors.push(...validateMetadata(checked, pathSegmentName, `${path}.metadata`))
  }
  return errors
}

function kindErrors(kind: string, field: string): FieldError[] {
  if (kind === '') return [invalid(field, kind, 'must not be empty')]
  const problems = dns1035Label(kind.toLowerCase())
  if (problems.length === 0) return []
  return [invalid(field, kind, `may have mixed case, but should otherwise match: ${problems.join(',')}`)]
}
