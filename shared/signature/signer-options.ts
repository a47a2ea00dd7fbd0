export type SignerOptions = {
  readonly isAuthority: boolean
  readonly namespaces?: string
  readonly validAfter?: number
  readonly validBefore?: number
}

type Draft = { isAuthority: boolean; namespaces?: string; validAfter?: number; validBefore?: number }

/**
 * The options of an `allowed_signers` line (sshsig.c, sshsigopt_parse): an unknown, doubled or unreadable option
 * makes the whole line void. Gives the options, or what is wrong with them.
 */
export function parseSignerOptions(text: string): SignerOptions | string {
  const draft: Draft = { isAuthority: false }
  let rest = text
  while (rest !== '') {
    const option = /^([a-z-]+)(?:="((?:[^"\\]|\\"|\\)*)")?(,|$)/i.exec(rest)
    if (option === null) return 'unknown option'
    const problem = takeOption(draft, (option[1] ?? '').toLowerCase(), option[2]?.replaceAll('\\"', '"'))
    if (problem !== undefined) return problem
    rest = rest.slice(option[0].length)
    if (option[3] === ',' && rest === '') return 'options end early'
  }
  const { validAfter, validBefore } = draft
  if (validAfter !== undefined && validBefore !== undefined && validBefore <= validAfter) {
    return 'valid-before is before valid-after'
  }
  return draft
}

function takeOption(draft: Draft, name: string, value: string | undefined): string | undefined {
  if (name === 'cert-authority' && value === undefined) {
    draft.isAuthority = true
    return undefined
  }
  if (value === undefined) return 'unknown option'
  switch (name) {
    case 'namespaces':
      if (draft.namespaces !== undefined) return 'namespaces given twice'
      draft.namespaces = value
      return undefined
    case 'valid-after':
    case 'valid-before': {
      const field = name === 'valid-after' ? 'validAfter' : 'validBefore'
      const seconds = parseAbsoluteTime(value)
      if (draft[field] !== undefined) return `${name} given twice`
      if (seconds === undefined || seconds === 0) return `unreadable ${name}`
      draft[field] = seconds
      return undefined
    }
    default:
      return 'unknown option'
  }
}

/** `YYYYMMDD[HHMM[SS]]`, local time unless it ends in `Z`, as OpenSSH's parse_absolute_time. Seconds since 1970. */
export function parseAbsoluteTime(text: string): number | undefined {
  const match = /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(Z?)$/.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0))
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return undefined
  const ms =
    match[7] === 'Z'
      ? Date.UTC(year, month - 1, day, hour, minute, second)
      : new Date(year, month - 1, day, hour, minute, second).getTime()
  return ms < 0 || Number.isNaN(ms) ? undefined : ms / 1000
}
