/** Whether a context is one in which a mistake costs more: a pattern with `*` names it. */
export function isProduction(context: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matches(context.toLowerCase(), pattern.toLowerCase().split('*')))
}

/** Without backtracking: the first part at the start, the last at the end, those between in order. */
function matches(name: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
