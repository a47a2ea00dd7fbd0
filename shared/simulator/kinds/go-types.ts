import data from './go-types-v1.36.json' with { type: 'json' }

/** A Go type as it stands in a field of an API struct; `name` is what Go prints of it in a decoding error. */
export type GoType =
  | { readonly kind: 'string' | 'bool' | 'int' | 'float'; readonly name: string }
  | { readonly kind: 'bytes' | 'quantity' | 'intstr' | 'time' | 'microtime' | 'duration' | 'raw' }
  | { readonly kind: 'pointer'; readonly of: GoType }
  | { readonly kind: 'slice' | 'map'; readonly of: GoType; readonly name: string }
  | { readonly kind: 'struct'; readonly of: GoStruct }

export interface GoField {
  /** The name in JSON. */
  readonly json: string
  /** The same after the names of the embedded structs that it stands in, as decoding errors have it. */
  readonly shown: string
  /** The name in Go. */
  readonly go: string
  /** Tagged omitempty. */
  readonly omitEmpty: boolean
  /** Tagged omitzero. */
  readonly omitZero: boolean
  readonly type: GoType
}

export interface GoStruct {
  readonly name: string
  /** In the order of the declaration, embedded structs inlined. */
  readonly fields: readonly GoField[]
  readonly byName: ReadonlyMap<string, GoField>
}

interface Catalogue {
  readonly kinds: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, string>>
}

/**
 * The Go structs behind the built-in kinds, made by reflection over `k8s.io/kubernetes` v1.36.2: each field's JSON name, tags,
 * type and, where it is not the JSON name with a capital, Go name; types under `internal/` are those of `pkg/apis`, which some
 * messages print.
 */
const catalogue: Catalogue = data
const structs = new Map<string, GoStruct>()

/** The struct of a kind, or undefined where the kind is not built in. */
export function structOfKind(apiVersion: string, kind: string): GoStruct | undefined {
  const { kinds } = catalogue
  const key = `${apiVersion} ${kind}`
  const name = Object.hasOwn(kinds, key) ? kinds[key] : undefined
  return name === undefined ? undefined : structNamed(name)
}

/** The struct of a name such as `core/v1.PodSpec`; throws where there is none. */
export function structNamed(name: string): GoStruct {
  const known = structs.get(name)
  if (known) return known
  const text = catalogue.types[name]
  if (text === undefined) throw new Error(`no Go struct ${name}`)
  let fields: GoField[] | undefined
  let byName: Map<string, GoField> | undefined
  const struct: GoStruct = {
    name,
    get fields() {
      return (fields ??= text === '' ? [] : text.split(', ').map(parseField))
    },
    get byName() {
      return (byName ??= new Map(this.fields.map((field) => [field.json, field])))
    },
  }
  structs.set(name, struct)
  return struct
}

function parseField(text: string): GoField {
  const [shown = '', tagged = '', go] = text.split(' ')
  const json = shown.slice(shown.lastIndexOf('.') + 1)
  const flags = /^\??!?/.exec(tagged)?.[0] ?? ''
  return {
    json,
    shown,
    go: go ?? json.charAt(0).toUpperCase() + json.slice(1),
    omitEmpty: flags.includes('?'),
    omitZero: flags.includes('!'),
    type: parseType(tagged.slice(flags.length)),
  }
}

function parseType(text: string): GoType {
  if (text.startsWith('*')) return { kind: 'pointer', of: parseType(text.slice(1)) }
  if (text.startsWith('[]') || text.startsWith('{}')) {
    const kind = text.startsWith('[]') ? 'slice' : 'map'
    const tilde = text.lastIndexOf('~')
    const of = parseType(text.slice(2, tilde < 0 ? undefined : tilde))
    const prefix = kind === 'slice' ? '[]' : 'map[string]'
    return { kind, of, name: tilde < 0 ? `${prefix}${goName(of)}` : text.slice(tilde + 1) }
  }
  const [base = '', alias] = text.split('=')
  switch (base) {
    case 'string':
    case 'bool':
      return { kind: base, name: alias ?? base }
    case 'int':
    case 'int32':
    case 'int64':
    case 'uint32':
    case 'uint64':
    case 'uint8':
      return { kind: 'int', name: alias ?? base }
    case 'float32':
    case 'float64':
      return { kind: 'float', name: alias ?? base }
    case 'bytes':
    case 'quantity':
    case 'intstr':
    case 'time':
    case 'microtime':
    case 'duration':
    case 'raw':
      return { kind: base }
    default:
      return { kind: 'struct', of: structNamed(base) }
  }
}

const opaqueNames: Readonly<Record<string, string>> = {
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intstr: 'intstr.IntOrString',
  time: 'v1.Time',
  microtime: 'v1.MicroTime',
  duration: 'v1.Duration',
  raw: 'runtime.RawExtension',
}

/** A type as Go prints it in an error: `int32`, `v1.PodSpec`, `[]v1.Container`. */
export function goName(type: GoType): string {
  if (type.kind === 'pointer') return goName(type.of)
  if (type.kind === 'struct') return type.of.name.slice(type.of.name.lastIndexOf('/') + 1)
  return 'name' in type ? type.name : (opaqueNames[type.kind] ?? type.kind)
}
