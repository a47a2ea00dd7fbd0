/** One `[section "subsection"] name = value`; section and name in lower case, the subsection as written. */
export interface ConfigEntry {
  readonly section: string
  readonly subsection: string | undefined
  readonly name: string
  readonly value: string
}

/**
 * Reads the text of a repository's own `config` file (git-config(1), CONFIGURATION FILE). Includes are not followed:
 * what is asked here (remotes, formats) stands in the file itself. A line that is none of the syntax is passed over.
 */
export function parseConfig(text: string): readonly ConfigEntry[] {
  const entries: ConfigEntry[] = []
  let section = ''
  let subsection: string | undefined
  for (const line of logicalLines(text)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    const rest = header === null ? line : line.slice(header[0].length)
    if (header !== null) {
      section = (header[1] ?? '').toLowerCase()
      subsection = header[2]?.replace(/\\(.)/g, '$1')
    }
    const assignment = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?$/s.exec(withoutComment(rest))
    if (assignment === null) continue
    // A name without `=` is true, as git reads it.
    const value = assignment[2] === undefined ? 'true' : unquote(assignment[2].trim())
    entries.push({ section, subsection, name: (assignment[1] ?? '').toLowerCase(), value })
  }
  return entries
}

/** @returns the last value, which is the one that counts. */
export function configValue(entries: readonly ConfigEntry[], section: string, name: string): string | undefined {
  return entries.findLast(
    (entry) => entry.section === section && entry.subsection === undefined && entry.name === name.toLowerCase(),
  )?.value
}

/** A configured remote; git lets one have several URLs. */
export interface Remote {
  readonly name: string
  readonly urls: readonly string[]
}

/** @returns the remotes in the order in which they are written. */
export function configuredRemotes(entries: readonly ConfigEntry[]): readonly Remote[] {
  const remotes = new Map<string, string[]>()
  for (const { section, subsection, name, value } of entries) {
    if (section !== 'remote' || subsection === undefined || (name !== 'url' && name !== 'pushurl')) continue
    const urls = remotes.get(subsection) ?? []
    urls.push(value)
    remotes.set(subsection, urls)
  }
  return [...remotes].map(([name, urls]) => ({ name, urls }))
}

function logicalLines(text: string): readonly string[] {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/(?<!\\)((?:\\\\)*)\\\r?\n/g, '$1')
    .split(/\r?\n/)
}

function withoutComment(line: string): string {
  let quoted = false
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index]
    if (character === '\\') index += 1
    else if (character === '"') quoted = !quoted
    else if (!quoted && (character === '#' || character === ';')) return line.slice(0, index)
  }
  return line
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' }

function unquote(value: string): string {
  return value.replace(/\\(.)|"/gs, (_, escaped: string | undefined) =>
    escaped === undefined ? '' : (escapes[escaped] ?? escaped),
  )
}
