/** Alternatives that braces may open into; more is a pattern made to hurt. */
const maxAlternatives = 256

/**
 * Whether a policy is for a repository: one pattern must match, and no pattern behind a `!` may. A URL is tried as it is
 * written and in its plain form (no credentials, host in lower case, no `.git` or slash at the end, `git@host:path` as
 * ssh), so that another spelling of the same repository does not slip past its policy. A `!` counts for the spelling
 * as written alone, and a pattern too large to be opened counts as a match.
 */
export function coversRepository(globs: readonly string[], url: string): boolean {
  const plain = plainUrl(url)
  let included = false
  for (const glob of globs) {
    if (glob.startsWith('!')) {
      if (matchesGlob(url, glob.slice(1)) === true) return false
    } else if (matchesGlob(url, glob) !== false || matchesGlob(plain, glob) || matchesGlob(plain, plainUrl(glob))) {
      included = true
    }
  }
  return included
}

/**
 * gobwas/glob without separators, as Argo CD calls it: `*` and `**` any run, `?`, `[a-z]`, `[!a]`, `{a,b}`, `\` quotes.
 * Undefined for a pattern with more alternatives than anybody means.
 */
export function matchesGlob(text: string, glob: string): boolean | undefined {
  return expandBraces(glob)?.some((alternative) => matchesTokens(text, tokenize(alternative)))
}

export function plainUrl(url: string): string {
  const scp = /^(?:[^@/:\s]+@)?([^/:\s]+):(?!\/\/)([^\s]+)$/.exec(url)
  const whole = scp === null || url.includes('://') ? url : `ssh://${scp[1]}/${scp[2]?.replace(/^\/+/, '')}`
  const parts = /^([a-z+]+):\/\/(?:[^@/]*@)?([^/]*)(.*)$/i.exec(whole)
  const path = parts === null ? whole : `${parts[1]?.toLowerCase()}://${parts[2]?.toLowerCase()}${parts[3]}`
  return path.replace(/\/{1,8}$/, '').replace(/\.git$/, '')
}

type Token = { readonly kind: 'any' } | { readonly kind: 'one'; readonly accepts: (char: string) => boolean }

/** Greedy with one resumption point: linear in text times pattern. */
function matchesTokens(text: string, tokens: readonly Token[]): boolean {
  let at = 0
  let next = 0
  let star = -1
  let resume = 0
  while (at < text.length) {
    const token = tokens[next]
    if (token?.kind === 'any') {
      star = next++
      resume = at
    } else if (token?.kind === 'one' && token.accepts(text.charAt(at))) {
      at++
      next++
    } else if (star !== -1) {
      next = star + 1
      at = ++resume
    } else {
      return false
    }
  }
  return tokens.slice(next).every((token) => token.kind === 'any')
}

function tokenize(glob: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at)
    const close = char === '[' ? glob.indexOf(']', at + 2) : -1
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'any') tokens.push({ kind: 'any' })
    } else if (char === '?') {
      tokens.push({ kind: 'one', accepts: () => true })
    } else if (close !== -1) {
      tokens.push({ kind: 'one', accepts: charClass(glob.slice(at + 1, close)) })
      at = close
    } else {
      const literal = char === '\\' && at + 1 < glob.length ? glob.charAt(++at) : char
      tokens.push({ kind: 'one', accepts: (candidate) => candidate === literal })
    }
  }
  return tokens
}

function charClass(body: string): (char: string) => boolean {
  const negated = body.startsWith('!')
  const list = negated ? body.slice(1) : body
  const range = /^(.)-(.)$/s.exec(list)
  const [, low = '', high = ''] = range ?? []
  return (char) => (range === null ? list.includes(char) : low <= char && char <= high) !== negated
}

/** `{a,b}` opens into both, the innermost braces first. */
function expandBraces(glob: string): readonly string[] | undefined {
  const pending = [glob]
  const done: string[] = []
  while (pending.length > 0) {
    if (pending.length + done.length > maxAlternatives) return undefined
    const pattern = pending.pop() ?? ''
    const braces = /^(.*)(?<!\\)\{([^{}]*)\}(.*)$/s.exec(pattern)
    if (braces === null) done.push(pattern)
    else for (const choice of (braces[2] ?? '').split(',')) pending.push(`${braces[1]}${choice}${braces[3]}`)
  }
  return done
}
