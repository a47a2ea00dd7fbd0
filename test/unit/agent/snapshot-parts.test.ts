import assert from 'node:assert/strict'
import test from 'node:test'
import type { SentEvent, SessionEvent } from '../../../shared/agent/contract.ts'
import { SnapshotGathering } from '../../../shared/agent/snapshot-gathering.ts'
import { partsOf, splices, Splicing } from '../../../shared/agent/snapshot-parts.ts'
import { SnapshotSender } from '../../../shared/agent/snapshot-sender.ts'
import type { ApplicationSnapshot, ResourceStatus } from '../../../shared/model/status.ts'
import { Random } from '../../support/random.ts'

function resource(name: string, detail = ''): ResourceStatus {
  const id = { group: '', kind: 'ConfigMap', namespace: 'shop', name }
  const drift = { id, apiVersion: 'v1', state: 'synced', fields: [], notes: [], evidence: 'proof' } as const
  return { id, version: 'v1', sync: 'Synced', requiresPruning: false, drift: { ...drift, uid: detail } }
}

function snapshot(name: string, resources: readonly ResourceStatus[]): ApplicationSnapshot {
  const application = { name } as ApplicationSnapshot['application']
  const rest = { context: 'embedded', sync: 'Synced', health: { status: 'Healthy' }, tree: [] } as const
  return { application, ...rest, resources, conditions: [], history: [], sourceType: 'Directory', observedAt: '' }
}

test('any list becomes any other by its steps', () => {
  const random = new Random(7)
  const pool = Array.from({ length: 30 }, (_, index) => ({ index }))
  const some = (): readonly { readonly index: number }[] =>
    Array.from({ length: random.below(20) }, () => pool[random.below(pool.length)] ?? { index: -1 })
  for (let round = 0; round < 2000; round += 1) {
    const before = some()
    const after = some()
    const splicing = new Splicing(before)
    splicing.take(splices(before, after))
    assert.deepEqual(splicing.made, after)
  }
})

test('of ten thousand objects one that changed is told, in one message', () => {
  const before = Array.from({ length: 10_000 }, (_, index) => resource(`object-${index}`))
  const after = before.with(5000, resource('object-5000', 'moved'))
  const parts = [...partsOf(snapshot('shop', before), snapshot('shop', after), true)]
  assert.equal(parts.length, 1)
  assert.deepEqual(parts[0]?.resources, [5000, [after[5000]], -1, 4999])
})

test('ten thousand objects come in messages that none takes long to read', () => {
  const gathering = new SnapshotGathering()
  const resources = Array.from({ length: 10_000 }, (_, index) => resource(`object-${index}`))
  let longest = 0
  let whole
  for (const part of partsOf(undefined, snapshot('shop', resources), true)) {
    assert.equal(whole, undefined)
    const text = JSON.stringify(part)
    longest = Math.max(longest, text.length)
    whole = gathering.take(JSON.parse(text))
  }
  assert.ok(longest < 64_000, `${longest} characters`)
  assert.deepEqual(whole?.snapshot.resources, resources)
})

test('a slow reader is told the newest of each application, and a failure after the snapshot before it', async () => {
  const heard: string[] = []
  const release = Promise.withResolvers<void>()
  const gathering = new SnapshotGathering()
  const sender = new SnapshotSender(async (event: SentEvent) => {
    if (heard.length === 0) await release.promise
    const whole = event.kind === 'snapshot-part' ? gathering.take(event) : undefined
    if (event.kind === 'snapshot-part' && whole === undefined) return
    heard.push(
      whole === undefined ? event.kind : `${whole.snapshot.application.name} ${whole.snapshot.resources.length}`,
    )
  })
  const tell = (name: string, count: number): void => {
    const resources = Array.from({ length: count }, (_, index) => resource(String(index)))
    const event: SessionEvent = { kind: 'snapshot', snapshot: snapshot(name, resources), local: true }
    sender.take(event)
  }
  tell('shop', 1)
  for (let count = 2; count < 50; count += 1) tell('shop', count)
  tell('board', 100)
  sender.take({ kind: 'failed', application: 'board', message: 'gone' })
  release.resolve()
  while (heard.length < 4) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(heard, ['shop 1', 'shop 49', 'board 100', 'failed'])
})

test('parts whose beginning was never heard of are passed over', () => {
  const gathering = new SnapshotGathering()
  const before = snapshot('shop', [resource('a')])
  for (const part of partsOf(before, snapshot('shop', [resource('b')]), true))
    assert.equal(gathering.take(part), undefined)
})
