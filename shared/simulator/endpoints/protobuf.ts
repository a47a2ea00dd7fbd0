import data from '../../kubernetes/protobuf-v1.36.json' with { type: 'json' }
import { rfc3339, rfc3339Micro } from '../clock.ts'
import { badRequest } from '../errors.ts'
import { isObject, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'

interface Field {
  readonly name: string
  /** `s` text, `b` boolean, `i`, `u` numbers, `y` bytes, `.X` a message, `~X` one whose fields stand in ours. */
  readonly type: string
  readonly shape: 'one' | 'list' | 'map'
}

type Message = ReadonlyMap<number, Field>

const messages = new Map<string, Message>()
const texts: Readonly<Record<string, string>> = data.messages
const kinds: Readonly<Record<string, string>> = data.kinds

/** Four bytes in front of every object that Kubernetes sends as protobuf. */
const magic = Buffer.from('k8s\0')

function messageOf(name: string): Message {
  const known = messages.get(name)
  if (known !== undefined) return known
  const text = Object.hasOwn(texts, name) ? (texts[name] ?? '') : ''
  const fields = text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [number = '0', field = '', type = ''] = part.split(':')
      const shape = type.startsWith('[]') ? 'list' : type.startsWith('{}') ? 'map' : 'one'
      return [Number(number), { name: field, type: shape === 'one' ? type : type.slice(2), shape }] as const
    })
  const message = new Map(fields)
  messages.set(name, message)
  return message
}

/**
 * Reads an object that a Go client sent as `application/vnd.kubernetes.protobuf` (apimachinery
 * `pkg/runtime/serializer/protobuf`): an envelope with its kind, then the object by field numbers.
 *
 * @throws StatusError 400 for anything else, kinds that are not built in included.
 */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.subarray(0, 4).equals(magic)) {
    throw badRequest('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]')
  }
  try {
    let apiVersion = ''
    let kind = ''
    let raw: Buffer = Buffer.alloc(0)
    for (const { field, value } of entriesOf(buffer.subarray(4))) {
      if (field === 2 && Buffer.isBuffer(value)) raw = value
      if (field !== 1 || !Buffer.isBuffer(value)) continue
      for (const type of entriesOf(value)) {
        if (type.field === 1) apiVersion = String(type.value)
        if (type.field === 2) kind = String(type.value)
      }
    }
    const name = kind === 'DeleteOptions' ? kinds['v1 DeleteOptions'] : kinds[`${apiVersion} ${kind}`]
    if (name === undefined) throw new RangeError(`no kind ${kind} in ${apiVersion}`)
    const object = readMessage(raw, name)
    return isObject(object) ? { ...object, apiVersion, kind } : { apiVersion, kind }
  } catch (error) {
    if (error instanceof RangeError) throw badRequest(`unable to decode protobuf: ${error.message}`)
    throw error
  }
}

interface Entry {
  readonly field: number
  /** Bytes of what has a length, a number of everything else. */
  readonly value: Buffer | bigint
}

function* entriesOf(buffer: Buffer): Iterable<Entry> {
  const cursor = { at: 0 }
  while (cursor.at < buffer.length) {
    const key = Number(readVarint(buffer, cursor))
    const field = key >>> 3
    switch (key & 7) {
      case 0:
        yield { field, value: readVarint(buffer, cursor) }
        break
      case 1:
        yield { field, value: buffer.readBigUInt64LE(cursor.at) }
        cursor.at += 8
        break
      case 2: {
        const length = Number(readVarint(buffer, cursor))
        if (length > buffer.length - cursor.at) throw new RangeError('unexpected EOF')
        yield { field, value: buffer.subarray(cursor.at, cursor.at + length) }
        cursor.at += length
        break
      }
      case 5:
        yield { field, value: BigInt(buffer.readUInt32LE(cursor.at)) }
        cursor.at += 4
        break
      default:
        throw new RangeError(`illegal wireType ${key & 7}`)
    }
  }
}

function readVarint(buffer: Buffer, cursor: { at: number }): bigint {
  let result = 0n
  for (let shift = 0n; shift < 70n; shift += 7n) {
    const byte = buffer[cursor.at++]
    if (byte === undefined) throw new RangeError('unexpected EOF')
    result |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return BigInt.asIntN(64, result)
  }
  throw new RangeError('integer overflow')
}

/** Messages that JSON writes as something other than an object. */
const special: Readonly<Record<string, (fields: JsonObject) => unknown>> = {
  'meta.v1.Time': (fields) => timeText(fields, rfc3339),
  'meta.v1.MicroTime': (fields) => timeText(fields, rfc3339Micro),
  'api.resource.Quantity': (fields) => fields['string'],
  'util.intstr.IntOrString': (fields) => (fields['type'] === 1 ? (fields['strVal'] ?? '') : (fields['intVal'] ?? 0)),
  'meta.v1.FieldsV1': (fields) => rawJson(fields['Raw']),
  'runtime.RawExtension': (fields) => rawJson(fields['raw']),
  'authentication.v1.ExtraValue': (fields) => fields['items'] ?? [],
  'authorization.v1.ExtraValue': (fields) => fields['items'] ?? [],
  'certificates.v1.ExtraValue': (fields) => fields['items'] ?? [],
}

function timeText(fields: JsonObject, format: (ms: number) => string): unknown {
  const { seconds, nanos } = fields
  if (typeof seconds !== 'number') return null
  return format(seconds * 1_000 + (typeof nanos === 'number' ? nanos / 1e6 : 0))
}

function rawJson(value: unknown): unknown {
  return typeof value === 'string' && value !== '' ? JSON.parse(Buffer.from(value, 'base64').toString('utf8')) : null
}

function readMessage(buffer: Buffer, name: string): unknown {
  const message = messageOf(name)
  const result: JsonObject = {}
  for (const { field, value } of entriesOf(buffer)) {
    const known = message.get(field)
    if (known === undefined) continue
    if (known.type.startsWith('~')) {
      const inlined = Buffer.isBuffer(value) ? readMessage(value, known.type.slice(1)) : {}
      if (isObject(inlined)) Object.assign(result, inlined)
      continue
    }
    addField(result, known, value)
  }
  const convert = Object.hasOwn(special, name) ? special[name] : undefined
  return convert === undefined ? result : convert(result)
}

function addField(result: JsonObject, { name, type, shape }: Field, value: Buffer | bigint): void {
  if (shape === 'one') setOwn(result, name, readValue(type, value))
  else if (shape === 'list') {
    const list = result[name]
    if (Array.isArray(list)) list.push(readValue(type, value))
    else result[name] = [readValue(type, value)]
  } else if (Buffer.isBuffer(value)) {
    const map = isObject(result[name]) ? result[name] : {}
    result[name] = map
    let key = ''
    let read: unknown = type === 's' || type === 'y' ? '' : {}
    for (const entry of entriesOf(value)) {
      if (entry.field === 1) key = String(entry.value)
      if (entry.field === 2) read = readValue(type, entry.value)
    }
    setOwn(map, key, read)
  }
}

function readValue(type: string, value: Buffer | bigint): unknown {
  if (Buffer.isBuffer(value)) {
    if (type === 's') return value.toString('utf8')
    if (type === 'y') return value.toString('base64')
    return type.startsWith('.') ? readMessage(value, type.slice(1)) : undefined
  }
  if (type === 'b') return value !== 0n
  if (type !== 'd') return Number(value)
  const bits = Buffer.alloc(8)
  bits.writeBigUInt64LE(BigInt.asUintN(64, value))
  return bits.readDoubleLE()
}
