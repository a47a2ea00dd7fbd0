import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blameOf } from '../../../../shared/core/drift/blame.ts'
import { foreignFields } from '../../../../shared/core/drift/foreign.ts'
import type { JsonObject } from '../../../../shared/model/json.ts'
import type { Owner } from '../../../../shared/model/live.ts'
import { DEPLOYMENT, deployment, fieldsOf, live, ours, owner } from './fixtures.ts'

const SENT = deployment({ replicas: 2 })
const NOBODY = new Set<string>()

/** A live Deployment to which managers have added; each owns exactly what it added. */
function check(
  additions: Readonly<Record<string, JsonObject>>,
  expected: readonly string[],
  more: Partial<Owner> = {},
  trusted: ReadonlySet<string> = NOBODY,
): void {
  const owners = Object.entries(additions).map(([name, spec]) =>
    owner(name, fieldsOf(deployment(spec), DEPLOYMENT), more),
  )
  const object = deployment(Object.assign({ replicas: 2 }, ...Object.values(additions)) as JsonObject)
  const found = foreignFields(SENT, live(object, ours(fieldsOf(SENT, DEPLOYMENT)), ...owners), DEPLOYMENT, trusted)
  assert.deepEqual(found.map((one) => `${one.path.join('/')} by ${one.owner.manager}`).sort(), [...expected].sort())
}

test('what somebody put there and Git does not have is foreign', () => {
  check({ hand: { paused: true } }, ['spec/paused by hand'])
  check({ hand: { paused: true }, other: { minReadySeconds: 3 } }, [
    'spec/paused by hand',
    'spec/minReadySeconds by other',
  ])
})

test('what Git has, and what stands below status, is not foreign', () => {
  check({ hand: { replicas: 2 } }, [])
  check({ hand: { paused: true } }, [], { subresource: 'status' })
})

test('fields of the known controllers and of trusted managers are left to them', () => {
  check({ 'kube-controller-manager': { paused: true } }, [])
  check({ injector: { paused: true } }, [], {}, new Set(['injector']))
  check({ autoscaler: { paused: true } }, [], { subresource: 'scale' })
  check({ kubectl: { paused: true } }, ['spec/paused by kubectl'], { subresource: 'scale' })
  check({ 'kubectl-client-side-apply': { paused: true } }, ['spec/paused by kubectl-client-side-apply'])
})

test('cainjector may write a caBundle and nothing else', () => {
  check({ cainjector: { paused: true } }, ['spec/paused by cainjector'])
})

const HAND_FIELDS = { 'f:spec': { 'f:replicas': {} } }

test('who owns the field is to blame, and of several the latest', () => {
  const early = owner('early', HAND_FIELDS, { time: '2026-03-01T10:00:00Z' })
  const late = owner('late', HAND_FIELDS, { time: '2026-03-01T11:00:00Z' })
  const object = live(SENT, ours({}), early, late)
  assert.deepEqual(blameOf(object, ['f:spec', 'f:replicas']), {
    manager: 'late',
    operation: 'Update',
    subresource: '',
    time: '2026-03-01T11:00:00Z',
    since: '2026-03-01T09:00:00Z',
  })
})

test('an owner of the whole is to blame for its parts, one of a sibling is not, nor are we', () => {
  const whole = owner('whole', { 'f:spec': { 'f:strategy': {} } })
  assert.equal(blameOf(live(SENT, whole), ['f:spec', 'f:strategy', 'f:type'])?.manager, 'whole')
  assert.equal(blameOf(live(SENT, whole), ['f:spec', 'f:replicas']), undefined)
  assert.equal(blameOf(live(SENT, ours(HAND_FIELDS)), ['f:spec', 'f:replicas']), undefined)
})

test('the window begins with our last apply only where that came before', () => {
  const hand = owner('hand', HAND_FIELDS, { time: '2026-03-01T08:00:00Z' })
  assert.equal(blameOf(live(SENT, ours({}), hand), ['f:spec', 'f:replicas'])?.since, undefined)
})
