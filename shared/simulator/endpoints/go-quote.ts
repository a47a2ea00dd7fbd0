/** One character as `encoding/json` names it in an error. */
export function goQuoteChar(character: string): string {
  if (character === "'") return `'\\''`
  if (character === '"') return `'"'`
  return `'${JSON.stringify(character).slice(1, -1)}'`
}
