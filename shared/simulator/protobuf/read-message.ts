import { assertNever } from '../../base/assert-never.ts'
import { formatQuantity, parseQuantity, QuantityError } from '../../fields/quantity.ts'
import type { FieldType, MessageField, MessageType } from './message-types.ts'
import { messageType } from './message-types.ts'
import { ProtobufError, WireReader, wireTypes } from './wire-reader.ts'

/** A message as read: at the place of each of its type's fields a value, undefined where the bytes had none. */
export type Slots = (SlotValue | undefined)[]

export type SlotValue =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean }
  | { readonly kind: 'bytes'; readonly value: Buffer }
  | { readonly kind: 'message'; readonly type: MessageType; readonly slots: Slots }
  | { readonly kind: 'list'; readonly items: SlotValue[] }
  | { readonly kind: 'map'; readonly entries: Map<string, SlotValue> }

/** The deepest nesting of messages that is read; JSON bodies have the same limit. */
const maximumDepth = 1_000

/**
 * Reads a message. A field met twice behaves as in Go: lists grow, messages merge, of the rest the last one counts.
 *
 * @throws ProtobufError
 */
export function readMessage(type: MessageType, bytes: Buffer): Slots {
  const slots: Slots = []
  readInto(type, slots, new WireReader(bytes, 0, bytes.length), 0)
  return slots
}

function readInto(type: MessageType, slots: Slots, reader: WireReader, depth: number): void {
  if (depth > maximumDepth) throw new ProtobufError('depth', 'exceeded max depth')
  while (!reader.done) {
    const start = reader.position
    const { number, wireType } = readTag(reader, type)
    const field = type.byNumber.get(number)
    if (field === undefined) reader.skip(start)
    else slots[field.slot] = readField(field, slots[field.slot], wireType, reader, depth) ?? slots[field.slot]
  }
}

function readTag(reader: WireReader, { name }: MessageType): { readonly number: number; readonly wireType: number } {
  reader.varint()
  const number = (reader.high << 29) | (reader.low >>> 3)
  const wireType = reader.low & 7
  if (wireType === wireTypes.endGroup) {
    throw new ProtobufError('group', `proto: ${name}: wiretype end group for non-group`)
  }
  if (number <= 0) {
    const wire = BigInt(reader.high) * 2n ** 32n + BigInt(reader.low)
    throw new ProtobufError('tag', `proto: ${name}: illegal tag ${number} (wire type ${wire})`)
  }
  return { number, wireType }
}

/** The new value of a field; undefined where it stays as it was (an empty packed list). */
function readField(
  { type, goName }: MessageField,
  before: SlotValue | undefined,
  wireType: number,
  reader: WireReader,
  depth: number,
): SlotValue | undefined {
  if (type.kind === 'list') {
    const items = before?.kind === 'list' ? before.items : []
    if (wireType === wireTypes.bytes && wireTypeOf(type.of) !== wireTypes.bytes) readPacked(type.of, items, reader)
    else {
      checkWireType(type.of, wireType, goName)
      items.push(readValue(type.of, undefined, reader, depth))
    }
    return items.length === 0 ? undefined : { kind: 'list', items }
  }
  checkWireType(type, wireType, goName)
  return readValue(type, before, reader, depth)
}

function checkWireType(type: FieldType, wireType: number, goName: string): void {
  if (wireType !== wireTypeOf(type)) {
    throw new ProtobufError('wireType', `proto: wrong wireType = ${wireType} for field ${goName}`)
  }
}

function wireTypeOf(type: FieldType): number {
  switch (type.kind) {
    case 'bool':
    case 'int32':
    case 'int64':
      return wireTypes.varint
    case 'double':
      return wireTypes.fixed64
    case 'pointer':
      return wireTypeOf(type.of)
    default:
      return wireTypes.bytes
  }
}

function readPacked(of: FieldType, items: SlotValue[], reader: WireReader): void {
  const end = reader.lengthEnd()
  while (reader.position < end) items.push(readValue(of, undefined, reader, 0))
}

function readValue(type: FieldType, before: SlotValue | undefined, reader: WireReader, depth: number): SlotValue {
  switch (type.kind) {
    case 'string':
      return { kind: 'scalar', value: reader.text() }
    case 'amount':
      return { kind: 'scalar', value: readAmount(reader) }
    case 'bool':
      return { kind: 'scalar', value: reader.bool() }
    case 'int32':
      return { kind: 'scalar', value: reader.int32() }
    case 'int64':
      return { kind: 'scalar', value: reader.int64() }
    case 'double':
      return { kind: 'scalar', value: reader.double() }
    case 'bytes':
      return { kind: 'bytes', value: reader.stretch() }
    case 'pointer':
      return readValue(type.of, before, reader, depth)
    case 'message':
      return readNested(messageType(type.name), before, reader, depth)
    case 'map':
      return readEntry(type.of, before, reader, depth)
    case 'list':
      throw new RangeError('a list cannot be the item of a list')
    default:
      return assertNever(type)
  }
}

/** @throws ProtobufError for what is no quantity */
function readAmount(reader: WireReader): string {
  try {
    return formatQuantity(parseQuantity(reader.text()))
  } catch (cause) {
    if (QuantityError.is(cause)) throw new ProtobufError('value', cause.message, { cause })
    throw cause
  }
}

function readNested(type: MessageType, before: SlotValue | undefined, reader: WireReader, depth: number): SlotValue {
  const end = reader.lengthEnd()
  const slots = slotsFor(type, before, end === reader.position)
  readInto(type, slots, new WireReader(reader.bytes, reader.position, end), depth + 1)
  reader.position = end
  return { kind: 'message', type, slots }
}

/** A time is read as a whole: the last one counts, and none of its bytes are Go's zero time, which has no slots. */
function slotsFor(type: MessageType, before: SlotValue | undefined, empty: boolean): Slots {
  if (type.shape === 'time' || type.shape === 'microTime') return empty ? [] : [undefined, undefined]
  return before?.kind === 'message' ? before.slots : []
}

/** One entry of a map: key 1, value 2, of which either may be missing. */
function readEntry(of: FieldType, before: SlotValue | undefined, reader: WireReader, depth: number): SlotValue {
  const entries = before?.kind === 'map' ? before.entries : new Map<string, SlotValue>()
  const end = reader.lengthEnd()
  let key = ''
  let value = emptyValue(of)
  while (reader.position < end) {
    const start = reader.position
    reader.varint()
    const number = (reader.high << 29) | (reader.low >>> 3)
    if (number === 1) key = reader.text()
    else if (number === 2) value = readValue(of, undefined, reader, depth)
    else {
      reader.skip(start)
      if (reader.position > end) throw new ProtobufError('end', 'unexpected EOF')
    }
  }
  reader.position = end
  entries.set(key, value)
  return { kind: 'map', entries }
}

function emptyValue(type: FieldType): SlotValue {
  switch (type.kind) {
    case 'message':
      return { kind: 'message', type: messageType(type.name), slots: [] }
    case 'bytes':
      return { kind: 'bytes', value: Buffer.alloc(0) }
    case 'bool':
      return { kind: 'scalar', value: false }
    case 'int32':
    case 'int64':
    case 'double':
      return { kind: 'scalar', value: 0 }
    default:
      return { kind: 'scalar', value: '' }
  }
}
