/** A span of one line, counted from 0; `end` is behind the last character. */
export type Span = { readonly start: number; readonly end: number }

/**
 * The key that starts at a column of a line: what a squiggle goes under, not its value. A list item without a key of its
 * own is marked whole.
 */
export function keySpan(line: string, column: number): Span {
  const text = line.trimEnd()
  let start = Math.min(Math.max(column, 0), text.length)
  const dash = /^(?:-\s+)+/.exec(text.slice(start))
  if (dash !== null) start += dash[0].length
  const key = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:#][^:#]*?)(?=\s*:(?:\s|$))/.exec(text.slice(start))
  const end = key === null ? text.replace(/\s+#.*$/, '').length : start + key[0].length
  if (end > start) return { start, end }
  const first = text.length - text.trimStart().length
  return { start: first, end: Math.max(text.length, first + 1) }
}
