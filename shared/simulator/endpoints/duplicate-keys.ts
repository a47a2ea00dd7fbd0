/**
 * The strict-decoding texts for keys that stand twice in one JSON object, in the order found:
 * `duplicate field "spec.replicas"`. The text must be valid JSON.
 */
export function duplicateKeys(text: string): string[] {
  const found: string[] = []
  scanValue({ text, at: 0, found }, '')
  return found
}

interface Scan {
  readonly text: string
  at: number
  readonly found: string[]
}

function scanValue(scan: Scan, path: string): void {
  skipSpace(scan)
  const first = scan.text.charCodeAt(scan.at)
  if (first === 0x7b) scanObject(scan, path)
  else if (first === 0x5b) scanArray(scan, path)
  else if (first === 0x22) scanString(scan)
  else while (scan.at < scan.text.length && !isEnd(scan.text.charCodeAt(scan.at))) scan.at++
  skipSpace(scan)
}

function scanObject(scan: Scan, path: string): void {
  const seen = new Set<string>()
  scan.at++
  skipSpace(scan)
  while (scan.at < scan.text.length && scan.text.charCodeAt(scan.at) !== 0x7d) {
    const key = scanString(scan)
    const inner = path === '' ? key : `${path}.${key}`
    if (seen.has(key)) scan.found.push(`duplicate field "${inner}"`)
    seen.add(key)
    skipSpace(scan)
    scan.at++
    scanValue(scan, inner)
    if (scan.text.charCodeAt(scan.at) === 0x2c) scan.at++
    skipSpace(scan)
  }
  scan.at++
}

function scanArray(scan: Scan, path: string): void {
  scan.at++
  skipSpace(scan)
  for (let i = 0; scan.at < scan.text.length && scan.text.charCodeAt(scan.at) !== 0x5d; i++) {
    scanValue(scan, `${path}[${i}]`)
    if (scan.text.charCodeAt(scan.at) === 0x2c) scan.at++
    skipSpace(scan)
  }
  scan.at++
}

function scanString(scan: Scan): string {
  const from = scan.at
  let escaped = false
  for (scan.at++; scan.at < scan.text.length; scan.at++) {
    const code = scan.text.charCodeAt(scan.at)
    if (code === 0x5c) {
      escaped = true
      scan.at++
    } else if (code === 0x22) break
  }
  scan.at++
  const raw = scan.text.slice(from + 1, scan.at - 1)
  return escaped ? String(JSON.parse(`"${raw}"`)) : raw
}

function skipSpace(scan: Scan): void {
  for (;;) {
    const code = scan.text.charCodeAt(scan.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    scan.at++
  }
}

/** A comma, a closing bracket or white space. */
function isEnd(code: number): boolean {
  return (
    code === 0x2c || code === 0x5d || code === 0x7d || code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
  )
}
