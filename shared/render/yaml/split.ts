/** A part of a file that can be parsed on its own. `line` is the line of its first character, from 1. */
export type Chunk = { readonly text: string; readonly line: number }

/**
 * Cuts a text at the lines that start a document, as kubectl does before it parses
 * (apimachinery `util/yaml/decoder.go`, `YAMLReader`).
 */
export function splitDocuments(text: string, whole: boolean): readonly Chunk[] {
  // Directives belong to the document after the separator.
  if (whole || text.startsWith('%') || text.includes('\n%')) return [{ text, line: 1 }]
  const chunks: Chunk[] = []
  let start = 0
  let line = 1
  for (;;) {
    const at = nextSeparator(text, start)
    if (at < 0) break
    const part = text.slice(start, at + 1)
    chunks.push({ text: part, line })
    line += countLines(part)
    start = at + 1
  }
  chunks.push({ text: text.slice(start), line })
  return chunks
}

/** Offset of the line break before the next `---` line, at or after an offset. */
function nextSeparator(text: string, from: number): number {
  for (let at = text.indexOf('\n---', from); at >= 0; at = text.indexOf('\n---', at + 1)) {
    const after = text.charCodeAt(at + 4)
    // End of text, space, tab, line end.
    if (Number.isNaN(after) || after === 32 || after === 9 || after === 10 || after === 13) return at
  }
  return -1
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
