import type { PathElement } from './path.ts'
import { fieldType } from './schema.ts'
import type { ListSchema, MapSchema, Schema } from './schema.ts'
import { itemElement, shapeOf } from './shape.ts'
import { guardDepth } from './typed-error.ts'
import { copyOf, isMap, own, setOwn } from './value.ts'
import type { JsonMap } from './value.ts'

/**
 * The config laid over the live value (SMD typed/merge.go): config wins on leaves, atomic containers are replaced whole, shared list
 * items stand in the config's order and live-only items keep their place. Both must fit the type; the config without duplicates.
 * The result shares nothing with either.
 */
export function mergeValues(live: unknown, config: unknown, schema: Schema): unknown {
  return guardDepth(() => merge(schema, live, config))
}

/** Undefined is an absent side; what only one side has comes out as it is. */
function merge(schema: Schema | undefined, left: unknown, right: unknown): unknown {
  if (right === undefined) return copyOf(left)
  if (left === undefined || schema === undefined) return copyOf(right)
  switch (shapeOf(schema, right)) {
    case 'map':
      return mergeMaps(schema.map, left, right)
    case 'list':
      return mergeLists(schema.list, left, right)
    default:
      return copyOf(right)
  }
}

/** Where both sides are empty or null the config's stands, so that `{}` and null stay apart. */
function mergeMaps(map: MapSchema | undefined, left: unknown, right: unknown): unknown {
  if (map === undefined || map.relationship === 'atomic') return copyOf(right)
  const lower = isMap(left) ? left : undefined
  const upper = isMap(right) ? right : undefined
  const lowerKeys = lower === undefined ? [] : Object.keys(lower)
  const upperKeys = upper === undefined ? [] : Object.keys(upper)
  if (lowerKeys.length === 0 && upperKeys.length === 0) return copyOf(right)
  const out: JsonMap = {}
  for (const key of lowerKeys) {
    const over = upper === undefined ? undefined : own(upper, key)
    setOwn(out, key, merge(over === undefined ? undefined : fieldType(map, key), lower?.[key], over))
  }
  for (const key of upperKeys)
    if (lower === undefined || !Object.hasOwn(lower, key)) setOwn(out, key, copyOf(upper?.[key]))
  return out
}

interface Indexed {
  readonly names: readonly PathElement[]
  /** By name; an item that is there more than once is undefined, its copies are never merged. */
  readonly items: ReadonlyMap<PathElement, unknown>
}

function indexed(list: ListSchema, items: readonly unknown[]): Indexed {
  const names: PathElement[] = []
  const byName = new Map<PathElement, unknown>()
  for (const item of items) {
    const name = itemElement(list, item)
    if (typeof name !== 'string') continue
    names.push(name)
    byName.set(name, byName.has(name) ? undefined : item)
  }
  return { names, items: byName }
}

function mergeLists(list: ListSchema | undefined, left: unknown, right: unknown): unknown {
  if (list === undefined || list.relationship === 'atomic') return copyOf(right)
  const lower = Array.isArray(left) ? left : []
  const upper = Array.isArray(right) ? right : []
  if (lower.length === 0 && upper.length === 0) return copyOf(right)
  if (upper.length === 0) return copyOf(lower)
  return interleave(list, lower, indexed(list, lower), indexed(list, upper))
}

/**
 * Walks both lists at once. A live-only item comes out where it stands; a shared one waits until the config's order reaches it, and
 * the walk passes over its live place.
 */
function interleave(list: ListSchema, lowerItems: readonly unknown[], lower: Indexed, upper: Indexed): unknown[] {
  const shared = upper.names.filter((name) => lower.items.has(name))
  const merged = new Set<PathElement>()
  const out: unknown[] = []
  let nextShared = 0
  let l = 0
  let r = 0
  const take = (name: PathElement): void => {
    merged.add(name)
    const live = lower.items.get(name)
    out.push(merge(live === undefined ? undefined : list.element, live, upper.items.get(name)))
    r++
  }
  while (l < lower.names.length || r < upper.names.length) {
    const left = lower.names[l]
    const right = upper.names[r]
    if (left !== undefined && right !== undefined) {
      if (left === right) {
        take(right)
        l++
        nextShared++
        continue
      }
      const wanted = shared[nextShared]
      if (upper.items.has(left) && wanted !== undefined && wanted !== left) {
        l++
        continue
      }
    }
    if (left !== undefined) {
      if (!upper.items.has(left)) {
        out.push(copyOf(lowerItems[l]))
        l++
        continue
      }
      if (merged.has(left)) l++
    }
    if (right !== undefined) {
      if (shared[nextShared] === right) nextShared++
      take(right)
    }
  }
  return out
}
