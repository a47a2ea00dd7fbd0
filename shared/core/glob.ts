type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'many'; readonly crosses: boolean }
  | { readonly kind: 'set'; readonly negated: boolean; readonly characters: string }

/**
 * Whether a glob fits a whole text, as Argo CD's do (`util/glob`, gobwas): `*` stops at the separator where there is one,
 * `**` does not, `?` is one character, `[ab]`, `[!ab]` and `[a-c]` are sets, `{a,b}` alternatives. The time that it takes
 * grows with pattern and text only, whatever the pattern: it may come from a stranger.
 */
export function globFits(pattern: string, text: string, separator = ''): boolean {
  return alternatives(pattern).some((one) => fits(tokens(one), text, separator))
}

function fits(pattern: readonly Token[], text: string, separator: string): boolean {
  let places: ReadonlySet<number> = new Set([0])
  for (const token of pattern) {
    const next = new Set<number>()
    for (const place of places) {
      for (const end of ends(token, text, place, separator)) {
        // Whoever was here before has gone on from here already.
        if (next.has(end)) break
        next.add(end)
      }
    }
    if (next.size === 0) return false
    places = next
  }
  return places.has(text.length)
}

function* ends(token: Token, text: string, place: number, separator: string): Generator<number> {
  const character = text[place]
  switch (token.kind) {
    case 'text':
      if (text.startsWith(token.text, place)) yield place + token.text.length
      return
    case 'any':
      if (character !== undefined && character !== separator) yield place + 1
      return
    case 'set':
      if (character !== undefined && inSet(token.characters, character) !== token.negated) yield place + 1
      return
    case 'many':
      for (let end = place; end <= text.length; end++) {
        yield end
        if (!token.crosses && separator !== '' && text[end] === separator) return
      }
  }
}

function inSet(characters: string, character: string): boolean {
  for (let at = 0; at < characters.length; at++) {
    const last = characters[at + 2]
    const isRange = characters[at + 1] === '-' && last !== undefined
    const first = characters[at] ?? ''
    if (isRange ? first <= character && character <= last : first === character) return true
    if (isRange) at += 2
  }
  return false
}

function tokens(pattern: string): readonly Token[] {
  const found: Token[] = []
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? ''
    const close = character === '[' ? pattern.indexOf(']', at + 1) : -1
    if (character === '*') {
      const crosses = pattern[at + 1] === '*'
      found.push({ kind: 'many', crosses })
      if (crosses) at += 1
    } else if (character === '?') found.push({ kind: 'any' })
    else if (close > at) {
      const inner = pattern.slice(at + 1, close)
      found.push({ kind: 'set', negated: /^[!^]/.test(inner), characters: inner.replace(/^[!^]/, '') })
      at = close
    } else if (character === '\\' && at + 1 < pattern.length) found.push({ kind: 'text', text: pattern[++at] ?? '' })
    else found.push({ kind: 'text', text: character })
  }
  return found
}

/** More than a person writes; a stranger's pattern must not multiply without end. */
const MOST_ALTERNATIVES = 256

function alternatives(pattern: string): readonly string[] {
  let found = [pattern]
  for (;;) {
    const next = found.flatMap(spread)
    if (next.length === found.length || next.length > MOST_ALTERNATIVES) return found
    found = next
  }
}

function spread(pattern: string): readonly string[] {
  const open = pattern.indexOf('{')
  const close = pattern.indexOf('}', open)
  if (open < 0 || close < 0) return [pattern]
  const inner = pattern.slice(open + 1, close).split(',')
  return inner.map((one) => `${pattern.slice(0, open)}${one}${pattern.slice(close + 1)}`)
}
