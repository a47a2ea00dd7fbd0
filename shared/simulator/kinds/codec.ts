import type { KubeObject } from '../object.ts'
import { assertNever } from '../../base/assert-never.ts'
import { isObject, setOwn } from '../object.ts'
import { canonicalQuantity, QuantityError } from '../../fields/quantity.ts'
import { timedOut } from '../errors.ts'
import { decodeBytes, decodeDuration, decodeTime } from './scalars.ts'
import type { GoField, GoStruct, GoType } from './go-types.ts'
import { goName, structOfKind } from './go-types.ts'
import { noteEmpty } from './json.ts'

/** A body that Go's decoder refuses; the message is what follows `cannot be handled as a Deployment: `. */
export class DecodeError extends Error {
  /** What a type with a decoder of its own says where nobody told it which field it reads. */
  readonly alone: string | undefined
  /** The Go kind under a type that has a name of its own: `string`, `int32`; undefined where a structure was wanted. */
  readonly basic: string | undefined

  constructor(
    message: string,
    options: { readonly cause?: unknown; readonly alone?: string; readonly basic?: string | undefined } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.alone = options.alone
    this.basic = options.basic
  }

  static is(error: unknown): error is DecodeError {
    return error instanceof DecodeError
  }
}

export interface Decoded {
  /** A private copy in canonical form: as Go would write what it read. */
  readonly object: KubeObject
  /** Texts of strict decoding: `unknown field "spec.bogus"`. */
  readonly strict: readonly string[]
}

/** Go's decoder keeps no more complaints than this (`sigs.k8s.io/json`). */
const mostStrict = 100

/**
 * The most structs that one body is read into. Nothing so large can be stored (etcd takes 1.5 MB); kube-apiserver works on it
 * until its time is over.
 */
const mostStructs = 200_000

interface Reading {
  readonly strict: string[]
  structs: number
  /** The first type error; the decoder goes on after one and reports it at the end. */
  failure: DecodeError | undefined
}

/**
 * Reads a built-in kind as kube-apiserver does and gives it back as it would be written: unknown fields dropped, quantities,
 * times and base64 rewritten, empty lists, maps and zero values left out where Go's tags say so, nil as `null` elsewhere. An
 * object of another kind comes back as it is. Throws {@link DecodeError}.
 */
export function decodeObject(o: KubeObject): Decoded {
  const struct = structOfKind(o.apiVersion, o.kind)
  if (!struct) return { object: o, strict: [] }
  const reading: Reading = { strict: [], structs: 0, failure: undefined }
  const object = readStruct(struct, o, '', '', '', reading)
  if (reading.failure) throw reading.failure
  return { object: object as unknown as KubeObject, strict: reading.strict }
}

/** Reads a value of a named struct, such as `core/v1.PodTemplateSpec`, the same way. */
export function decodeAs(struct: GoStruct, value: unknown): Record<string, unknown> {
  const reading: Reading = { strict: [], structs: 0, failure: undefined }
  const read = readStruct(struct, value, '', '', '', reading)
  if (reading.failure) throw reading.failure
  return read
}

/**
 * `shown` is the path with indexes, for strict errors; `path` the one of type errors, which knows only fields.
 */
function readStruct(
  struct: GoStruct,
  value: unknown,
  parent: string,
  shown: string,
  path: string,
  reading: Reading,
): Record<string, unknown> {
  if (++reading.structs > mostStructs) throw timedOut()
  const out: Record<string, unknown> = {}
  const given = isObject(value) ? value : {}
  if (value !== undefined && value !== null && !isObject(value)) {
    fail(reading, parent, path, { kind: 'struct', of: struct }, value)
  }
  const values = new Map<string, unknown>()
  for (const [key, raw] of Object.entries(given)) {
    const field = struct.byName.get(key)
    if (field) values.set(key, readField(struct, field, raw, shown, path, reading))
    else if (reading.strict.length < mostStrict) reading.strict.push(`unknown field "${shown}${key}"`)
  }
  for (const field of struct.fields) {
    const { json } = field
    const read = values.has(json) ? values.get(json) : readField(struct, field, undefined, shown, path, reading)
    if (read !== undefined) out[json] = read
    else if (isEmptyContainer(field.type, given[json])) noteEmpty(out, json, given[json])
  }
  return out
}

/** Types that are structs in Go, which it never takes for empty. */
const structs: ReadonlySet<GoType['kind']> = new Set(['struct', 'time', 'microtime', 'quantity', 'intstr'])

function readField(
  struct: GoStruct,
  field: GoField,
  raw: unknown,
  shown: string,
  path: string,
  reading: Reading,
): unknown {
  if (raw === undefined && field.omitEmpty && !structs.has(field.type.kind)) return undefined
  const fieldPath = path === '' ? field.shown : `${path}.${field.shown}`
  const read = readValue(field.type, raw, struct.name, shown + field.json, fieldPath, reading)
  const empty = read === null || read === '' || read === 0 || read === false || isEmptyContainer(field.type, read)
  if (!empty) return read
  if (field.omitZero && read === null) return undefined
  if (!field.omitEmpty) return read
  return keptThoughEmpty(field.type, read) ? read : undefined
}

function isEmptyContainer(type: GoType, read: unknown): boolean {
  if (type.kind === 'slice') return Array.isArray(read) && read.length === 0
  return type.kind === 'map' && isObject(read) && Object.keys(read).length === 0
}

