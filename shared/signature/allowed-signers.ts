import { type SshKey, readSshKey } from './ssh-key.ts'
import { isCertificateType, readSshCertificate } from './ssh-certificate.ts'
import { parseSignerOptions } from './signer-options.ts'
import { WireError } from './ssh-wire.ts'

/** One line of an `allowed_signers` file (ssh-keygen(1), ALLOWED SIGNERS). */
export type AllowedSigner = {
  /** A comma list of patterns, as written. */
  readonly principals: string
  readonly key: SshKey
  /** Set where the line names one certificate; only that certificate matches. */
  readonly certificate?: Buffer
  readonly isAuthority: boolean
  readonly namespaces?: string
  /** Seconds since 1970; a signature made before is refused. */
  readonly validAfter?: number
  /** Seconds since 1970; a signature made after is refused. */
  readonly validBefore?: number
}

export type SignersFile = {
  readonly signers: readonly AllowedSigner[]
  /** Lines that ssh-keygen would skip with an error, with why. */
  readonly problems: readonly { readonly line: number; readonly message: string }[]
}

/** Reads a whole file. A line that cannot be read allows nobody and is reported, as ssh-keygen does. */
export function readAllowedSigners(text: string): SignersFile {
  const signers: AllowedSigner[] = []
  const problems: { line: number; message: string }[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const content = line.replace(/^[ \t\r]+/, '')
    if (content === '' || content.startsWith('#')) continue
    const signer = readLine(content)
    if (typeof signer === 'string') problems.push({ line: index + 1, message: signer })
    else signers.push(signer)
  }
  return { signers, problems }
}

function readLine(content: string): AllowedSigner | string {
  const field = principalsField(content)
  if (field === undefined) return 'no principals'
  const key = readPublicKey(field.rest)
  if (key !== undefined) return { principals: field.principals, isAuthority: false, ...key }
  const end = unquotedSpace(field.rest)
  if (end === -1) return 'no key'
  const options = parseSignerOptions(field.rest.slice(0, end))
  if (typeof options === 'string') return options
  const keyAfter = readPublicKey(field.rest.slice(end).replace(/^[ \t]+/, ''))
  return keyAfter === undefined ? 'unreadable key' : { principals: field.principals, ...options, ...keyAfter }
}

function principalsField(content: string): { readonly principals: string; readonly rest: string } | undefined {
  if (content.startsWith('"')) {
    const end = content.indexOf('"', 1)
    if (end === -1) return undefined
    return { principals: content.slice(1, end), rest: content.slice(end + 1).replace(/^[ \t]+/, '') }
  }
  const match = /^([^ \t]+)[ \t]+(.*)$/s.exec(content)
  return match === null ? undefined : { principals: match[1] ?? '', rest: match[2] ?? '' }
}

/** `TYPE BASE64 [comment]`; undefined where the text does not start with a readable key. */
export function readPublicKey(text: string): { readonly key: SshKey; readonly certificate?: Buffer } | undefined {
  const match = /^([a-z0-9@.-]{1,64})[ \t]+([A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(text)
  const [, type = '', base64 = ''] = match ?? []
  if (match === null) return undefined
  const blob = Buffer.from(base64, 'base64')
  try {
    if (isCertificateType(type)) return { key: readSshCertificate(blob).key, certificate: blob }
    const key = readSshKey(blob)
    return key.type === type ? { key } : undefined
  } catch (error) {
    if (WireError.is(error)) return undefined
    throw error
  }
}

/** Where options end: the first blank outside of quotes. */
function unquotedSpace(text: string): number {
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '\\' && text[at + 1] === '"') at++
    else if (char === '"') quoted = !quoted
    else if (!quoted && (char === ' ' || char === '\t')) return at
  }
  return -1
}
