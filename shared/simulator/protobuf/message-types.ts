import table from '../../kubernetes/protobuf-v1.36.json' with { type: 'json' }

/** How JSON shows a message; all but `struct` have a form of their own there. */
export type MessageShape =
  | 'struct'
  | 'quantity'
  | 'intOrString'
  | 'time'
  | 'microTime'
  | 'fields'
  | 'json'
  | 'strings'
  | 'schemaOrBool'
  | 'schemaOrList'
  | 'schemaOrStrings'

/** The Go type of a field, which says both how it is read off the wire and how JSON shows it. */
export type FieldType =
  | { readonly kind: 'string' | 'amount' | 'bool' | 'int32' | 'int64' | 'double' | 'bytes' }
  | { readonly kind: 'message'; readonly name: string }
  | { readonly kind: 'pointer' | 'list' | 'map'; readonly of: FieldType }

export interface MessageField {
  /** In JSON; empty where the fields of this message stand in its parent. */
  readonly name: string
  readonly goName: string
  readonly number: number
  readonly type: FieldType
  readonly omitEmpty: boolean
  readonly omitZero: boolean
  /** Its place among the fields. */
  readonly slot: number
}

export interface MessageType {
  /** The Go name, as errors call it. */
  readonly name: string
  readonly shape: MessageShape
  /** In the order in which Go writes them. */
  readonly fields: readonly MessageField[]
  readonly byNumber: ReadonlyMap<number, MessageField>
}

const kinds: ReadonlyMap<string, string> = new Map(Object.entries(table.kinds))
const generated: ReadonlyMap<string, string> = new Map(Object.entries(table.messages))

/** The messages with a form of their own in JSON, and the envelope: apimachinery `pkg/runtime`, `pkg/api/resource` ... */
const special: ReadonlyMap<string, readonly [MessageShape, string]> = new Map([
  ['Unknown', ['struct', 'typeMeta 1.TypeMeta, raw 2y, contentEncoding 3s, contentType 4s']],
  ['TypeMeta', ['struct', 'apiVersion 1s APIVersion, kind 2s']],
  ['Quantity', ['quantity', 'string 1a String_']],
  ['IntOrString', ['intOrString', 'type 1l, intVal 2i, strVal 3s']],
  ['Time', ['time', 'seconds 1l, nanos 2i']],
  ['MicroTime', ['microTime', 'seconds 1l, nanos 2i']],
  ['FieldsV1', ['fields', 'raw 1y']],
  ['RawExtension', ['json', 'raw 1y']],
  ['JSON', ['json', 'raw 1y']],
  ['ExtraValue', ['strings', 'items 1[s']],
])

const shapes: ReadonlyMap<string, MessageShape> = new Map([
  ['apiextensions/v1.JSONSchemaPropsOrBool', 'schemaOrBool'],
  ['apiextensions/v1.JSONSchemaPropsOrArray', 'schemaOrList'],
  ['apiextensions/v1.JSONSchemaPropsOrStringArray', 'schemaOrStrings'],
])

const letters: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ['s', { kind: 'string' }],
  ['a', { kind: 'amount' }],
  ['b', { kind: 'bool' }],
  ['i', { kind: 'int32' }],
  ['l', { kind: 'int64' }],
  ['d', { kind: 'double' }],
  ['y', { kind: 'bytes' }],
  ['q', { kind: 'message', name: 'Quantity' }],
  ['o', { kind: 'message', name: 'IntOrString' }],
  ['t', { kind: 'message', name: 'Time' }],
  ['m', { kind: 'message', name: 'MicroTime' }],
  ['f', { kind: 'message', name: 'FieldsV1' }],
  ['r', { kind: 'message', name: 'RawExtension' }],
  ['j', { kind: 'message', name: 'JSON' }],
  ['x', { kind: 'message', name: 'ExtraValue' }],
])

const parsed = new Map<string, MessageType>()

/** The message of a kind; DeleteOptions belongs to every group. Undefined where there is no such kind. */
export function messageOfKind(apiVersion: string, kind: string): MessageType | undefined {
  const name = kinds.get(`${apiVersion} ${kind}`) ?? (kind === 'DeleteOptions' ? kinds.get(kind) : undefined)
  return name === undefined ? undefined : messageType(name)
}

/** The only version of a kind, where just one group has it: `policy/v1` of Eviction. */
export function onlyVersionOf(kind: string): string | undefined {
  const found = [...kinds.keys()].filter((key) => key.endsWith(` ${kind}`))
  return found.length === 1 ? found[0]?.slice(0, -kind.length - 1) : undefined
}

/** A message by its name in the table, such as `core/v1.PodSpec`; parsed when it is first met. */
export function messageType(name: string): MessageType {
  let type = parsed.get(name)
  if (type === undefined) {
    const [shape, text] = special.get(name) ?? [shapes.get(name) ?? 'struct', generated.get(name)]
    if (text === undefined) throw new RangeError(`no protobuf message ${name}`)
    type = parseMessage(name, shape, text)
    parsed.set(name, type)
  }
  return type
}

function parseMessage(name: string, shape: MessageShape, text: string): MessageType {
  const fields = text === '' ? [] : text.split(', ').map(parseField)
  const goName = shape === 'time' || shape === 'microTime' ? 'Timestamp' : name.slice(name.lastIndexOf('.') + 1)
  return { name: goName, shape, fields, byNumber: new Map(fields.map((field) => [field.number, field])) }
}

/** `deletionTimestamp? 9*t` or `uid? 5s UID`: JSON name and flags, number and type, the Go name where it differs. */
function parseField(text: string, slot: number): MessageField {
  const match = /^([^ ?!]*)(\??)(!?) (\d+)([^ ]+)(?: (.+))?$/.exec(text)
  if (match === null) throw new SyntaxError(`protobuf table: ${text}`)
  const [, name = '', omitEmpty, omitZero, number, type = '', goName] = match
  return {
    name,
    goName: goName ?? name.charAt(0).toUpperCase() + name.slice(1),
    number: Number(number),
    type: parseType(type),
    omitEmpty: omitEmpty === '?',
    omitZero: omitZero === '!',
    slot,
  }
}

function parseType(text: string): FieldType {
  const rest = text.slice(1)
  switch (text.charAt(0)) {
    case '*':
      return { kind: 'pointer', of: parseType(rest) }
    case '[':
      return { kind: 'list', of: parseType(rest) }
    case '{':
      return { kind: 'map', of: parseType(rest) }
    case '.':
      return { kind: 'message', name: rest }
    default: {
      const type = letters.get(text)
      if (type === undefined) throw new SyntaxError(`protobuf table: ${text}`)
      return type
    }
  }
}
