import { isObject, privateCopy, setOwn } from '../object.ts'

/** A JSON object that its owner may change. */
export type Json = Record<string, unknown>

/** The object under `key`, made where it is absent. */
export function ensureObject(o: Json, key: string): Json {
  const found = o[key]
  if (isObject(found)) return found
  const made: Json = {}
  o[key] = made
  return made
}

export function objectAt(o: Json | undefined, key: string): Json | undefined {
  const found = o?.[key]
  return isObject(found) ? found : undefined
}

/** The objects of a list; anything else is an empty list. */
export function objectsAt(o: Json | undefined, key: string): readonly Json[] {
  const found = o?.[key]
  return Array.isArray(found) ? found.filter(isObject) : []
}

export function textAt(o: Json | undefined, key: string): string {
  const found = o?.[key]
  return typeof found === 'string' ? found : ''
}

export function numberAt(o: Json | undefined, key: string): number | undefined {
  const found = o?.[key]
  return typeof found === 'number' ? found : undefined
}

export function textsAt(o: Json | undefined, key: string): readonly string[] {
  const found = o?.[key]
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : []
}

/** The text map under `key`; empty where absent. */
export function textMapAt(o: Json | undefined, key: string): Readonly<Record<string, string>> {
  return (objectAt(o, key) as Record<string, string> | undefined) ?? {}
}

/** Whether the field is absent: a nil pointer, list or map. */
export function absent(o: Json | undefined, key: string): boolean {
  return o?.[key] === undefined || o[key] === null
}

/** Sets a pointer field that is nil. */
export function setAbsent(o: Json, key: string, value: unknown): void {
  if (absent(o, key)) o[key] = value
}

/** Sets a plain field that has its zero value. */
export function setZero(o: Json, key: string, value: unknown): void {
  if (absent(o, key) || o[key] === '' || o[key] === 0) o[key] = value
}

/** Empty lists and maps that the decoder left out; some messages show them. */
const emptied = new WeakMap<object, Map<string, unknown>>()

export function noteEmpty(o: Json, key: string, value: unknown): void {
  const known = emptied.get(o) ?? new Map<string, unknown>()
  emptied.set(o, known.set(key, value))
}

/** Whether the object was given an empty list or map that the decoder left out. */
export function hasNotedEmpty(o: Json): boolean {
  return [...(emptied.get(o)?.keys() ?? [])].some((key) => absent(o, key))
}

/** Takes a list or map away, given empty or not. */
export function dropContainer(o: Json, key: string): void {
  delete o[key]
  emptied.get(o)?.delete(key)
}

/** What was given empty directly in an object is known of its shallow copy as well. */
export function carryNotes<T extends object>(from: object, to: T): T {
  const known = emptied.get(from)
  if (known) emptied.set(to, new Map(known))
  return to
}

/** What is stored knows no empty lists and maps. */
export function forgetEmpty(value: object): void {
  emptied.delete(value)
  for (const item of Object.values(value)) if (typeof item === 'object' && item !== null) forgetEmpty(item)
}

/** A private copy that still knows which of its lists and maps were given empty. */
export function copyAsGiven(o: Json): Json {
  const copy = privateCopy(o)
  carryEmpty(o, copy)
  return copy
}

function carryEmpty(from: unknown, to: unknown): void {
  if (Array.isArray(from) && Array.isArray(to)) from.forEach((item, i) => carryEmpty(item, to[i]))
  if (!isObject(from) || !isObject(to)) return
  const known = emptied.get(from)
  if (known) emptied.set(to, new Map(known))
  for (const key of Object.keys(from)) carryEmpty(from[key], to[key])
}

/** A list or map as Go holds it: empty if it was given so, null if it was not given. */
export function goContainer(o: Json | undefined, key: string): unknown {
  return o?.[key] ?? (o && emptied.get(o)?.get(key)) ?? null
}

/** Brings the keys of a map into the order in which Go writes them. */
export function sortKeys(o: Json): void {
  for (const key of Object.keys(o).sort()) {
    const value = o[key]
    delete o[key]
    setOwn(o, key, value)
  }
}
