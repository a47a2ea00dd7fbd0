import type { ResourceId } from '../model/kubernetes.ts'
import type { Revision } from '../model/revision.ts'
import type { ResourceStatus } from '../model/status.ts'

const SHORT = 7
const SHA = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** `2 fields`, `1 field`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** The first 7 characters of a sha; any other name as it is. */
export function shortSha(revision: string): string {
  return SHA.test(revision) ? revision.slice(0, SHORT) : revision
}

/** `main@3f2c1ab`; only the sha where that is what was asked for; only the name in a repository without commits. */
export function shortRevision({ name, sha }: Pick<Revision, 'name' | 'sha'>): string {
  if (sha === '') return name
  const short = sha.slice(0, SHORT)
  const isSameCommit = name === '' || (/^[0-9a-f]{4,64}$/.test(name) && sha.startsWith(name))
  return isSameCommit ? short : `${name}@${short}`
}

/** `Deployment guestbook-ui`. */
export function objectLabel({ kind, name }: Pick<ResourceId, 'kind' | 'name'>): string {
  return `${kind} ${name}`
}

/** `Deployment shop/guestbook-ui`; cluster-scoped objects have no namespace. */
export function fullLabel({ kind, namespace, name }: ResourceId): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`
}

/** How many objects are in which state; what is in sync is not counted. */
export type DriftCounts = {
  readonly drifted: number
  readonly missing: number
  readonly extra: number
  readonly unknown: number
}

export function driftCounts(resources: readonly Pick<ResourceStatus, 'drift'>[]): DriftCounts {
  const counts = { changed: 0, missing: 0, extra: 0, unknown: 0, synced: 0 }
  for (const { drift } of resources) counts[drift.state] += 1
  return { drifted: counts.changed, missing: counts.missing, extra: counts.extra, unknown: counts.unknown }
}

/** `2 drifted, 1 missing`; empty when all is in sync. */
export function driftWords({ drifted, missing, extra, unknown }: DriftCounts): string {
  const counts = [
    [drifted, 'drifted'],
    [missing, 'missing'],
    [extra, 'extra'],
    [unknown, 'unknown'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ')
}
