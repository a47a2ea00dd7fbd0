/** Says whether a value from the page is what a method takes. Checks hold sizes too: the page is not trusted. */
export type Check<T> = (value: unknown) => value is T

export const nothing: Check<null> = (value): value is null => value === null

export const flag: Check<boolean> = (value): value is boolean => typeof value === 'boolean'

/** A text of so many characters at the most. */
export function text(longest: number): Check<string> {
  return (value): value is string => typeof value === 'string' && value.length <= longest
}

/** A text of a form: a name, a version, a word. */
export function matching(pattern: RegExp, longest = 253): Check<string> {
  return (value): value is string => typeof value === 'string' && value.length <= longest && pattern.test(value)
}

export function whole(least: number, most: number): Check<number> {
  return (value): value is number => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
}

export function oneOf<const T extends string>(...words: readonly T[]): Check<T> {
  return (value): value is T => words.includes(value as T)
}

export function list<T>(item: Check<T>, most: number): Check<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.length <= most && value.every(item)
}

export function either<A, B>(one: Check<A>, other: Check<B>): Check<A | B> {
  return (value): value is A | B => one(value) || other(value)
}

/** Values by name, so many at the most. */
export function dictionary<T>(item: Check<T>, most: number): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> => {
    if (!isPlain(value)) return false
    const keys = Object.keys(value)
    return keys.length <= most && keys.every((key) => key.length <= 100 && item(value[key]))
  }
}

type Checks = Readonly<Record<string, Check<unknown>>>
type Of<C extends Checks> = { readonly [K in keyof C]: C[K] extends Check<infer T> ? T : never }

/** An object with exactly these fields; of the optional ones, those that it has. Anything more is refused. */
export function record<const R extends Checks, const O extends Checks = Checks>(
  required: R,
  optional?: O,
): Check<Of<R> & Partial<Of<O>>> {
  return (value): value is Of<R> & Partial<Of<O>> => {
    if (!isPlain(value)) return false
    for (const key of Object.keys(value)) {
      const check = Object.hasOwn(required, key) ? required[key] : optional?.[key]
      if (check?.(value[key]) !== true) return false
    }
    return Object.keys(required).every((key) => Object.hasOwn(value, key))
  }
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  // Names that would reach the prototype of whatever they are copied to.
  return !Object.hasOwn(value, '__proto__') && !Object.hasOwn(value, 'constructor')
}
