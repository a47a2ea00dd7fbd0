import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textMapAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { privateCopy, sameJson } from '../object.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import { claimed, controllerReference, selectorOf } from './ownership.ts'
import { templateHash } from './pod-template.ts'
import { controllerRevisions } from './resources.ts'

export const revisionHash = 'controller-revision-hash'
/** What a StatefulSet's revisions carry (`pkg/controller/history`); a DaemonSet's are labelled as its pods are. */
const historyHash = 'controller.kubernetes.io/hash'

/** The template as a revision keeps it: a strategic patch that restores it. */
function templatePatch(owner: KubeObject): Json {
  const template = privateCopy(objectAt(objectAt(owner, 'spec'), 'template') ?? {})
  return { spec: { template: { ...template, $patch: 'replace' } } }
}

export const numberOf = (revision: KubeObject): number => numberAt(revision, 'revision') ?? 0

/** All revisions of a StatefulSet or DaemonSet by age, and the one of its present template, made where it is new. */
export function revisionsOf(host: Host, owner: KubeObject): { all: KubeObject[]; update: KubeObject } {
  const all = claimed(host, owner, controllerRevisions, selectorOf(owner)).sort((a, b) => numberOf(a) - numberOf(b))
  const data = templatePatch(owner)
  const known = all.find((revision) => sameJson(revision['data'], data))
  const newest = all.at(-1)
  if (known && known === newest) return { all, update: known }
  const next = newest ? numberOf(newest) + 1 : 1
  if (known) {
    const moved = host.patch(controllerRevisions, known, { revision: next })
    return { all: [...all.filter((r) => r !== known), moved], update: moved }
  }
  const made = createRevision(host, owner, data, next)
  return { all: [...all, made], update: made }
}

function createRevision(host: Host, owner: KubeObject, data: Json, number: number): KubeObject {
  const { name = '', namespace = '' } = owner.metadata
  const labels = textMapAt(objectAt(objectAt(objectAt(owner, 'spec'), 'template'), 'metadata'), 'labels')
  for (let collisions = 0; ; collisions++) {
    const hash = templateHash(data, collisions)
    const metadata = {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...labels, [owner.kind === 'StatefulSet' ? historyHash : revisionHash]: hash },
      ownerReferences: [controllerReference(owner)],
    }
    const revision = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, data, revision: number }
    try {
      return host.create(controllerRevisions, revision)
    } catch (error) {
      if (!HostError.is(error) || error.reason !== 'AlreadyExists' || collisions > 10) throw error
    }
  }
}

/** Drops revisions beyond the history that is to be kept and that no pod has. */
export function trimRevisions(host: Host, all: readonly KubeObject[], inUse: ReadonlySet<string>, limit: number): void {
  const idle = all.filter((revision) => !inUse.has(revision.metadata.name ?? ''))
  for (const revision of idle.slice(0, Math.max(0, idle.length - limit))) host.delete(controllerRevisions, revision)
}

/** The template that a revision holds. */
export function templateOf(revision: KubeObject): Json {
  const { $patch: _, ...template } = objectAt(objectAt(objectAt(revision, 'data'), 'spec'), 'template') ?? {}
  return template
}
