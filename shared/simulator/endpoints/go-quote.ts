/** One character as `encoding/json` names it in an error. */
export function goQuoteChar(character: string): string {
  if (character === "'") return `'\\''`
  if (character === '"') return `'"'`
  const quoted = JSON.stringify(character).slice(1, -1)
  return `'${/^\\u00[01]/u.test(quoted) ? quoted.replace('\\u00', '\\x') : quoted}'`
}
