import type { FieldSet } from './field-set.ts'
import { fieldElement } from './path.ts'
import { fieldType } from './schema.ts'
import type { ListSchema, MapSchema, Schema } from './schema.ts'
import { itemElement, shapeOf } from './shape.ts'
import { guardDepth } from './typed-error.ts'
import { isMap, setOwn } from './value.ts'
import type { JsonMap } from './value.ts'

/**
 * The value without the members of the set and what lies below them (SMD typed/remove.go). A container that loses items below its
 * own members stays, if only empty. The result shares what did not change with the value.
 */
export function removeFields(value: unknown, set: FieldSet, schema: Schema): unknown {
  return guardDepth(() => cut(schema, value, set)) ?? null
}

/** Undefined says that nothing is left. An empty set of the whole value leaves it as it is. */
function cut(schema: Schema | undefined, value: unknown, set: FieldSet): unknown {
  if (schema === undefined) return value
  switch (shapeOf(schema, value)) {
    case 'map':
      return schema.map !== undefined && isMap(value) ? cutMap(schema.map, value, set) : undefined
    case 'list':
      return schema.list !== undefined && Array.isArray(value) ? cutList(schema.list, value, set) : undefined
    default:
      return value
  }
}

function emptied(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return isMap(value) ? {} : null
}

function cutMap(map: MapSchema, value: JsonMap, set: FieldSet): unknown {
  const keys = Object.keys(value)
  if (keys.length === 0 || map.relationship === 'atomic') return undefined
  const out: JsonMap = {}
  let kept = 0
  let touched = false
  for (const key of keys) {
    const entry = set.entries.get(fieldElement(key))
    if (entry?.self === true) continue
    let item = value[key]
    if (entry !== undefined) {
      touched = true
      item = cut(fieldType(map, key), item, entry) ?? emptied(item)
    }
    setOwn(out, key, item)
    kept++
  }
  return kept > 0 || touched ? out : undefined
}

function cutList(list: ListSchema, items: readonly unknown[], set: FieldSet): unknown {
  if (items.length === 0 || list.relationship === 'atomic') return undefined
  const out: unknown[] = []
  let touched = false
  for (const item of items) {
    const name = itemElement(list, item)
    const entry = typeof name === 'string' ? set.entries.get(name) : undefined
    if (entry?.self === true) continue
    if (entry === undefined) out.push(item)
    else {
      touched = true
      out.push(cut(list.element, item, entry) ?? emptied(item))
    }
  }
  return out.length > 0 || touched ? out : undefined
}
