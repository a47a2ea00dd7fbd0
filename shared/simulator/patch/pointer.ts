import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'

/** What holds a place in a document, and the place's name in it. */
export interface Place {
  readonly holder: JsonObject | unknown[]
  readonly key: string
}

/**
 * The place that a JSON pointer names, or undefined where something on the way to it is missing. As kube-apiserver's JSON patch reads
 * pointers: what stands before the first slash is ignored, and the empty pointer names nothing.
 */
export function placeOf(document: unknown, pointer: string): Place | undefined {
  const [, ...parts] = pointer.split('/')
  const last = parts.pop()
  if (last === undefined) return undefined
  let holder = document
  for (const part of parts) {
    if (Array.isArray(holder)) holder = holder[indexIn(holder.length, unescaped(part)) ?? -1]
    else if (isObject(holder)) holder = Object.hasOwn(holder, unescaped(part)) ? holder[unescaped(part)] : undefined
    else return undefined
  }
  return isObject(holder) || Array.isArray(holder) ? { holder, key: unescaped(last) } : undefined
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** An index below `length`; negative ones count from the end. Undefined for what is none. */
export function indexIn(length: number, key: string): number | undefined {
  if (!/^[+-]?\d+$/.test(key)) return undefined
  const index = Number(key) < 0 ? Number(key) + length : Number(key)
  return index >= 0 && index < length ? index : undefined
}
