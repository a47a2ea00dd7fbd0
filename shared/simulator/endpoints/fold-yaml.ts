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
