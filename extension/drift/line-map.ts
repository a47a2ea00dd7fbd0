import { diffArrays } from 'diff'

/** Edits beyond which two texts are not lined up: a file that was rewritten has other places. */
const MOST_EDITS = 2000

/**
 * Where each line of one text stands in another, counted from 0: what a commit calls line 7 may be line 9 of the file
 * that is open. A line that was changed keeps its place among its neighbours. Undefined where the texts are too
 * different.
 */
export function mapLines(before: string, after: string): ((line: number) => number) | undefined {
  if (before === after) return (line) => line
  const parts = diffArrays(linesOf(before), linesOf(after), { maxEditLength: MOST_EDITS })
  if (parts === undefined) return undefined
  const map: number[] = []
  let at = 0
  let removed = 0
  for (const part of parts) {
    if (part.removed) {
      for (let index = 0; index < part.value.length; index += 1) map.push(at + index)
      removed = part.value.length
    } else if (part.added) {
      // Lines that were removed just before are those that these replaced, line by line.
      for (let index = part.value.length; index < removed; index += 1)
        map[map.length - removed + index] = at + part.value.length
      at += part.value.length
      removed = 0
    } else {
      for (let index = 0; index < removed; index += 1) map[map.length - removed + index] = at
      removed = 0
      for (let index = 0; index < part.value.length; index += 1) map.push(at + index)
      at += part.value.length
    }
  }
  for (let index = 0; index < removed; index += 1) map[map.length - removed + index] = Math.max(at - 1, 0)
  return (line) => map[line] ?? line
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/)
}
