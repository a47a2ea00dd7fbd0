import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseJson } from '../../../shared/model/json.ts'
import type { ApplicationSummary } from '../../../shared/model/front.ts'
import type { HealthCode } from '../../../shared/model/health.ts'
import type { ObjectDrift } from '../../../shared/model/drift.ts'
import type { ApplicationSnapshot, ResourceStatus, SyncCode, TreeNode } from '../../../shared/model/status.ts'
import { summaryOf } from '../../../shared/view/application-summary.ts'
import type { Recorded } from './recorded.ts'

/** What a real session said of the tour; `record.ts` writes it anew. */
export function recorded(): Recorded {
  const file = path.resolve(import.meta.dirname, '../../fixtures/ui/tour.json')
  return parseJson(readFileSync(file, 'utf8')) as unknown as Recorded
}

export function snapshotOf(name: string): ApplicationSnapshot {
  const found = recorded().snapshots.find(({ application }) => application.name === name)
  if (found === undefined) throw new Error(`nothing of ${name} was recorded`)
  return found
}

const STATES: readonly (readonly [ObjectDrift['state'], SyncCode])[] = [
  ['synced', 'Synced'],
  ['synced', 'Synced'],
  ['synced', 'Synced'],
  ['missing', 'OutOfSync'],
  ['unknown', 'Unknown'],
]

/** A snapshot with so many objects: Deployments of three pods each, and ConfigMaps. */
export function snapshotWith(count: number, name = 'shop'): ApplicationSnapshot {
  const base = snapshotOf(name)
  const resources: ResourceStatus[] = []
  const tree: TreeNode[] = []
  for (let n = 0; resources.length + tree.length < count; n += 1) {
    const [state, sync] = STATES[n % 7] ?? ['synced', 'Synced']
    const uid = `uid-${n}`
    const id = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: `${LONG[n % 2]}-${n}` }
    const drift: ObjectDrift = { id, apiVersion: 'apps/v1', state, fields: [], notes: [], evidence: 'proof', uid }
    const status: HealthCode = n % 11 === 0 ? 'Degraded' : 'Healthy'
    resources.push({
      id,
      version: 'v1',
      sync,
      requiresPruning: false,
      drift,
      health: { status, ...(status === 'Degraded' ? { message: MESSAGE } : {}) },
      ...(n % 3 === 0 ? {} : { wave: n % 3 }),
    })
    if (state === 'missing') continue
    tree.push({ id, uid, version: 'v1', info: '3/3', createdAt: base.observedAt, parents: [] })
    for (let pod = 0; pod < 3 && resources.length + tree.length < count; pod += 1) {
      tree.push({
        id: { group: '', kind: 'Pod', namespace: 'shop', name: `${id.name}-${pod}` },
        uid: `${uid}-${pod}`,
        version: 'v1',
        info: '1/1',
        createdAt: base.observedAt,
        parents: [uid],
        health: { status: 'Healthy' },
      })
    }
  }
  return { ...base, resources, tree }
}

/** 63 characters, as long as a label may be. */
const LONG = ['checkout', 'the-service-that-answers-all-questions-of-customers-at-night']
/** 400 characters. */
const MESSAGE =
  'Deployment exceeded its progress deadline: the image registry answered 403 Forbidden to every pull. '.repeat(4)

/** So many applications as a list shows them, in all states. */
export function summariesOf(count: number): readonly ApplicationSummary[] {
  const bases = recorded().snapshots.map(summaryOf)
  return Array.from({ length: count }, (_, n) => {
    const base = bases[n % bases.length] as ApplicationSummary
    const context = ['kind-dev', 'embedded', 'prod-eu'][n % 3] ?? ''
    return {
      ...base,
      name: `${base.name}-${String(n).padStart(4, '0')}`,
      project: `team-${n % 12}`,
      context,
      resources: 20,
    }
  })
}
