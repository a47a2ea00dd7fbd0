/** Where a cursor stands in a YAML text, as far as its lines tell; the text need not be whole. */
export type Cursor = {
  /** Keys and indices of the map or list that the cursor is in. */
  readonly path: readonly (string | number)[]
  /** The key whose value is being written; undefined where a key is. */
  readonly key: string | undefined
  /** Keys that the map has already. */
  readonly siblings: ReadonlySet<string>
}

type Line = { readonly indent: number; readonly dash: boolean; readonly key: string | undefined }

const KEY = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#:'"][^:#]*?))\s*:(?:\s|$)/

function isEnd(text: string | undefined): boolean {
  return text !== undefined && /^(?:---|\.\.\.)(?:\s|$)/.test(text)
}

/** The first line of the document that a line is in, and the line behind its last. */
export function documentAround(lines: readonly string[], line: number): readonly [number, number] {
  let first = line
  while (first > 0 && !isEnd(lines[first - 1])) first -= 1
  let end = line
  while (end < lines.length && !isEnd(lines[end])) end += 1
  return [first, end]
}

/** @param character counts from 0 */
export function cursorAt(lines: readonly string[], line: number, character: number): Cursor {
  const [first, end] = documentAround(lines, line)
  const before = (lines[line] ?? '').slice(0, character)
  const parts = partsOf(before)
  const own = parts.at(-1)
  const valued = own?.key !== undefined && before.includes(':')
  const column = own === undefined || own.dash ? before.length : own.indent
  const opening = own?.dash === true ? parts : parts.slice(0, -1)
  const path = pathAbove(lines, first, line, opening, column)
  return { path, key: valued ? own?.key : undefined, siblings: siblingsAround(lines, [first, end], line, column) }
}

/** A line may open several levels: `- - a: b`. */
function partsOf(text: string): readonly Line[] {
  const found: Line[] = []
  let indent = text.length - text.trimStart().length
  let rest = text.slice(indent)
  while (/^-(?:\s|$)/.test(rest)) {
    found.push({ indent, dash: true, key: undefined })
    const skipped = /^-\s*/.exec(rest)?.[0].length ?? 1
    indent += skipped
    rest = rest.slice(skipped)
  }
  if (rest !== '' && !rest.startsWith('#')) {
    const match = KEY.exec(rest)
    found.push({ indent, dash: false, key: match?.[1] ?? match?.[2] ?? match?.[3] })
  }
  return found
}

function pathAbove(
  lines: readonly string[],
  first: number,
  line: number,
  opening: readonly Line[],
  column: number,
): readonly (string | number)[] {
  const path: (string | number)[] = []
  // A list may stand as deep as the key that holds it; its other items stand as deep as the one that was met.
  let ofKeys = column
  let ofDashes = column
  const walk = (parts: readonly Line[], at: number): void => {
    for (const { dash, indent, key } of parts.toReversed()) {
      if (dash ? indent >= ofDashes : key === undefined || indent >= ofKeys) continue
      path.unshift(dash ? indexOf(lines, first, at, indent) : (key ?? ''))
      ofDashes = indent
      ofKeys = dash ? indent + 1 : indent
    }
  }
  walk(opening, line)
  for (let at = line - 1; at >= first; at -= 1) {
    if (ofKeys === 0) break
    const text = lines[at] ?? ''
    if (text.trim() === '' || text.trimStart().startsWith('#')) continue
    walk(partsOf(text), at)
  }
  return path
}

/** Which item of its list a dash is. */
function indexOf(lines: readonly string[], first: number, line: number, indent: number): number {
  let index = 0
  for (let at = line - 1; at >= first; at -= 1) {
    const text = lines[at] ?? ''
    if (text.trim() === '') continue
    const deep = text.length - text.trimStart().length
    if (deep < indent || (deep === indent && !/^-(?:\s|$)/.test(text.trimStart()))) break
    if (deep === indent) index += 1
  }
  return index
}

function siblingsAround(
  lines: readonly string[],
  [first, end]: readonly [number, number],
  line: number,
  column: number,
): ReadonlySet<string> {
  const found = new Set<string>()
  const look = (at: number): boolean => {
    const text = lines[at] ?? ''
    if (text.trim() === '') return true
    const parts = partsOf(text)
    const same = parts.find((part) => !part.dash && part.indent === column)
    if (same?.key !== undefined) found.add(same.key)
    // A dash begins another item, a shallower line another map.
    return (parts[0]?.indent ?? column) >= column
  }
  for (let at = line - 1; at >= first && look(at); at -= 1);
  for (let at = line + 1; at < end; at += 1) {
    const text = lines[at] ?? ''
    if (text.trim() !== '' && text.length - text.trimStart().length < column) break
    look(at)
  }
  return found
}
