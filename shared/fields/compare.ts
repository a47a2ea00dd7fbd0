import { FieldSetBuilder } from './field-set.ts'
import type { FieldSet } from './field-set.ts'
import { fieldElement } from './path.ts'
import type { PathElement } from './path.ts'
import type { EmptyRule, ListSchema, MapSchema, Schema } from './schema.ts'
import { hasOneShape, itemElement, shapeOf } from './shape.ts'
import type { Shape } from './shape.ts'
import { guardDepth } from './typed-error.ts'
import { isEmptyMap, isMap, own, sameValue } from './value.ts'
import type { JsonMap } from './value.ts'
import { meansNothing, sameMeaning } from './meaning.ts'

/** What the right side changed; no path is in more than one set. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

export interface CompareOptions {
  /**
   * Compare by meaning: quantities by amount, null as absent, and a container that the API type drops when empty as absent. Without
   * it values compare as the server's apply compares them, by their JSON.
   */
  readonly semantic?: boolean
}

/** What differs between two values of a type (SMD typed/compare.go). Either side may be undefined, which is absent. */
export function compareValues(left: unknown, right: unknown, schema: Schema, options: CompareOptions = {}): Comparison {
  const walk = new Walk(options.semantic === true)
  guardDepth(() => walk.compare(schema, left, right, undefined))
  return { added: walk.added.build(), modified: walk.modified.build(), removed: walk.removed.build() }
}

class Walk {
  readonly added = new FieldSetBuilder()
  readonly modified = new FieldSetBuilder()
  readonly removed = new FieldSetBuilder()
  readonly #path: PathElement[] = []
  readonly #semantic: boolean

  constructor(semantic: boolean) {
    this.#semantic = semantic
  }

  compare(schema: Schema | undefined, left: unknown, right: unknown, empty: EmptyRule | undefined): void {
    if (this.#semantic) {
      const nothingLeft = meansNothing(left, empty)
      const nothingRight = meansNothing(right, empty)
      if (nothingLeft && nothingRight) return
      if (nothingLeft !== nothingRight) {
        this.#shaped(schema, nothingLeft ? undefined : left, nothingRight ? undefined : right)
        return
      }
    }
    this.#shaped(schema, left, right)
  }

  /** Two sides of different shapes are walked under both; absent counts as the other's shape. */
  #shaped(schema: Schema | undefined, left: unknown, right: unknown): void {
    if (schema === undefined) {
      this.#leaf(undefined, left, right)
      return
    }
    const shape = shapeOf(schema, right === undefined ? left : right)
    if (left !== undefined && right !== undefined && !hasOneShape(schema)) {
      const other = shapeOf(schema, left)
      if (other !== shape) this.#under(other, schema, left, right)
    }
    if (this.#under(shape, schema, left, right)) return
    if (left === undefined) this.added.insert(this.#path)
    else if (right === undefined) this.removed.insert(this.#path)
  }

  /** Returns whether the value was a leaf as a whole. */
  #under(shape: Shape, schema: Schema, left: unknown, right: unknown): boolean {
    if (shape === 'map' && schema.map !== undefined) return this.#maps(schema, schema.map, left, right)
    if (shape === 'list' && schema.list !== undefined) return this.#lists(schema, schema.list, left, right)
    this.#leaf(schema, left, right)
    return true
  }

  #leaf(schema: Schema | undefined, left: unknown, right: unknown): void {
    if (left === undefined) this.added.insert(this.#path)
    else if (right === undefined) this.removed.insert(this.#path)
    else if (!(this.#semantic ? sameMeaning(schema, left, right) : sameValue(left, right)))
      this.modified.insert(this.#path)
  }

  #maps(schema: Schema, map: MapSchema, left: unknown, right: unknown): boolean {
    const lower = isMap(left) ? left : undefined
    const upper = isMap(right) ? right : undefined
    if (map.relationship === 'atomic' || (isEmpty(lower) && isEmpty(upper))) {
      this.#leaf(schema, left, right)
      return true
    }
    if (lower !== undefined) {
      for (const key of Object.keys(lower)) {
        this.#field(map, key, lower[key], upper === undefined ? undefined : own(upper, key))
      }
    }
    if (upper !== undefined) {
      for (const key of Object.keys(upper)) {
        if (lower === undefined || !Object.hasOwn(lower, key)) this.#field(map, key, undefined, upper[key])
      }
    }
    return false
  }

  #field(map: MapSchema, key: string, left: unknown, right: unknown): void {
    const field = map.fields.get(key)
    const type = field === undefined ? map.element : field.schema
    // Equal scalars are by far the most frequent case.
    if (left === right && typeof left !== 'object' && left !== undefined) return
    this.#path.push(fieldElement(key))
    this.compare(type, left, right, field?.empty)
    this.#path.pop()
  }

  #lists(schema: Schema, list: ListSchema, left: unknown, right: unknown): boolean {
    const lower: readonly unknown[] = Array.isArray(left) ? left : []
    const upper: readonly unknown[] = Array.isArray(right) ? right : []
    if (list.relationship === 'atomic' || (lower.length === 0 && upper.length === 0)) {
      this.#leaf(schema, left, right)
      return true
    }
    const before = grouped(list, lower)
    const after = grouped(list, upper)
    for (const [name, items] of before) this.#items(list, name, items, after.get(name) ?? [])
    for (const [name, items] of after) if (!before.has(name)) this.#items(list, name, [], items)
    return false
  }

  /** Items that are there more than once are compared whole; becoming or ceasing to be so adds or removes the item's own path. */
  #items(list: ListSchema, name: PathElement, before: readonly unknown[], after: readonly unknown[]): void {
    this.#path.push(name)
    if (before.length <= 1 && after.length <= 1) this.compare(list.element, before[0], after[0], undefined)
    else if (before.length >= 2 && after.length >= 2) {
      if (!sameValue(before, after)) this.modified.insert(this.#path)
    } else if (before.length >= 2) {
      if (after.length > 0) this.compare(list.element, undefined, after[0], undefined)
      this.removed.insert(this.#path)
    } else {
      if (before.length > 0) this.compare(list.element, before[0], undefined, undefined)
      this.added.insert(this.#path)
    }
    this.#path.pop()
  }
}

function isEmpty(map: JsonMap | undefined): boolean {
  return map === undefined || isEmptyMap(map)
}

function grouped(list: ListSchema, items: readonly unknown[]): Map<PathElement, unknown[]> {
  const groups = new Map<PathElement, unknown[]>()
  for (const item of items) {
    const name = itemElement(list, item)
    if (typeof name !== 'string') continue
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}
