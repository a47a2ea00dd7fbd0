import assert from 'node:assert/strict'
import test from 'node:test'
import { pendingNotes } from '../../../extension/drift/pending-notes.ts'
import type { EditPreview } from '../../../shared/agent/application-contract.ts'
import type { FieldDrift } from '../../../shared/model/drift.ts'
import type { Effect, Plan, Step } from '../../../shared/model/plan.ts'
import type { ResourceStatus } from '../../../shared/model/status.ts'

const id = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'shop' }
const file = 'shop/deployment.yaml'
const origin = { file, document: 0, start: { line: 1, column: 1 }, end: { line: 30, column: 1 } }

function field(path: string, live: string, desired: string, line: number): FieldDrift {
  const sides = { live: { kind: 'value', value: live }, desired: { kind: 'value', value: desired } } as const
  return { path, kind: 'changed', ...sides, place: { file, line, column: 5 } }
}

function preview(
  drift: Partial<ResourceStatus['drift']>,
  step: Partial<Step>,
  effects: readonly Effect[] = [],
): EditPreview {
  const whole = {
    id,
    apiVersion: 'apps/v1',
    state: 'changed',
    fields: [],
    notes: [],
    evidence: 'server',
    origin,
  } as const
  const resource: ResourceStatus = {
    id,
    version: 'v1',
    sync: 'OutOfSync',
    requiresPruning: false,
    drift: { ...whole, ...drift } as ResourceStatus['drift'],
  }
  const planned = {
    id,
    action: 'update',
    fields: [],
    readiness: { kind: 'ready' },
    effects,
    ...step,
  } as unknown as Step
  return { application: 'shop', resources: [resource], plan: { steps: [planned] } as unknown as Plan }
}

function check(what: string, given: EditPreview, expected: readonly string[]): void {
  test(`an edit ${what}`, () => {
    assert.deepEqual(
      pendingNotes([given], file).map(({ line, severity, message }) => `${line} ${severity}: ${message}`),
      expected,
    )
  })
}

const restart: Effect = { kind: 'pods-restart', pods: 3 }
const image = field('/spec/template/spec/containers/0/image', 'nginx:1.27', 'nginx:1.28', 19)

check('of an image says which pods restart', preview({ fields: [image] }, {}, [restart]), [
  '19 information: a sync of this edit would change image nginx:1.27 -> 1.28 and restart 3 pods',
])
check(
  'of what restarts nothing does not say so beside what does',
  preview({ fields: [field('/metadata/labels/a', 'x', 'y', 4), image] }, {}, [restart]),
  [
    '4 information: a sync of this edit would change label a x -> y',
    '19 information: a sync of this edit would change image nginx:1.27 -> 1.28 and restart 3 pods',
  ],
)
check('that makes an object says so at its start', preview({ state: 'missing' }, { action: 'create' }), [
  '1 information: a sync of this edit would create this Deployment',
])
check(
  'that takes an object away says so where it was',
  preview(
    { state: 'extra' },
    { action: 'prune', readiness: { kind: 'refused', rule: 'prune-on-request', reason: '' } },
  ),
  ['1 information: a sync of this edit with prune would delete this Deployment'],
)
check(
  'that the server refuses is an error in its words',
  preview(
    { state: 'unknown', failure: { stage: 'apply', reason: 'invalid', message: 'spec.selector: field is immutable' } },
    {},
  ),
  ['1 error: Deployment shop/shop: spec.selector: field is immutable'],
)

test('a text that cannot be rendered is an error at its place, and only there', () => {
  const failure = { stage: 'render', reason: 'broken-yaml', message: 'a key is missing' } as const
  const here: EditPreview = {
    application: 'shop',
    resources: [],
    failure: { ...failure, place: { file, line: 7, column: 3 } },
  }
  const elsewhere: EditPreview = {
    application: 'shop',
    resources: [],
    failure: { ...failure, place: { file: 'x', line: 1, column: 1 } },
  }
  assert.deepEqual(
    pendingNotes([here, elsewhere], file).map(({ line, column, code }) => [line, column, code]),
    [[7, 3, 'edit/broken-yaml']],
  )
})
