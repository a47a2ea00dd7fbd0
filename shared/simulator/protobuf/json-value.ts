import { assertNever } from '../../base/assert-never.ts'
import { setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import type { FieldType, MessageField, MessageType } from './message-types.ts'
import { messageType } from './message-types.ts'
import type { Slots, SlotValue } from './read-message.ts'
import { fieldsJson, intOrString, microTimeText, rawJson, timeText } from './special-values.ts'
import { ProtobufError } from './wire-reader.ts'

/**
 * What Go's `json.Marshal` writes of the struct that a message was read into: fields in Go's order, empty ones left out
 * or written as the tags say.
 *
 * @throws ProtobufError where Go cannot write the value
 */
export function structJson(type: MessageType, slots: Slots): JsonObject {
  const out: JsonObject = {}
  writeFields(type, slots, out)
  return out
}

function writeFields(type: MessageType, slots: Slots, out: JsonObject): void {
  for (const field of type.fields) {
    const value = slots[field.slot]
    if (field.name === '') writeInline(field.type, value, out)
    else {
      const json = fieldJson(field, value)
      if (json !== undefined) out[field.name] = json
    }
  }
}

function writeInline(type: FieldType, value: SlotValue | undefined, out: JsonObject): void {
  if (type.kind === 'message') {
    writeFields(messageType(type.name), value?.kind === 'message' ? value.slots : [], out)
  } else if (type.kind === 'pointer' && value !== undefined) writeInline(type.of, value, out)
}

/** Undefined where Go leaves the field out. */
function fieldJson({ type, omitEmpty, omitZero }: MessageField, value: SlotValue | undefined): unknown {
  switch (type.kind) {
    case 'pointer':
      return value === undefined ? (omitEmpty ? undefined : null) : valueJson(type.of, value)
    case 'list':
    case 'map':
      return value === undefined ? (omitEmpty ? undefined : null) : valueJson(type, value)
    case 'message':
      return messageField(messageType(type.name), value, omitEmpty, omitZero)
    case 'bytes': {
      const empty = value?.kind !== 'bytes' || value.value.length === 0
      if (empty && omitEmpty) return undefined
      return value === undefined ? null : valueJson(type, value)
    }
    default: {
      const json = valueJson(type, value)
      return omitEmpty && (json === '' || json === 0 || json === false) ? undefined : json
    }
  }
}

function messageField(
  message: MessageType,
  value: SlotValue | undefined,
  omitEmpty: boolean,
  omitZero: boolean,
): unknown {
  if (message.shape === 'strings') {
    const list = value === undefined ? null : messageJson(message, slotsOf(value))
    return omitEmpty && (list === null || (Array.isArray(list) && list.length === 0)) ? undefined : list
  }
  const json = messageJson(message, slotsOf(value))
  return omitZero && json === null ? undefined : json
}

function slotsOf(value: SlotValue | undefined): Slots {
  return value?.kind === 'message' ? value.slots : []
}

function valueJson(type: FieldType, value: SlotValue | undefined): unknown {
  switch (type.kind) {
    case 'string':
    case 'amount':
      return value?.kind === 'scalar' ? value.value : ''
    case 'bool':
      return value?.kind === 'scalar' ? value.value : false
    case 'int32':
    case 'int64':
      return value?.kind === 'scalar' ? value.value : 0
    case 'double':
      return finite(value?.kind === 'scalar' ? Number(value.value) : 0)
    case 'bytes':
      return value?.kind === 'bytes' ? value.value.toString('base64') : ''
    case 'message':
      return messageJson(messageType(type.name), slotsOf(value))
    case 'pointer':
      return valueJson(type.of, value)
    case 'list':
      return value?.kind === 'list' ? value.items.map((item) => valueJson(type.of, item)) : null
    case 'map':
      return value?.kind === 'map' ? mapJson(type.of, value.entries) : null
    default:
      return assertNever(type)
  }
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  throw new ProtobufError('value', `json: unsupported value: ${name}`)
}

function mapJson(of: FieldType, entries: ReadonlyMap<string, SlotValue>): JsonObject {
  const out: JsonObject = {}
  for (const [key, value] of entries) setOwn(out, key, valueJson(of, value))
  return out
}

function messageJson(type: MessageType, slots: Slots): unknown {
  switch (type.shape) {
    case 'struct':
      return structJson(type, slots)
    case 'quantity':
      return scalar(slots[0]) ?? '0'
    case 'intOrString':
      return intOrString(scalar(slots[0]), scalar(slots[1]), scalar(slots[2]))
    case 'time':
      return slots.length === 0 ? null : timeText(scalar(slots[0]))
    case 'microTime':
      return slots.length === 0 ? null : microTimeText(scalar(slots[0]), scalar(slots[1]))
    case 'json':
      return slots[0]?.kind === 'bytes' ? rawJson(slots[0].value) : null
    case 'fields':
      return slots[0]?.kind === 'bytes' ? fieldsJson(slots[0].value) : null
    case 'strings':
      return items(slots[0]).map((item) => valueJson({ kind: 'string' }, item))
    case 'schemaOrBool':
      return schemaJson(type, slots, 1) ?? scalar(slots[0]) ?? false
    case 'schemaOrList': {
      const list = items(slots[1])
      const of: FieldType = { kind: 'message', name: 'apiextensions/v1.JSONSchemaProps' }
      return list.length > 0 ? list.map((item) => valueJson(of, item)) : (schemaJson(type, slots, 0) ?? null)
    }
    case 'schemaOrStrings': {
      const list = items(slots[1])
      return list.length > 0
        ? list.map((item) => valueJson({ kind: 'string' }, item))
        : (schemaJson(type, slots, 0) ?? null)
    }
    default:
      return assertNever(type.shape)
  }
}

function scalar(value: SlotValue | undefined): string | number | boolean | undefined {
  return value?.kind === 'scalar' ? value.value : undefined
}

function items(value: SlotValue | undefined): readonly SlotValue[] {
  return value?.kind === 'list' ? value.items : []
}

/** The schema in one of the fields of JSONSchemaPropsOrBool and its kin. */
function schemaJson(type: MessageType, slots: Slots, slot: number): unknown {
  const field = type.fields[slot]
  const value = slots[slot]
  return field === undefined || value === undefined ? undefined : valueJson(field.type, value)
}
