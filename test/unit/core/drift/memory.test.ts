import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../../../shared/base/digest.ts'
import { DriftMemory } from '../../../../shared/core/drift/memory.ts'
import type { Desired } from '../../../../shared/core/desired.ts'
import type { ObjectDrift } from '../../../../shared/model/drift.ts'
import { idOf } from '../../../../shared/model/kubernetes.ts'
import type { LiveObject } from '../../../../shared/model/live.ts'
import { deployment, live, ours, owner } from './fixtures.ts'

const OBJECT = deployment({ replicas: 2 })
const DESIRED: Desired = {
  id: idOf(OBJECT),
  key: 'web',
  gvk: { group: 'apps', version: 'v1', kind: 'Deployment' },
  kind: undefined,
  object: OBJECT,
  digest: 'd1',
  manifest: { id: idOf(OBJECT), object: OBJECT },
  support: false,
}
const FIELDS = { 'f:spec': { 'f:replicas': {} } }
const BASE = live(OBJECT, ours(FIELDS))

/** Whether two states of an object are one to the memory. */
function check(other: LiveObject, same: boolean, desired = DESIRED, epoch = 'e1', trusted = ''): void {
  const memory = new DriftMemory(sha256)
  const first = memory.stateKey(DESIRED, BASE, 'e1', '')
  assert.equal(memory.stateKey(desired, other, epoch, trusted) === first, same)
}

test('a state is the same whatever its resourceVersion, status and times', () => {
  check({ ...BASE, resourceVersion: '8' }, true)
  check(live({ ...OBJECT, status: { replicas: 2 } }, ours(FIELDS)), true)
  check(live(deployment({ replicas: 2 }, { generation: 7, resourceVersion: '9' }), ours(FIELDS)), true)
  check(live(OBJECT, ours(FIELDS, { time: '2026-04-01T00:00:00Z' })), true)
})

test('a state is another by its content, owners, uid, wish, epoch and trust', () => {
  check(live(deployment({ replicas: 3 }), ours(FIELDS)), false)
  check(live(deployment({ replicas: 2 }, { labels: { a: 'b' } }), ours(FIELDS)), false)
  check(live(OBJECT, ours(FIELDS), owner('hand', FIELDS)), false)
  check({ ...BASE, uid: 'u2' }, false)
  check(BASE, false, { ...DESIRED, digest: 'd2' })
  check(BASE, false, DESIRED, 'e2')
  check(BASE, false, DESIRED, 'e1', 'updater')
})

const DRIFT: ObjectDrift = {
  id: DESIRED.id,
  apiVersion: 'apps/v1',
  state: 'synced',
  fields: [],
  notes: [],
  evidence: 'server',
}

test('what has not changed by identity is answered at once, and what failed is asked again', () => {
  const memory = new DriftMemory(sha256)
  memory.settle('web', { desired: DESIRED, live: BASE, epoch: 'e1', drift: DRIFT })
  assert.equal(memory.settled('web', DESIRED, BASE, 'e1'), DRIFT)
  assert.equal(memory.settled('web', DESIRED, { ...BASE }, 'e1'), undefined)
  assert.equal(memory.settled('web', { ...DESIRED }, BASE, 'e1'), undefined)
  assert.equal(memory.settled('web', DESIRED, BASE, 'e2'), undefined)
  const failure = { stage: 'drift', reason: 'timeout', message: 'late' } as const
  memory.settle('web', { desired: DESIRED, live: BASE, epoch: 'e1', drift: { ...DRIFT, failure } })
  assert.equal(memory.settled('web', DESIRED, BASE, 'e1'), undefined)
})

test('old answers go first when there are too many', () => {
  const memory = new DriftMemory(sha256)
  for (let i = 0; i <= 20_000; i++) memory.remember(`state-${i}`, { findings: [] })
  assert.equal(memory.answer('state-0'), undefined)
  assert.deepEqual(memory.answer('state-1'), { findings: [] })
})
