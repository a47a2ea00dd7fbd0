import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '../../../shared/model/plan.ts'
import { applicationRow } from '../../../shared/view/application-row.ts'
import { outcomeRow, outcomeWords } from '../../../shared/view/outcome-rows.ts'
import { planCounts, planRows, planWords, stepSentence } from '../../../shared/view/plan-rows.ts'
import { resourceRows } from '../../../shared/view/resource-rows.ts'
import { treeRows } from '../../../shared/view/tree-rows.ts'
import { driftOf, field, idOf, minutesAgo, node, resource, SHA, snapshot } from './snapshot.ts'

const blame = (manager: string) => ({
  blame: { manager, operation: 'Update', subresource: '', time: minutesAgo(3) } as const,
})
const DEPLOYMENT = idOf('Deployment', 'guestbook-ui', 'apps')
const REPLICA_SET = idOf('ReplicaSet', 'guestbook-ui-7d9f', 'apps')
const drifted = driftOf(DEPLOYMENT, 'changed', [
  field('changed', '/spec/replicas', {
    desired: { kind: 'value', value: 2 },
    live: { kind: 'value', value: 4 },
    ...blame('kubectl-scale'),
  }),
  field('added-foreign', '/spec/template/spec/containers/0/env/1', blame('hand')),
])
const RESOURCES = [
  resource(drifted, { status: 'Healthy' }),
  resource(driftOf(idOf('Service', 'guestbook-ui'), 'synced'), { status: 'Progressing', message: 'no address yet' }),
  resource(driftOf(idOf('ConfigMap', 'guestbook-config'), 'missing'), { status: 'Missing' }),
  resource(driftOf(idOf('Secret', 'old-token'), 'extra')),
]

test('an application is one row', () => {
  const row = applicationRow(snapshot({ sync: 'OutOfSync', resources: RESOURCES }))
  assert.equal(row.summary, 'OutOfSync · Healthy · 1 drifted, 1 missing, 1 extra')
  assert.equal(row.destination, 'kind-dev/shop')
  assert.equal(row.revision, 'main@3f2c1ab')
  assert.equal(row.mark.glyph, '⚠')
  assert.equal('verdict' in row, false)
})

test('what is broken is seen before what drifted', () => {
  assert.equal(applicationRow(snapshot({ health: { status: 'Degraded' } })).mark.glyph, '✗')
})

test('an application that cannot be compared says why', () => {
  const message = 'm'.repeat(400)
  const row = applicationRow(
    snapshot({ sync: 'Unknown', conditions: [{ type: 'ComparisonError', message, lastTransitionTime: '' }] }),
  )
  assert.equal(row.failure, message)
  assert.equal(row.mark.word, 'Unknown')
})

test('each managed object says what is wrong with it', () => {
  const rows = resourceRows(snapshot({ resources: RESOURCES }))
  assert.deepEqual(
    rows.map(({ mark, label, detail }) => `${mark.glyph} ${label}: ${detail}`),
    [
      '⚠ Deployment guestbook-ui: 2 fields · kubectl-scale, hand',
      '✓ Service guestbook-ui: no address yet',
      '○ ConfigMap guestbook-config: Missing, a sync creates it',
      '− Secret old-token: Extra, a sync with prune deletes it',
    ],
  )
})

test('the tree holds each object once, below what made it', () => {
  const tree = [
    node(DEPLOYMENT, 'd', [], '4/4', { status: 'Healthy' }),
    node(REPLICA_SET, 'r', ['d'], '4/4', { status: 'Healthy' }),
    node(idOf('Pod', 'guestbook-ui-7d9f-b'), 'b', ['r'], 'Running', { status: 'Healthy' }),
    node(idOf('Pod', 'guestbook-ui-7d9f-a'), 'a', ['r'], 'Pending', { status: 'Degraded', message: 'no such image' }),
    node(idOf('EndpointSlice', 'x', 'discovery.k8s.io'), 'e', ['d'], ''),
  ]
  const rows = treeRows(snapshot({ resources: RESOURCES, tree }))
  assert.deepEqual(
    rows.map(({ depth, mark, label, detail }) => `${'  '.repeat(depth)}${mark.glyph} ${label} ${detail}`.trimEnd()),
    [
      '⚠ Deployment guestbook-ui 4/4 · 2 fields · kubectl-scale, hand',
      '  · EndpointSlice x',
      '  ♥ ReplicaSet guestbook-ui-7d9f 4/4',
      '    ✗ Pod guestbook-ui-7d9f-a Pending · no such image',
      '    ♥ Pod guestbook-ui-7d9f-b Running',
      '✓ Service guestbook-ui no address yet',
      '○ ConfigMap guestbook-config Missing, a sync creates it',
      '− Secret old-token Extra, a sync with prune deletes it',
    ],
  )
  assert.deepEqual(rows.at(4)?.lasts, [false, true, true])
})

