/** The column after which goyaml breaks a text at its next space. */
const width = 80

/**
 * Breaks long texts of a YAML document, one text a line, where goyaml's emitter breaks them (go.yaml.in/yaml/v2 `emitterc.go`);
 * blocks of several lines stay as they are.
 */
export function foldYaml(document: string): string {
  if (document.length <= width) return document
  const out: string[] = []
  let blockIndent = -1
  for (const line of document.split('\n')) {
    const indent = line.search(/[^ ]/u)
    if (blockIndent >= 0 && (indent > blockIndent || indent < 0)) {
      out.push(line)
      continue
    }
    blockIndent = /(?:^|[:-] )[|>][-+]?\d?$/u.test(line) ? indent : -1
    out.push(line.length <= width ? line : foldLine(line))
  }
  return out.join('\n')
}

/** Where the last key of a line begins, and its value. */
const parts = /^(?<lead> *(?:- )*)(?<key>(?:[^\s'"#:-][^\s:]*|'(?:[^']|'')*'|"(?:[^"\\]|\\.)*"): )?(?<text>.*)$/su

function foldLine(line: string): string {
  const { lead = '', key = '', text = '' } = parts.exec(line)?.groups ?? {}
  const start = lead.length + key.length
  // A text of a list has the dash before it to count from.
  const indent = key === '' ? lead.length : lead.length + 2
  const quote = text[0] === "'" || text[0] === '"' ? text[0] : ''
  const [first, last] = quote === '' ? [0, text.length - 1] : [1, text.length - 2]
  let out = line.slice(0, start)
  let column = start
  let spaces = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    const isSpace = character === ' '
    const inner = at > first && at < last
    const breaks = isSpace && !spaces && column > width && (quote === '' || inner)
    const beforeSpace = text[at + 1] === ' '
    if (breaks && (quote === '"' || !beforeSpace)) {
      out += `\n${' '.repeat(indent)}`
      column = indent
      if (quote === '"' && beforeSpace) {
        out += '\\'
        column++
      }
    } else {
      out += character
      column++
    }
    spaces = isSpace
  }
  return out
}

/** The order of keys in goyaml's maps: numbers within them count as numbers, and letters come last (`sorter.go`). */
export function compareKeys(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)]
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const [l = '', r = ''] = [left[at], right[at]]
    if (l !== r) return compareFrom(left, right, at)
  }
  return left.length - right.length
}

function compareFrom(left: readonly string[], right: readonly string[], at: number): number {
  const [l = '', r = ''] = [left[at], right[at]]
  const [lLetter, rLetter] = [isLetter(l), isLetter(r)]
  if (lLetter !== rLetter) return rLetter ? -1 : 1
  if (!lLetter) {
    const before = /[1-9]\d*$/u.test(left.slice(0, at).join('')) && (l === '0' || r === '0') ? '1' : ''
    const [m, n] = [digitsFrom(left, at), digitsFrom(right, at)]
    const difference = Number(before + m) - Number(before + n)
    if (difference !== 0) return difference
    if (m.length !== n.length) return m.length - n.length
  }
  return (l.codePointAt(0) ?? 0) - (r.codePointAt(0) ?? 0)
}

function isLetter(character: string): boolean {
  return /^\p{L}$/u.test(character)
}

function digitsFrom(characters: readonly string[], at: number): string {
  let digits = ''
  for (let i = at; /^\d$/u.test(characters[i] ?? ''); i++) digits += characters[i]
  return digits
}
