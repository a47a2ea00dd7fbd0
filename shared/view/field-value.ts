import { isArray, isObject, stringifyJson, type Json } from '../model/json.ts'

/** Characters that a value may take within a sentence. */
const ROOM = 48
/** Characters of the common part that are shown before the first difference. */
const LEAD = 12

/** A value within a sentence: one line, cut where it is long. */
export function shortValue(value: Json): string {
  return cut(inline(value))
}

/** Two values within one sentence; where both are long, the part in which they differ. */
export function shortPair(left: Json, right: Json): readonly [string, string] {
  const one = inline(left)
  const other = inline(right)
  if (one.length <= ROOM && other.length <= ROOM) return [one, other]
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  const from = same <= ROOM - LEAD ? 0 : same - LEAD
  return [cut(one, from), cut(other, from)]
}

function cut(text: string, from = 0): string {
  const rest = from === 0 ? text : `…${text.slice(from)}`
  return rest.length <= ROOM ? rest : `${rest.slice(0, ROOM - 1)}…`
}

/** Text as it is where it reads as text; quoted where it would read as something else or as nothing. */
function inline(value: Json): string {
  if (typeof value === 'string') return /^[^\s"'](?:[^\n\t"]*[^\s"'])?$/.test(value) ? value : JSON.stringify(value)
  if (isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (isObject(value)) {
    const entries = Object.entries(value).flatMap(([key, item]) =>
      item === undefined ? [] : [`${key}: ${inline(item)}`],
    )
    return `{${entries.join(', ')}}`
  }
  return stringifyJson(value)
}
