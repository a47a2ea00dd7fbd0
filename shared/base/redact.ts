const mask = '***'

/** Header, token and key shapes that carry a secret wherever they stand. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@'"]*:[^\s/?#'"]*@/gi, `$1${mask}@`],
  [/(https?:\/\/)[^\s/?#@'":]+@/gi, `$1${mask}@`],
  [/\b(authorization["']?\s*[:=]\s*["']?(?:basic|bearer|token|negotiate)\s+)[^\s"',]+/gi, `$1${mask}`],
  [/\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}/gi, `$1${mask}`],
  [/([?&](?:access_token|private_token|token|password|secret|api_key|apikey|sig)=)[^\s&#"']+/gi, `$1${mask}`],
  [/\b(?:gh[oprsu]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[abp]-[\w-]{10,})/g, mask],
  [/\beyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]*/g, mask],
  [
    /(-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----)[\s\S]*?(-----END [A-Z ]*PRIVATE KEY( BLOCK)?-----|$)/g,
    `$1${mask}$3`,
  ],
]

/**
 * Masks credentials in a text for a log, an error or a front end: in URLs, headers, query strings, known token shapes
 * and private keys, and every literal secret that the caller knows.
 */
export function redact(text: string, secrets: readonly (string | undefined)[] = []): string {
  let result = text
  for (const secret of secrets) {
    // A one-letter secret would mask the text itself and tell its value by that.
    if (secret === undefined || secret.length < 3) continue
    for (const form of new Set([secret, encodeURIComponent(secret)])) result = result.replaceAll(form, mask)
  }
  for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement)
  return result
}
