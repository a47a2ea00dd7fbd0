import { createHash } from 'node:crypto'
import { limits } from './limits.ts'
import type { Reason } from './reason.ts'

export type ObjectFormat = 'sha1' | 'sha256'

/** `Name <mail>` and the time that the person claims, which the signature covers. */
export type Identity = {
  readonly name: string
  readonly email: string
  /** Seconds since 1970; undefined where the line has none. */
  readonly seconds?: number
}

type Signed = {
  readonly sha: string
  readonly objectFormat: ObjectFormat
  /** The bytes that were signed, exactly as git hands them to gpg or ssh-keygen. */
  readonly payload: Uint8Array
  /** The armored signature; undefined for an unsigned object. */
  readonly signature?: Uint8Array
  /** Set where the object is made to mislead or cannot be read. */
  readonly doubt?: Reason
}

export type CommitObject = Signed & {
  readonly kind: 'commit'
  readonly parents: readonly string[]
  readonly author: Identity
  readonly committer: Identity
  readonly message: Uint8Array
  /** Unfolded `mergetag` headers: whole tag objects, each with its own signature. */
  readonly mergeTags: readonly Uint8Array[]
}

export type TagObject = Signed & {
  readonly kind: 'tag'
  readonly target: string
  readonly targetType: string
  readonly name: string
  readonly tagger: Identity
}

export const nobody: Identity = { name: '', email: '' }

const lf = 0x0a
const space = 0x20

/** One header of a commit or tag; `value` is unfolded. `end` is past the last continuation line. */
export type Header = {
  readonly name: string
  readonly value: Buffer
  readonly start: number
  readonly end: number
}

export type Headers = {
  readonly headers: readonly Header[]
  /** Where the message starts, behind the blank line. */
  readonly messageAt: number
  /** More headers than anybody writes; the rest was not read. */
  readonly isExcessive: boolean
}

/** Splits an object into its headers and its message. */
export function readHeaders(bytes: Buffer): Headers {
  const headers: Header[] = []
  let at = 0
  while (at < bytes.length && bytes[at] !== lf && headers.length < limits.headers) {
    const start = at
    const parts: Buffer[] = []
    const first = lineEnd(bytes, at)
    const gap = bytes.subarray(at, first).indexOf(space)
    const nameEnd = gap === -1 ? contentEnd(bytes, first) : at + gap
    parts.push(bytes.subarray(Math.min(nameEnd + 1, first), first))
    at = first
    while (at < bytes.length && bytes[at] === space) {
      const next = lineEnd(bytes, at)
      parts.push(bytes.subarray(at + 1, next))
      at = next
    }
    const value = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
    headers.push({ name: bytes.toString('latin1', start, nameEnd), value, start, end: at })
  }
  const isExcessive = at < bytes.length && bytes[at] !== lf
  return { headers, messageAt: Math.min(at + 1, bytes.length), isExcessive }
}

/** The id that git gives these bytes. */
export function objectId(kind: 'commit' | 'tag', bytes: Uint8Array, format: ObjectFormat): string {
  return createHash(format).update(`${kind} ${bytes.length}\0`).update(bytes).digest('hex')
}

/** An object id's hash by its length; undefined where the text is no object id. */
export function formatOfId(id: string): ObjectFormat | undefined {
  if (/^[0-9a-f]{40}$/.test(id)) return 'sha1'
  return /^[0-9a-f]{64}$/.test(id) ? 'sha256' : undefined
}

/** `Name <mail> 1700000000 +0100` */
export function readIdentity(value: Buffer | undefined): Identity {
  if (value === undefined) return nobody
  const match = /^([^<>\n]*?) ?<([^<>\n]*)>(?: (\d{1,15})(?: [+-]\d{4})?)?\s*$/.exec(value.toString('utf8'))
  if (match === null) return nobody
  const [, name = '', email = '', seconds] = match
  return { name, email, ...(seconds !== undefined && { seconds: Number(seconds) }) }
}

/** A header's value on one line, without its line feed. */
export function textOf(header: Header | undefined): string {
  return header === undefined ? '' : header.value.toString('utf8').replace(/\n$/, '')
}

/** Git's own names; anything else that begins with `gpgsig` git leaves out of the payload all the same. */
export const signatureHeaders: { readonly [format in ObjectFormat]: string } = {
  sha1: 'gpgsig',
  sha256: 'gpgsig-sha256',
}

/** What is wrong with the headers of an object, before any key is looked at. */
export function headerDoubt(headers: readonly Header[], ownHeader: string | undefined): Reason | undefined {
  const lookalikes = headers.filter((header) => header.name.startsWith('gpgsig'))
  const known: readonly string[] = Object.values(signatureHeaders)
  if (lookalikes.some((header) => !known.includes(header.name))) return 'lookalike-header'
  const names = lookalikes.map((header) => header.name)
  if (names.filter((name) => name === ownHeader).length > 1) return 'multiple-signatures'
  if (new Set(names).size !== names.length) return 'lookalike-header'
  return undefined
}

/** True for an object that is too large to be looked at. */
export function isOversized(bytes: Uint8Array): boolean {
  return bytes.length > limits.object
}

function lineEnd(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(lf, from)
  return at === -1 ? bytes.length : at + 1
}

function contentEnd(bytes: Buffer, end: number): number {
  return bytes[end - 1] === lf ? end - 1 : end
}
