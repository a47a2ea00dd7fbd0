import assert from 'node:assert/strict'
import test from 'node:test'
import { decideAutoSync, type AutoSync } from '../../../../shared/core/auto-sync/decide.ts'
import type { Json } from '../../../../shared/model/json.ts'
import type { Outcome } from '../../../../shared/model/outcome.ts'
import type { ApplicationSnapshot, ResourceStatus } from '../../../../shared/model/status.ts'
import { sampleApplication } from '../sample-application.ts'

const SHA = 'a'.repeat(40)
const FINISHED = '2026-07-01T12:00:00Z'
const NOW = Date.parse(FINISHED)

function resource(name: string, sync: ResourceStatus['sync'], requiresPruning = false): ResourceStatus {
  const id = { group: '', kind: 'ConfigMap', namespace: 'guest', name }
  const state = sync === 'Synced' ? 'synced' : requiresPruning ? 'extra' : 'changed'
  const drift = { id, apiVersion: 'v1', state, fields: [], notes: [], evidence: 'proof' } as const
  return { id, version: 'v1', sync, requiresPruning, drift }
}

type Given = {
  readonly automated?: object
  readonly sync?: ApplicationSnapshot['sync']
  readonly resources?: readonly ResourceStatus[]
  readonly last?: Partial<Outcome>
  readonly afterMs?: number
  readonly window?: boolean
  readonly underWay?: boolean
  readonly condition?: string
  readonly annotations?: object
}

const usual = [resource('a', 'OutOfSync'), resource('b', 'Synced')]

function decide(given: Given): AutoSync {
  const application = sampleApplication(
    { syncPolicy: given.automated === undefined ? {} : { automated: given.automated } },
    given.annotations === undefined ? {} : { annotations: given.annotations },
  )
  const revision = {
    sha: SHA,
    name: 'main',
    kind: 'commit',
    subject: '',
    author: '',
    authorEmail: '',
    committedAt: '',
  } as const
  const sources = application.sources as unknown as readonly Json[]
  const last = {
    phase: 'Succeeded',
    message: 'm',
    startedAt: FINISHED,
    finishedAt: FINISHED,
    revision: SHA,
    steps: [],
    sources,
  } as const
  const snapshot: ApplicationSnapshot = {
    application,
    context: '',
    revision,
    tree: [],
    history: [],
    sourceType: '',
    observedAt: FINISHED,
    sync: given.sync ?? 'OutOfSync',
    health: { status: 'Healthy' },
    resources: given.resources ?? usual,
    conditions:
      given.condition === undefined ? [] : [{ type: given.condition, message: 'no', lastTransitionTime: FINISHED }],
    ...(given.last === undefined ? {} : { operation: { ...last, ...given.last } }),
  }
  const open = given.window !== false
  const windows = { automatic: open, manual: open, goesOn: open, reason: open ? '' : 'closed', changesAt: NOW + 60_000 }
  return decideAutoSync({ snapshot, windows, underWay: given.underWay === true, now: NOW + (given.afterMs ?? 0) })
}

const on = {}
const gone = [resource('a', 'OutOfSync', true)]

const cases: readonly (readonly [what: string, given: Given, kind: AutoSync['kind']])[] = [
  ['not automated', {}, 'idle'],
  ['automated by an empty word', { automated: on }, 'sync'],
  ['automated with enabled: false', { automated: { enabled: false } }, 'idle'],
  ['that is to be left alone', { automated: on, annotations: { 'argocd.argoproj.io/skip-reconcile': 'true' } }, 'idle'],
  ['in sync', { automated: on, sync: 'Synced' }, 'idle'],
  ['unknown', { automated: on, sync: 'Unknown' }, 'idle'],
  ['with a sync under way', { automated: on, underWay: true }, 'idle'],
  ['against its project', { automated: on, condition: 'InvalidSpecError' }, 'idle'],
  ['with only prunes left and prune off', { automated: on, resources: [...gone, resource('b', 'Synced')] }, 'idle'],
  [
    'with only prunes left and prune on',
    { automated: { prune: true }, resources: [...gone, resource('b', 'Synced')] },
    'sync',
  ],
  ['with nothing wanted', { automated: { prune: true }, resources: gone }, 'idle'],
  ['with nothing wanted and allowEmpty', { automated: { prune: true, allowEmpty: true }, resources: gone }, 'sync'],
  ['outside its window', { automated: on, window: false }, 'wait'],
  ['after a sync to another revision', { automated: on, last: { revision: 'b'.repeat(40) } }, 'sync'],
  ['after a sync with other parameters', { automated: on, last: { sources: [{ path: 'other' }] } }, 'sync'],
  [
    'after a failed sync to this revision',
    { automated: { selfHeal: true }, last: { phase: 'Failed' }, afterMs: 1e9 },
    'idle',
  ],
  ['after a sync to this revision, without selfHeal', { automated: on, last: {}, afterMs: 1e9 }, 'idle'],
  ['after a sync to this revision, at once', { automated: { selfHeal: true }, last: {} }, 'wait'],
  ['after a sync to this revision, 5 s later', { automated: { selfHeal: true }, last: {}, afterMs: 5000 }, 'sync'],
  ['5 s after the first self-heal', { automated: { selfHeal: true }, last: { healAttempt: 1 }, afterMs: 5000 }, 'wait'],
  ['6 s after the first self-heal', { automated: { selfHeal: true }, last: { healAttempt: 1 }, afterMs: 6000 }, 'sync'],
  [
    '299 s after the tenth self-heal',
    { automated: { selfHeal: true }, last: { healAttempt: 10 }, afterMs: 299_000 },
    'wait',
  ],
  [
    '300 s after the tenth self-heal',
    { automated: { selfHeal: true }, last: { healAttempt: 10 }, afterMs: 300_000 },
    'sync',
  ],
]

for (const [what, given, kind] of cases) {
  test(`an application ${what}: ${kind}`, () => assert.equal(decide(given).kind, kind))
}

test('a new revision is synced whole, with hooks; a self-heal takes only what is out of sync', () => {
  const whole = decide({ automated: on })
  assert.ok(whole.kind === 'sync' && whole.request.only === undefined)
  const heal = decide({ automated: { selfHeal: true }, last: {}, afterMs: 5000 })
  assert.ok(heal.kind === 'sync' && heal.request.only !== undefined)
  const [a, b] = usual.map(({ id }) => heal.request.only?.(id))
  assert.deepEqual({ a, b, attempt: heal.request.healAttempt }, { a: true, b: false, attempt: 1 })
})
