import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { JsonClient } from './control-plane-client.ts'

/** One request as kube-apiserver recorded it when it was answered. */
export interface AuditEvent {
  readonly user: string
  readonly userAgent: string
  readonly verb: string
  /** Path and query as sent. */
  readonly uri: string
  /** HTTP status of the answer. */
  readonly status: number
  readonly resource: string | undefined
  readonly subresource: string | undefined
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly dryRun: boolean
}

interface RawEvent {
  readonly verb: string
  readonly requestURI: string
  readonly userAgent?: string
  readonly user: { readonly username: string }
  readonly responseStatus?: { readonly code?: number }
  readonly objectRef?: {
    readonly resource?: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection'])

/**
 * Whether a client asked the server to change something for good; a review that only asks is no write, and what the server
 * does by itself (its own leases) is no client's.
 */
export function isWrite(event: AuditEvent): boolean {
  if (event.user.startsWith('system:apiserver')) return false
  return WRITES.has(event.verb) && !event.dryRun && event.resource?.endsWith('reviews') !== true
}

/** Reads the whole log, after a request of its own has shown up in it, so that all that came before is there. */
export async function readAuditEvents(path: string, client: JsonClient): Promise<readonly AuditEvent[]> {
  const marker = randomUUID()
  await client.request(`/version?marker=${marker}`)
  for (;;) {
    const text = await readFile(path, 'utf8')
    if (text.includes(marker) && text.endsWith('\n'))
      return parseAuditLog(text).filter((event) => !event.uri.includes('?marker='))
    await setTimeout(20)
  }
}

function parseAuditLog(text: string): readonly AuditEvent[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => toEvent(JSON.parse(line) as RawEvent))
}

function toEvent(raw: RawEvent): AuditEvent {
  return {
    user: raw.user.username,
    userAgent: raw.userAgent ?? '',
    verb: raw.verb,
    uri: raw.requestURI,
    status: raw.responseStatus?.code ?? 0,
    resource: raw.objectRef?.resource,
    subresource: raw.objectRef?.subresource,
    namespace: raw.objectRef?.namespace,
    name: raw.objectRef?.name,
    dryRun: new URL(raw.requestURI, 'https://localhost').searchParams.has('dryRun'),
  }
}
