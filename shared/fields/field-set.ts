import { compareElements, fieldName } from './path.ts'
import type { Path, PathElement } from './path.ts'
import { fieldType } from './schema.ts'
import type { Schema } from './schema.ts'

const noEntries: ReadonlyMap<PathElement, FieldSet> = new Map()

/**
 * A set of paths as a tree, immutable: operations share what did not change and return the same object where nothing did. No node
 * below the root is empty.
 */
export class FieldSet {
  /** True where the path that leads here is itself a member; on the root it means nothing. */
  readonly self: boolean
  readonly entries: ReadonlyMap<PathElement, FieldSet>

  constructor(self: boolean, entries: ReadonlyMap<PathElement, FieldSet>) {
    this.self = self
    this.entries = entries
  }

  static readonly empty: FieldSet = new FieldSet(false, noEntries)
  /** A member without members below it. */
  static readonly leaf: FieldSet = new FieldSet(true, noEntries)

  static of(...paths: readonly Path[]): FieldSet {
    const builder = new FieldSetBuilder()
    for (const path of paths) builder.insert(path)
    return builder.build()
  }

  get isEmpty(): boolean {
    return this.entries.size === 0
  }

  /** The number of members. */
  get size(): number {
    let size = 0
    for (const entry of this.entries.values()) size += (entry.self ? 1 : 0) + entry.size
    return size
  }

  has(path: Path): boolean {
    return this.at(path)?.self === true && path.length > 0
  }

  /** The part of the set below a path, or undefined where it has none. */
  at(path: Path): FieldSet | undefined {
    return descend(this, path, false)
  }

  /** True where the path is a member or lies below a leaf of the set: who owns an atomic container owns what it holds. */
  covers(path: Path): boolean {
    return descend(this, path, true)?.self === true && path.length > 0
  }

  union(other: FieldSet): FieldSet {
    return unite(this, other)
  }

  intersection(other: FieldSet): FieldSet {
    return intersect(this, other)
  }

  /** Without the members of the other set; what lies below such a member stays. */
  difference(other: FieldSet): FieldSet {
    return subtract(this, other)
  }

  /** Without the members of the other set and everything below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    return subtractTrees(this, other)
  }

  /** Only the members that have no member below them. */
  leaves(): FieldSet {
    return mapEntries(this, false, (entry) => (entry.entries.size === 0 ? entry : entry.leaves()))
  }

  /** The same node with other children; an empty child goes. */
  mapChildren(change: (entry: FieldSet, element: PathElement) => FieldSet): FieldSet {
    return mapEntries(this, this.self, change)
  }

  /** With the parents that are named fields of their type as members too; sets as read from managedFields leave those out. */
  withNamedFields(schema: Schema | undefined): FieldSet {
    return nameFields(this, schema, this.self)
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true
    if (this.self !== other.self || this.entries.size !== other.entries.size) return false
    for (const [element, entry] of this.entries) {
      const match = other.entries.get(element)
      if (match === undefined || !entry.equals(match)) return false
    }
    return true
  }

  /** Calls back for every member: those of a node first, in order, then what lies below. `path` is a fresh array each time. */
  forEach(visit: (path: Path) => void): void {
    walk(this, [], visit)
  }

  /** All members, in the order of `forEach`. */
  paths(): Path[] {
    const paths: Path[] = []
    this.forEach((path) => paths.push(path))
    return paths
  }

  /** The children in the order in which FieldsV1 lists them. */
  sortedEntries(): [PathElement, FieldSet][] {
    const entries = [...this.entries]
    return isSorted(entries) ? entries : entries.sort((a, b) => compareElements(a[0], b[0]))
  }
}

/** The node at the path; with `stopAtLeaf`, or the first leaf on the way to it. */
function descend(root: FieldSet, path: Path, stopAtLeaf: boolean): FieldSet | undefined {
  let node = root
  for (const element of path) {
    const next = node.entries.get(element)
    if (next === undefined) return undefined
    node = next
    if (stopAtLeaf && node.entries.size === 0) break
  }
  return node
}

function walk(node: FieldSet, prefix: Path, visit: (path: Path) => void): void {
  const sorted = node.sortedEntries()
  for (const [element, entry] of sorted) if (entry.self) visit([...prefix, element])
  for (const [element, entry] of sorted) if (entry.entries.size > 0) walk(entry, [...prefix, element], visit)
}

