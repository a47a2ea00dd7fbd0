import { deducedSchema, draftSchema, untypedAtomic } from './schema.ts'
import type { EmptyRule, FieldSchema, ListSchema, MapSchema, Schema, SchemaCatalogue } from './schema.ts'
import { isMap, own } from './value.ts'
import type { JsonMap } from './value.ts'

/** OpenAPI definitions by name: v2 `definitions` or v3 `components.schemas`. */
export type Definitions = Readonly<Record<string, unknown>>

/** What OpenAPI v2 does not say about an API type written in Go. */
export interface GoFields {
  /** Definition -> letter -> field names: o n s d b are kept, e is dropped when empty, p and z when null. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Definition -> field -> its default. */
  readonly defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

interface Context {
  readonly definitions: Definitions
  readonly go: GoFields | undefined
  readonly built: Map<string, Schema>
  /** The fields of an embedded resource, whether its schema lists them or not. */
  readonly typeFields: ReadonlyMap<string, FieldSchema>
}

interface GoField {
  readonly empty: EmptyRule | undefined
  readonly default: unknown
}

const noGo: ReadonlyMap<string, GoField> = new Map()

/**
 * Makes types of OpenAPI definitions as kube-openapi's `schemaconv` does for kube-apiserver. Types are built when first asked for.
 * `go` fills in what v2 documents leave out.
 */
export function catalogueOf(definitions: Definitions, go?: GoFields): SchemaCatalogue {
  const context: Context = { definitions, go, built: new Map(), typeFields: new Map() }
  let kinds: Map<string, string> | undefined
  return {
    definition: (name) => (Object.hasOwn(definitions, name) ? named(context, name) : undefined),
    schemaFor(group, version, kind) {
      kinds ??= indexKinds(definitions)
      const name = kinds.get(`${group}/${version}/${kind}`)
      return name === undefined ? undefined : named(context, name)
    },
  }
}

/** What `schemaOf` needs beside the document. */
export interface SchemaOptions {
  readonly preserveUnknownFields: boolean
  /** The fields that every object and embedded resource has: apiVersion, kind, metadata. */
  readonly typeFields: ReadonlyMap<string, FieldSchema>
}

/** Makes one type of an OpenAPI schema that stands alone and refers to nothing, such as a CRD's. */
export function schemaOf(document: JsonMap, options: SchemaOptions): Schema {
  const context: Context = { definitions: {}, go: undefined, built: new Map(), typeFields: options.typeFields }
  return inline(context, { ...document, 'x-kubernetes-embedded-resource': true }, options.preserveUnknownFields)
}

function indexKinds(definitions: Definitions): Map<string, string> {
  const kinds = new Map<string, string>()
  for (const name of Object.keys(definitions)) {
    const definition = definitions[name]
    const list = isMap(definition) ? definition['x-kubernetes-group-version-kind'] : undefined
    if (!Array.isArray(list)) continue
    for (const gvk of list as { group?: string; version?: string; kind?: string }[]) {
      kinds.set(`${gvk.group ?? ''}/${gvk.version ?? ''}/${gvk.kind ?? ''}`, name)
    }
  }
  return kinds
}

const formatOfName: Readonly<Record<string, string>> = {
  'io.k8s.apimachinery.pkg.api.resource.Quantity': 'quantity',
  'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': 'micro-time',
}

const rawExtension = 'io.k8s.apimachinery.pkg.runtime.RawExtension'

/** Registered before it is filled: definitions refer to themselves. */
function named(context: Context, name: string): Schema {
  const known = context.built.get(name)
  if (known !== undefined) return known
  const draft = draftSchema(name)
  context.built.set(name, draft)
  const document = own(context.definitions, name)
  if (name === rawExtension)
    Object.assign(draft, { scalar: 'untyped', list: untypedAtomic.list, map: untypedAtomic.map })
  else if (formatOfName[name] === 'quantity') Object.assign(draft, { scalar: 'untyped', format: 'quantity' })
  else {
    fill(context, draft, isMap(document) ? document : {}, preserves(document), goFieldsOf(context, name))
    const format = formatOfName[name]
    if (format !== undefined) draft.format = format
  }
  return draft
}

function preserves(document: unknown): boolean {
  return isMap(document) && document['x-kubernetes-preserve-unknown-fields'] === true
}

/** A type used in place: a reference (maybe within a single allOf, maybe with its own map type) or an inlined type. */
function inline(context: Context, document: unknown, preserve: boolean): Schema {
  if (!isMap(document)) return deducedSchema
  const reference = referenceOf(document)
  if (reference !== undefined) {
    const target = named(context, reference)
    const relationship = mapRelationship(document)
    if (relationship === undefined || target.map === undefined) return target
    return { ...target, map: { ...target.map, relationship } }
  }
  const draft = draftSchema('')
  fill(context, draft, document, preserve || preserves(document), noGo)
  return draft
}

function referenceOf(document: JsonMap): string | undefined {
  let reference = document['$ref']
  const all = document['allOf']
  if (typeof reference !== 'string' && Array.isArray(all) && all.length === 1 && isMap(all[0]))
    reference = all[0]['$ref']
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined
}

type Draft = ReturnType<typeof draftSchema>

function fill(
  context: Context,
  draft: Draft,
  document: JsonMap,
  preserve: boolean,
  go: ReadonlyMap<string, GoField>,
): void {
  const declared = document['type']
  const type: unknown = Array.isArray(declared) ? declared[0] : declared
  if (typeof document['format'] === 'string') draft.format = document['format']
  if (document['x-kubernetes-int-or-string'] === true) draft.format = 'int-or-string'
  if (Array.isArray(document['enum'])) draft.enum = document['enum']
  if (type === undefined || type === '' || (draft.name !== '' && draft.format === 'int-or-string')) {
    draft.scalar = 'untyped'
    draft.list = listOf(context, document, preserve)
    draft.map = mapOf(context, document, preserve, go)
  } else if (type === 'object') draft.map = mapOf(context, document, preserve, go)
  else if (type === 'array') draft.list = listOf(context, document, preserve)
  else draft.scalar = scalarOf(type, draft.format)
}

function scalarOf(type: unknown, format: string | undefined): Schema['scalar'] {
  switch (type) {
    case 'integer':
    case 'number':
      return 'numeric'
    case 'boolean':
      return 'boolean'
    case 'string':
      return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped'
    default:
      return 'untyped'
  }
}

function mapRelationship(document: JsonMap): MapSchema['relationship'] | undefined {
  const type = document['x-kubernetes-map-type']
  if (type === 'atomic') return 'atomic'
  return type === 'granular' ? 'separable' : undefined
}

function mapOf(context: Context, document: JsonMap, preserve: boolean, go: ReadonlyMap<string, GoField>): MapSchema {
  const fields = new Map<string, FieldSchema>()
  const properties = isMap(document['properties']) ? document['properties'] : {}
  for (const name of Object.keys(properties)) {
    fields.set(name, fieldOf(context, properties[name], preserve, go.get(name)))
  }
  if (document['x-kubernetes-embedded-resource'] === true)
    for (const [name, field] of context.typeFields) fields.set(name, field)
  return {
    relationship: mapRelationship(document) ?? 'separable',
    fields,
    element: elementOfMap(context, document, preserve, fields.size === 0),
  }
}

function elementOfMap(context: Context, document: JsonMap, preserve: boolean, free: boolean): Schema | undefined {
  const additional = document['additionalProperties']
  if (additional === undefined) return preserve || free ? deducedSchema : undefined
  if (isMap(additional)) return inline(context, additional, preserve)
  return additional === true ? deducedSchema : undefined
}

function fieldOf(context: Context, document: unknown, preserve: boolean, go: GoField | undefined): FieldSchema {
  const property = isMap(document) ? document : {}
  const strategy = property['x-kubernetes-patch-strategy']
  const mergeKey = property['x-kubernetes-patch-merge-key']
  return {
    schema: inline(context, property, preserve),
    default: property['default'] ?? go?.default,
    empty: go?.empty,
    patchStrategies: typeof strategy === 'string' ? strategy.split(',') : [],
    patchMergeKey: typeof mergeKey === 'string' ? mergeKey : undefined,
  }
}

function listOf(context: Context, document: JsonMap, preserve: boolean): ListSchema {
  const items = document['items']
  const element = items === undefined ? untypedAtomic : inline(context, items, preserve)
  return { ...listRelationship(document), element }
}

const atomicList = { relationship: 'atomic', keys: [] } as const

/** Documents without list types (CRDs never) fall back to the strategic merge patch markers, as schemaconv does. */
function listRelationship(document: JsonMap): { relationship: ListSchema['relationship']; keys: readonly string[] } {
  const type = document['x-kubernetes-list-type']
  if (type === 'set') return { relationship: 'associative', keys: [] }
  if (type === 'map') {
    const keys = document['x-kubernetes-list-map-keys']
    return Array.isArray(keys) ? { relationship: 'associative', keys: keys.map(String) } : atomicList
  }
  if (type !== undefined) return atomicList
  const strategy = document['x-kubernetes-patch-strategy']
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return atomicList
  const key = document['x-kubernetes-patch-merge-key']
  return { relationship: 'associative', keys: typeof key === 'string' ? [key] : [] }
}

const emptyRules: Readonly<Record<string, EmptyRule>> = {
  e: 'dropped-when-empty',
  p: 'dropped-when-null',
  z: 'dropped-when-null',
}
const zeroDefaults: Readonly<Record<string, unknown>> = { s: '', d: 0, b: false }

function goFieldsOf(context: Context, name: string): ReadonlyMap<string, GoField> {
  const letters = context.go?.fields[name]
  if (letters === undefined) return noGo
  const defaults = context.go?.defaults[name]
  const fields = new Map<string, GoField>()
  for (const [letter, names] of Object.entries(letters)) {
    for (const field of names.split(' ')) {
      fields.set(field, { empty: emptyRules[letter] ?? 'kept', default: defaults?.[field] ?? zeroDefaults[letter] })
    }
  }
  return fields
}
