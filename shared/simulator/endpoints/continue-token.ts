import { badRequest } from '../errors.ts'
import { goSyntaxError } from './go-json.ts'

/** Where the next page of a list starts. */
export interface ContinueToken {
  /** Negative: whatever is there now. */
  readonly resourceVersion: number
  readonly startKey: string
}

const tokenVersion = 'meta.k8s.io/v1'

export function makeToken(resourceVersion: number, startKey: string): string {
  const token = { v: tokenVersion, rv: resourceVersion, start: startKey }
  return Buffer.from(JSON.stringify(token)).toString('base64url')
}

/**
 * Reads a token that a client sends back (apiserver `pkg/storage/continue.go`).
 *
 * @throws StatusError 400
 */
export function readToken(text: string): ContinueToken {
  const bad = base64Error(text)
  if (bad !== undefined) throw unreadable(`illegal base64 data at input byte ${bad}`)
  const json = Buffer.from(text, 'base64url').toString('utf8')
  const { v = '', rv = 0, start = '' } = parsed(json)
  if (v !== tokenVersion) throw unreadable(`server does not recognize this encoded version ${String(v)}`)
  if (typeof rv !== 'number') throw unreadable(wrongType(rv, 'rv', 'int64'))
  if (typeof start !== 'string') throw unreadable(wrongType(start, 'start', 'string'))
  if (rv === 0) throw unreadable(`incorrect encoded start resourceVersion (version ${tokenVersion})`)
  if (start === '') throw unreadable(`encoded start key empty (version ${tokenVersion})`)
  if (!isClean(start)) throw unreadable(start)
  return { resourceVersion: rv, startKey: start }
}

function unreadable(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`)
}

function wrongType(value: unknown, field: string, type: string): string {
  const given = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
  return `json: cannot unmarshal ${given} into Go struct field continueToken.${field} of type ${type}`
}

function parsed(json: string): { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown } {
  try {
    const value: unknown = JSON.parse(json)
    return value !== null && typeof value === 'object' ? value : {}
  } catch {
    throw unreadable(goSyntaxError(json) ?? 'unexpected end of JSON input')
  }
}

/** Where Go's unpadded base64url decoder stops; undefined where it does not. */
function base64Error(text: string): number | undefined {
  const stranger = text.search(/[^A-Za-z0-9_\-\r\n]/u)
  if (stranger >= 0) return stranger
  return text.replaceAll(/[\r\n]/gu, '').length % 4 === 1 ? text.length - 1 : undefined
}

/** Whether `path.Clean` would leave the key as it is, but for the end mark of the last name. */
function isClean(key: string): boolean {
  const parts = (key.startsWith('/') ? key.slice(1) : key).split('/')
  return parts.every((part) => part !== '' && part !== '.' && part !== '..')
}
