import { isObject, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'

/** Sets the value at a path of keys, making the objects on the way. Changes `target`. */
export function setValueAt(target: object, path: readonly string[], value: unknown): void {
  let current = target as JsonObject
  for (const [i, key] of path.entries()) {
    if (i === path.length - 1) {
      setOwn(current, key, value)
      return
    }
    const next = Object.hasOwn(current, key) ? current[key] : undefined
    const inner = isObject(next) ? next : {}
    if (inner !== next) setOwn(current, key, inner)
    current = inner
  }
}
