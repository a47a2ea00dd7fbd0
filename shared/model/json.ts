/** A value as JSON has it. Integers beyond 2^53 are `bigint`, so that they stay exact from the file to the server. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json | undefined }

/** `JSON.stringify` that writes `bigint` as a JSON integer. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? rawJson(String(v)) : v), indent)
  }
}

/** `JSON.parse` that keeps integers beyond 2^53 exact, as `bigint`. */
export function parseJson(text: string): Json {
  // Digits that follow something else stand in a string, as digests and names do; the reviver costs ten times the parse.
  return (/(?:^|[-:,[\s])\d{16}/.test(text) ? JSON.parse(text, exactInteger) : JSON.parse(text)) as Json
}

function exactInteger(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || context?.source === undefined) return value
  return /^-?\d+$/.test(context.source) ? BigInt(context.source) : value
}

/** The same text for the same value, whatever the order of its keys: what digests are made of. */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  if (isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const parts: string[] = []
  for (const key of Object.keys(value).sort()) {
    const item = value[key]
    if (item !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(item)}`)
  }
  return `{${parts.join(',')}}`
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value behind keys and indices, or undefined where the way ends. */
export function valueAt(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let here: Json | undefined = value
  for (const step of path) {
    if (isArray(here) && typeof step === 'number') here = here[step]
    else if (isObject(here) && typeof step === 'string' && Object.hasOwn(here, step)) here = here[step]
    else return undefined
  }
  return here
}

function rawJson(text: string): unknown {
  // In Node since 21; not yet in the standard library's types.
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text)
}
