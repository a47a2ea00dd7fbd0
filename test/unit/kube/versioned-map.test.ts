import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VersionedMap } from '../../../shared/kube/versioned-map.ts'
import type { MapSnapshot } from '../../../shared/kube/versioned-map.ts'

/** A small generator, so that a failing run can be repeated by its seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('every snapshot stays what the map was when it was taken, whatever is written later', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const next = random(seed)
    const map = new VersionedMap<number>()
    const truth = new Map<string, number>()
    const taken: { readonly snapshot: MapSnapshot<number>; readonly truth: ReadonlyMap<string, number> }[] = []
    for (let step = 0; step < 2000; step += 1) {
      const key = `k${next(300)}`
      const action = next(20)
      if (action < 12) {
        map.set(key, step)
        truth.set(key, step)
      } else if (action < 18) {
        map.delete(key)
        truth.delete(key)
      } else {
        taken.push({ snapshot: map.snapshot(), truth: new Map(truth) })
      }
    }
    assert.deepEqual([...map.keys()].sort(), [...truth.keys()].sort())
    for (const { snapshot, truth: then } of taken) {
      assert.deepEqual(new Set(snapshot.values()), new Set(then.values()), `seed ${seed}`)
      assert.equal(snapshot.values().length, then.size)
      for (let index = 0; index < 300; index += 1) assert.equal(snapshot.get(`k${index}`), then.get(`k${index}`))
    }
  }
})

test('a snapshot after one change among 10,000 costs nothing near a copy', () => {
  const map = new VersionedMap<number>()
  for (let index = 0; index < 10_000; index += 1) map.set(`k${index}`, index)
  map.snapshot()
  const started = performance.now()
  for (let index = 0; index < 1000; index += 1) {
    map.set(`k${index}`, -1)
    map.snapshot()
  }
  const eachMs = (performance.now() - started) / 1000
  assert.ok(eachMs < 0.2, `${eachMs} ms each`)
})
