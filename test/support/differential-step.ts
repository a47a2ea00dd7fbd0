export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Sets a value at a path of keys and indices, or removes what is there. */
export interface Edit {
  readonly at: readonly (string | number)[]
  readonly set?: Json
}

/**
 * One request, in words that hold on every server: `{{ns}}` is the conversation's namespace, `{{rv:PATH}}` and
 * `{{uid:PATH}}` are what this server last answered for the object at PATH, `{{continue}}` its last continue token.
 */
export interface Step {
  readonly method: string
  readonly path: string
  /** Content type of the body; `application/json` where absent. */
  readonly type?: string
  readonly accept?: string
  readonly body?: Json
  /** Sent as it is. */
  readonly raw?: string
  /** The body is what this server last answered for the object at `of`, edited. */
  readonly live?: { readonly of: string; readonly edits: readonly Edit[] }
}

export interface Answer {
  readonly status: number
  readonly body: Json
  /** Texts of the Warning headers, in order. */
  readonly warnings: readonly string[]
  /** Media type of the answer. */
  readonly media: string
}

/** The value with an edit made; where the way does not lead, it stays as it was. */
export function edited(value: Json, { at, set }: Edit, depth = 0): Json {
  const key = at[depth]
  if (key === undefined) return set ?? null
  const last = depth === at.length - 1
  if (Array.isArray(value)) {
    const index = Number(key)
    if (last && set === undefined) return value.filter((_, position) => position !== index)
    if (last && index >= value.length) return [...value, set ?? null]
    return value.map((item, position) =>
      position === index ? edited(item, { at, ...(set === undefined ? {} : { set }) }, depth + 1) : item,
    )
  }
  if (value === null || typeof value !== 'object') return value
  const record = value as { readonly [key: string]: Json }
  if (last && set === undefined)
    return Object.fromEntries(Object.entries(record).filter(([name]) => name !== String(key)))
  const next = last
    ? (set ?? null)
    : edited(record[key] ?? {}, { at, ...(set === undefined ? {} : { set }) }, depth + 1)
  return { ...record, [key]: next }
}
