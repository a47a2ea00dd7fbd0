import type { IncomingMessage } from 'node:http'

/** The request's own words that decide whether it comes from our page, read as Node gives them. */
export type RequestHeads = {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly fetchSite: string | undefined
  readonly fetchMode: string | undefined
}

/** What is asked of a request before anything else. */
export function headsOf({ headers }: IncomingMessage): RequestHeads {
  return {
    host: headers.host,
    origin: headers.origin,
    fetchSite: single(headers['sec-fetch-site']),
    fetchMode: single(headers['sec-fetch-mode']),
  }
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(',')
}

/** Names under which a browser reaches this machine's loopback without asking a name server. */
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Why a request is refused, or undefined. The port of `Host` may be another than ours: a forwarded one, through ssh or WSL. Its
 * name may not: a name that a stranger owns and points at 127.0.0.1 (DNS rebinding) makes his page one with ours.
 */
export function refusalOf(heads: RequestHeads): string | undefined {
  if (heads.host === undefined || !isLoopback(heads.host)) return 'this address is not a loopback address'
  // A browser names the origin on everything but plain navigation and same-origin reads.
  if (heads.origin !== undefined && heads.origin !== `http://${heads.host}`) return 'another site asked for this'
  if (heads.fetchSite === undefined || heads.fetchSite === 'same-origin' || heads.fetchSite === 'none') return undefined
  // A link from another site may be followed; nothing of ours may be embedded there.
  return heads.fetchMode === 'navigate' ? undefined : 'another site asked for this'
}

/** A WebSocket is not held back by the same-origin policy, so here the origin has to be named and ours. */
export function socketRefusalOf(heads: RequestHeads): string | undefined {
  if (heads.origin === undefined) return 'no origin was named'
  return refusalOf(heads)
}

function isLoopback(host: string): boolean {
  const port = /:(\d{1,5})$/.exec(host)
  const name = port === null ? host : host.slice(0, port.index)
  return LOOPBACK.has(name.toLowerCase())
}