/** Sets read from a server are in order already. */
function isSorted(entries: readonly [PathElement, FieldSet][]): boolean {
  for (let i = 1; i < entries.length; i++) {
    if (compareElements(entries[i - 1]?.[0] ?? '', entries[i]?.[0] ?? '') > 0) return false
  }
  return true
}

function make(self: boolean, entries: ReadonlyMap<PathElement, FieldSet>): FieldSet {
  if (entries.size > 0) return new FieldSet(self, entries)
  return self ? FieldSet.leaf : FieldSet.empty
}

function mapEntries(
  node: FieldSet,
  self: boolean,
  change: (entry: FieldSet, element: PathElement) => FieldSet,
): FieldSet {
  let changed = self !== node.self
  const entries = new Map<PathElement, FieldSet>()
  for (const [element, entry] of node.entries) {
    const next = change(entry, element)
    if (next !== entry) changed = true
    if (next.self || next.entries.size > 0) entries.set(element, next)
  }
  return changed ? make(self, entries) : node
}

function unite(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || (b.entries.size === 0 && (a.self || !b.self))) return a
  if (a.entries.size === 0 && (b.self || !a.self)) return b
  let entries: Map<PathElement, FieldSet> | undefined
  for (const [element, right] of b.entries) {
    const left = a.entries.get(element)
    const both = left === undefined ? right : unite(left, right)
    if (both !== left) (entries ??= new Map(a.entries)).set(element, both)
  }
  const self = a.self || b.self
  return entries === undefined && self === a.self ? a : make(self, entries ?? a.entries)
}

function intersect(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  const entries = new Map<PathElement, FieldSet>()
  const [small, large] = a.entries.size <= b.entries.size ? [a, b] : [b, a]
  for (const [element, entry] of small.entries) {
    const match = large.entries.get(element)
    if (match === undefined) continue
    const both = intersect(entry, match)
    if (both.self || both.entries.size > 0) entries.set(element, both)
  }
  return make(a.self && b.self, entries)
}

function subtract(a: FieldSet, b: FieldSet): FieldSet {
  if (b.entries.size === 0 && !b.self) return a
  return mapEntries(a, a.self && !b.self, (entry, element) => {
    const other = b.entries.get(element)
    return other === undefined ? entry : subtract(entry, other)
  })
}

function subtractTrees(a: FieldSet, b: FieldSet): FieldSet {
  if (b.entries.size === 0) return a
  return mapEntries(a, a.self, (entry, element) => {
    const other = b.entries.get(element)
    if (other === undefined) return entry
    return other.self ? FieldSet.empty : subtractTrees(entry, other)
  })
}

function nameFields(node: FieldSet, schema: Schema | undefined, self: boolean): FieldSet {
  return mapEntries(node, self, (entry, element) => {
    if (entry.entries.size === 0) return entry
    const name = fieldName(element)
    if (name === undefined)
      return nameFields(entry, element.startsWith('k:') ? schema?.list?.element : undefined, entry.self)
    const map = schema?.map
    if (map === undefined) return nameFields(entry, undefined, entry.self)
    return nameFields(entry, fieldType(map, name), entry.self || map.fields.has(name))
  })
}

interface BuilderNode {
  self: boolean
  entries: Map<PathElement, BuilderNode> | undefined
}

/** Collects paths into a set. */
export class FieldSetBuilder {
  readonly #root: BuilderNode = { self: false, entries: undefined }

  /** Parents are not added; the empty path is nobody's. */
  insert(path: Path): void {
    if (path.length === 0) return
    let node = this.#root
    for (const element of path) {
      node.entries ??= new Map()
      let next = node.entries.get(element)
      if (next === undefined) node.entries.set(element, (next = { self: false, entries: undefined }))
      node = next
    }
    node.self = true
  }

  build(): FieldSet {
    return freeze(this.#root)
  }
}

function freeze(node: BuilderNode): FieldSet {
  if (node.entries === undefined) return node.self ? FieldSet.leaf : FieldSet.empty
  const entries = new Map<PathElement, FieldSet>()
  for (const [element, entry] of node.entries) entries.set(element, freeze(entry))
  return new FieldSet(node.self, entries)
}
