/**
 * The globs of `directory.include` and `exclude` as Argo CD reads them (`util/glob`, gobwas/glob without separators):
 * `*` and `**` match across slashes, `?` any character, `[a-z]`, `[!a]`, `{a,b}`, and `\` takes the next one literally.
 * @returns undefined where the glob is malformed
 */
export function compileGlob(glob: string): ((text: string) => boolean) | undefined {
  const source = translate(glob)
  if (source === undefined) return undefined
  try {
    const pattern = new RegExp(`^(?:${source})$`, 'su')
    return (text) => pattern.test(text)
  } catch {
    return undefined
  }
}

const token = /\\([\s\S])|\*+|\?|\[(!?)([^\]]+)\]|[{},[\]\\]|[^\\*?[\]{},]+/gu

function translate(glob: string): string | undefined {
  let depth = 0
  let source = ''
  for (const [text, escaped, negation, set] of glob.matchAll(token)) {
    if (escaped !== undefined) source += literal(escaped)
    else if (text.startsWith('*')) source += '.*'
    else if (text === '?') source += '.'
    else if (set !== undefined)
      source += `[${negation === '!' ? '^' : ''}${set.replaceAll(/[\\[\]^]/g, String.raw`\$&`)}]`
    else if (text === '{') {
      depth += 1
      source += '(?:'
    } else if (text === '}') {
      depth -= 1
      source += ')'
    } else if (text === ',' && depth > 0) source += '|'
    else source += literal(text)
    if (depth < 0) return undefined
  }
  return depth === 0 ? source : undefined
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}
