/**
 * OpenSSH's patterns (ssh_config(5), PATTERNS): `*` any run, `?` one character, nothing else is special.
 * Linear in text times pattern, whatever the pattern.
 */
export function matchesPattern(text: string, pattern: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let p = 0
  while (at < text.length) {
    const want = pattern[p]
    if (want === '*') {
      star = p
      resume = at
      p++
    } else if (want !== undefined && (want === '?' || want === text[at])) {
      at++
      p++
    } else if (star !== -1) {
      resume++
      at = resume
      p = star + 1
    } else {
      return false
    }
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** A comma list of patterns; one that begins with `!` and matches refuses, whatever else matches. */
export function matchesPatternList(text: string, list: string): boolean {
  let matched = false
  for (const pattern of list.split(',')) {
    if (pattern.startsWith('!')) {
      if (matchesPattern(text, pattern.slice(1))) return false
    } else if (matchesPattern(text, pattern)) {
      matched = true
    }
  }
  return matched
}