test('owner references that go round in a circle end', () => {
  const tree = [node(DEPLOYMENT, 'd', ['r']), node(REPLICA_SET, 'r', ['d'])]
  assert.equal(treeRows(snapshot({ resources: RESOURCES.slice(0, 1), tree })).length, 2)
})

for (const count of [0, 1, 7, 500]) {
  test(`${count} objects with names of 63 characters are ${count} rows`, () => {
    const ids = Array.from({ length: count }, (_, index) => idOf('ConfigMap', `${index}-`.padEnd(63, 'x')))
    const resources = ids.map((id) => resource(driftOf(id, 'changed')))
    const tree = ids.map((id, index) => node(id, `u${index}`, []))
    assert.equal(treeRows(snapshot({ resources, tree })).length, count)
    assert.equal(resourceRows(snapshot({ resources })).length, count)
  })
}

function step(action: Step['action'], more: Partial<Step> = {}): Step {
  return {
    id: DEPLOYMENT,
    apiVersion: 'apps/v1',
    action,
    reason: 'because',
    fields: [],
    phase: 'Sync',
    wave: 0,
    manner: { method: 'apply', validate: true, propagation: 'Foreground', respectIgnored: false, migrateFrom: [] },
    effects: [],
    rank: 0,
    readiness: { kind: 'ready' },
    ...more,
  }
}

const refused = { readiness: { kind: 'refused', rule: 'server:Invalid', reason: 'selector cannot change' } } as const
const plan = {
  application: 'guestbook',
  revision: SHA,
  progress: { wave: 1, waves: 1, due: 4, waitsFor: [] },
  steps: [
    step('create'),
    step('update', { fields: drifted.fields }),
    step('update'),
    step('none'),
    step('prune'),
    step('update', refused),
  ],
}

test('a plan is counted by what it will do', () => {
  assert.equal(planWords(plan), 'create 1, change 2, prune 1, refused 1')
  assert.deepEqual(planCounts(plan), { create: 1, change: 2, prune: 1, refused: 1 })
  assert.equal(planWords({ ...plan, steps: [step('none')] }), 'nothing to do')
})

test('a plan shows its steps in order, without what is in sync', () => {
  assert.deepEqual(
    planRows(plan).map(
      ({ mark, detail, obstacle }) => `${mark.glyph} ${mark.word}: ${detail}${obstacle && ` (${obstacle})`}`,
    ),
    [
      '+ create: because',
      '~ change: change replicas 4 -> 2, remove env[1]',
      '~ change: because',
      '− prune: because',
      '✗ change: because (selector cannot change)',
    ],
  )
})

test('an edit is told by what a sync of it would do', () => {
  const image = field('changed', '/spec/template/spec/containers/0/image', {
    live: { kind: 'value', value: 'nginx:1.27' },
    desired: { kind: 'value', value: 'nginx:1.28' },
  })
  assert.equal(
    stepSentence(step('update', { fields: [image] }), 3),
    'a sync of this edit would change image nginx:1.27 -> 1.28 and restart 3 pods',
  )
  assert.equal(stepSentence(step('create')), 'a sync of this edit would create this Deployment')
  assert.equal(stepSentence(step('update', refused)), 'selector cannot change')
})

test('what a sync did is told step by step and as a whole', () => {
  const one = { id: DEPLOYMENT, apiVersion: 'apps/v1', message: 'done', moved: false } as const
  const steps = [
    { ...one, action: 'create', result: 'Synced' },
    { ...one, action: 'update', result: 'Synced' },
    { ...one, action: 'none', result: 'Synced' },
    { ...one, action: 'prune', result: 'Pruned' },
    { ...one, action: 'prune', result: 'PruneSkipped' },
    { ...one, action: 'update', result: 'SyncFailed' },
    { ...one, action: 'update', result: 'SyncFailed', moved: true },
  ] as const
  assert.deepEqual(
    steps.map((outcome) => `${outcomeRow(outcome).mark.glyph} ${outcomeRow(outcome).mark.word}`),
    ['✓ created', '✓ changed', '= unchanged', '− pruned', '= kept', '✗ failed', '⚠ moved'],
  )
  const times = { startedAt: '2026-03-01T09:00:00Z', finishedAt: '2026-03-01T09:00:12Z' }
  const outcome = { phase: 'Failed', message: '', revision: SHA, steps, ...times } as const
  assert.equal(outcomeWords(outcome), 'Failed: created 1, changed 1, pruned 1, kept 1, moved 1, failed 1 in 12 s')
  assert.equal(outcomeWords({ ...outcome, phase: 'Succeeded', steps: [], finishedAt: '' }), 'Succeeded: nothing to do')
})
