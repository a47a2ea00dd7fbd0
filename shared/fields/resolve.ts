import { parseElement } from './path.ts'
import type { KeyField, Path, PathElement } from './path.ts'
import { fieldType } from './schema.ts'
import type { Schema } from './schema.ts'
import { isMap, own, sameValue } from './value.ts'

/** Where a path leads in an object. */
export interface Resolved {
  readonly value: unknown
  /** Keys and indexes from the root. */
  readonly steps: readonly (string | number)[]
  /** The same as a JSON pointer (RFC 6901). */
  readonly pointer: string
}

/**
 * Follows a path through an object, list keys and set values included; undefined where the object has no such place. With the
 * object's type an item also matches by the defaults of keys that it leaves out. Of several matching items the first counts.
 */
export function resolvePath(root: unknown, path: Path, schema?: Schema): Resolved | undefined {
  const steps: (string | number)[] = []
  let value = root
  let type = schema
  for (const element of path) {
    const step = stepInto(value, element, type)
    if (step === undefined) return undefined
    steps.push(step.at)
    value = step.value
    type = step.type
  }
  return { value, steps, pointer: pointerOf(steps) }
}

/** `['spec', 'a/b', 0]` as `/spec/a~1b/0`. */
export function pointerOf(steps: readonly (string | number)[]): string {
  let pointer = ''
  for (const step of steps) {
    pointer += `/${typeof step === 'number' ? step : step.replaceAll('~', '~0').replaceAll('/', '~1')}`
  }
  return pointer
}

interface Step {
  readonly at: string | number
  readonly value: unknown
  readonly type: Schema | undefined
}

function stepInto(value: unknown, element: PathElement, type: Schema | undefined): Step | undefined {
  const parsed = parseElement(element)
  if (parsed?.kind === 'field') {
    const child = isMap(value) ? own(value, parsed.name) : undefined
    if (child === undefined) return undefined
    return { at: parsed.name, value: child, type: type?.map && fieldType(type.map, parsed.name) }
  }
  if (parsed === undefined || !Array.isArray(value)) return undefined
  const itemType = type?.list?.element
  const at = parsed.kind === 'index' ? parsed.index : value.findIndex((item) => matches(item, parsed, itemType))
  return at >= 0 && at < value.length ? { at, value: value[at], type: itemType } : undefined
}

function matches(
  item: unknown,
  parsed:
    | { readonly kind: 'key'; readonly fields: readonly KeyField[] }
    | { readonly kind: 'value'; readonly value: unknown },
  type: Schema | undefined,
): boolean {
  if (parsed.kind === 'value') return sameValue(item, parsed.value)
  if (!isMap(item)) return false
  return parsed.fields.every(({ name, value }) => {
    const found = own(item, name)
    return sameValue(found === undefined ? type?.map?.fields.get(name)?.default : found, value)
  })
}
