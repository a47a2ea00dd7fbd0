/**
 * Structured merge diff: who owns which field of a Kubernetes object, and what a server-side apply makes of it. Pure data in,
 * data out; the rules are those of sigs.k8s.io/structured-merge-diff v6 as kube-apiserver v1.36 uses it.
 *
 * - `schema.ts` (here): the type of a value. `openapi-schema.ts` makes types of OpenAPI definitions, `crd-schema.ts` of a CRD.
 * - `path.ts`: one step of a path is a string in the FieldsV1 spelling (`f:spec`, `k:{"name":"web"}`, `v:"x"`, `i:0`).
 * - `field-set.ts`: a set of paths as a tree, with its algebra; `fields-v1.ts` reads and writes it as `managedFields` do.
 * - `object-set.ts`: the paths a value names. `validate.ts`: does a value fit its type.
 * - `merge.ts`, `compare.ts`, `remove.ts`: config over live, what differs, a value without some paths.
 * - `meaning.ts`: do two values mean the same. `shape.ts`: which of its shapes a type shows a value.
 * - `reconcile-schema.ts`: a stored set brought up to a schema that changed. `resolve.ts`: from a path to value and JSON pointer.
 * - `managed-fields.ts`: the entries of `metadata.managedFields`. `quantity.ts`: resource quantities, exact.
 *
 * A type may allow several shapes at once (`scalar`, `list`, `map`): a value picks the one it fits. Types refer to each other by
 * object identity and may be recursive; treat them as frozen.
 */
export interface Schema {
  /** The definition's name, empty for an inlined type. */
  readonly name: string
  readonly scalar: ScalarType | undefined
  readonly list: ListSchema | undefined
  readonly map: MapSchema | undefined
  /** What a scalar means beyond its JSON type. */
  readonly format: ValueFormat | undefined
  /** The allowed values, where the definition lists them. */
  readonly enum: readonly unknown[] | undefined
}

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped'

/** `quantity`, `int-or-string`, `date-time`, `byte`, `int32`, ... as OpenAPI names them. */
type ValueFormat = string

export interface ListSchema {
  /** Atomic: one value, owned whole. Associative: each item is owned by itself, found by its keys or (a set) by its value. */
  readonly relationship: 'atomic' | 'associative'
  /** Fields that together name an item; empty for a set. */
  readonly keys: readonly string[]
  readonly element: Schema
}

export interface MapSchema {
  readonly relationship: 'atomic' | 'separable'
  readonly fields: ReadonlyMap<string, FieldSchema>
  /** The type of keys that `fields` does not name; undefined refuses them. */
  readonly element: Schema | undefined
}

/** How a field behaves when an API type written in Go is stored and read back. */
export type EmptyRule =
  /** Always there: an absent one comes back as its zero value. */
  | 'kept'
  /** Gone when empty, zero or false. */
  | 'dropped-when-empty'
  /** A pointer: gone only when null. */
  | 'dropped-when-null'

export interface FieldSchema {
  readonly schema: Schema
  /** What an absent field means, also when it is a key of its list. */
  readonly default: unknown
  /** Known for built-in kinds only. */
  readonly empty: EmptyRule | undefined
  /** Strategic merge patch: how the field is patched, and the key of its items. */
  readonly patchStrategies: readonly string[]
  readonly patchMergeKey: string | undefined
}

/** Looks types up by the kind they describe. */
export interface SchemaCatalogue {
  /** The type of a kind, or undefined where the catalogue has none. `group` is empty for the core group. */
  schemaFor(group: string, version: string, kind: string): Schema | undefined
  /** A type by the name of its definition (`io.k8s.api.core.v1.Container`). */
  definition(name: string): Schema | undefined
}

interface Draft {
  name: string
  scalar: ScalarType | undefined
  list: ListSchema | undefined
  map: MapSchema | undefined
  format: ValueFormat | undefined
  enum: readonly unknown[] | undefined
}

/** An empty type for its builder to fill; recursive types need the object before its content. */
export function draftSchema(name: string): Draft {
  return { name, scalar: undefined, list: undefined, map: undefined, format: undefined, enum: undefined }
}

const noFields: ReadonlyMap<string, FieldSchema> = new Map()

function untyped(name: string, relationship: MapSchema['relationship'], listElement: Draft, self: Draft): Schema {
  self.name = name
  self.scalar = 'untyped'
  self.list = { relationship: 'atomic', keys: [], element: listElement }
  self.map = { relationship, fields: noFields, element: self }
  return self
}

const atomicDraft = draftSchema('')
const deducedDraft = draftSchema('')

/** Any JSON value, owned whole. */
export const untypedAtomic: Schema = untyped('__untyped_atomic_', 'atomic', atomicDraft, atomicDraft)

/** Any JSON value: maps key by key, everything else whole. What a custom resource without a schema has. */
export const deducedSchema: Schema = untyped('__untyped_deduced_', 'separable', atomicDraft, deducedDraft)

/** The type of a field of a map, or undefined where the map refuses it. */
export function fieldType(map: MapSchema, key: string): Schema | undefined {
  const field = map.fields.get(key)
  return field === undefined ? map.element : field.schema
}