/** What Go's omitempty does not drop: structs (times and amounts are structs too) and what a pointer points to. */
function keptThoughEmpty(type: GoType, read: unknown): boolean {
  switch (type.kind) {
    case 'pointer':
      return read !== null
    case 'time':
    case 'microtime':
    case 'quantity':
    case 'intstr':
      return true
    default:
      return false
  }
}

function readValue(type: GoType, raw: unknown, struct: string, shown: string, path: string, reading: Reading): unknown {
  switch (type.kind) {
    case 'pointer':
      return raw === null || raw === undefined ? null : readValue(type.of, raw, struct, shown, path, reading)
    case 'struct':
      return readStruct(type.of, raw, struct, `${shown}.`, path, reading)
    case 'slice':
      if (raw === null || raw === undefined) return null
      if (!Array.isArray(raw)) return fail(reading, struct, path, type, raw)
      return raw.map((item, i) => readValue(type.of, item, struct, `${shown}[${i}]`, path, reading))
    case 'map':
      if (raw === null || raw === undefined) return null
      if (!isObject(raw)) return fail(reading, struct, path, type, raw)
      return readMap(type.of, raw, struct, shown, path, reading)
    default:
      return readScalar(type, raw, struct, path, reading)
  }
}

function readMap(
  of: GoType,
  raw: Record<string, unknown>,
  struct: string,
  shown: string,
  path: string,
  reading: Reading,
): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const key of Object.keys(raw).sort()) {
    setOwn(out, key, readValue(of, raw[key], struct, `${shown}.${key}`, path, reading))
  }
  return out
}

function readScalar(
  type: Exclude<GoType, { kind: 'pointer' | 'struct' | 'slice' | 'map' }>,
  raw: unknown,
  struct: string,
  path: string,
  reading: Reading,
): unknown {
  const absent = raw === null || raw === undefined
  switch (type.kind) {
    case 'string':
      return absent ? '' : typeof raw === 'string' ? raw : fail(reading, struct, path, type, raw)
    case 'bool':
      return absent ? false : typeof raw === 'boolean' ? raw : fail(reading, struct, path, type, raw)
    case 'int':
      return absent ? 0 : fits(type.name, raw) ? raw : fail(reading, struct, path, type, raw)
    case 'float':
      return absent ? 0 : typeof raw === 'number' ? raw : fail(reading, struct, path, type, raw)
    case 'raw':
      return absent ? null : raw
    case 'bytes':
      return absent ? '' : typeof raw === 'string' ? readBytes(raw, reading) : fail(reading, struct, path, type, raw)
    case 'quantity':
      return absent ? '0' : refusing(() => canonicalQuantity(typeof raw === 'number' ? raw : quantityText(raw)))
    case 'intstr':
      return absent ? 0 : readIntOrString(raw, struct, path)
    case 'time':
    case 'microtime':
      return absent ? null : refusing(() => decodeTime(raw, type.kind === 'microtime'))
    case 'duration':
      return absent ? '0s' : refusing(() => decodeDuration(raw))
    default:
      return assertNever(type)
  }
}

function quantityText(raw: unknown): string {
  return typeof raw === 'string' ? raw : JSON.stringify(raw)
}

function fits(name: string, raw: unknown): boolean {
  if (typeof raw !== 'number' || !Number.isInteger(raw)) return false
  if (name.endsWith('64')) return Math.abs(raw) <= 2 ** 63
  return raw <= 2 ** 31 - 1 && raw >= -(2 ** 31)
}

/** The type reads itself, so that what it refuses ends the reading. */
function readIntOrString(raw: unknown, struct: string, path: string): unknown {
  if (typeof raw === 'string') return raw
  if (typeof raw === 'number' && fits('int32', raw)) return raw
  const type = { kind: 'int', name: 'int32' } as const
  throw new DecodeError(unfit(struct, path, type, raw), { alone: unfit(struct, '', type, raw) })
}

function readBytes(raw: string, reading: Reading): string {
  try {
    return decodeBytes(raw)
  } catch (error) {
    reading.failure ??= new DecodeError(error instanceof Error ? error.message : String(error), { cause: error })
    return ''
  }
}

/** Turns the refusal of a type with a decoder of its own into ours; such an error ends the reading. */
function refusing<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (QuantityError.is(error) && error.reason === 'size') throw timedOut()
    throw new DecodeError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

function fail(reading: Reading, struct: string, path: string, type: GoType, raw: unknown): null {
  reading.failure ??= new DecodeError(unfit(struct, path, type, raw), { basic: basicKind(type) })
  return null
}

function basicKind(type: GoType): string | undefined {
  if (type.kind === 'string' || type.kind === 'bool') return type.kind
  return type.kind === 'int' || type.kind === 'float' ? type.name : undefined
}

function unfit(struct: string, path: string, type: GoType, raw: unknown): string {
  const name = struct.slice(struct.lastIndexOf('.') + 1)
  const what = jsonWord(raw, type.kind === 'int' || type.kind === 'float')
  const where =
    path === '' ? `Go value of type ${goName(type)}` : `Go struct field ${name}.${path} of type ${goName(type)}`
  return `json: cannot unmarshal ${what} into ${where}`
}

function jsonWord(raw: unknown, exact: boolean): string {
  if (Array.isArray(raw)) return 'array'
  if (typeof raw === 'number') return exact ? `number ${raw}` : 'number'
  if (typeof raw === 'boolean') return 'bool'
  return typeof raw === 'string' ? 'string' : 'object'
}
