import test from 'node:test'
import assert from 'node:assert/strict'
import { decodeManagedFields, ownerId } from '../../../../shared/fields/managed-fields.ts'
import type { Owner } from '../../../../shared/fields/managed-fields.ts'
import { FieldSet } from '../../../../shared/fields/field-set.ts'
import { fieldSetOf } from '../../../../shared/fields/object-set.ts'
import { pathText } from '../../../../shared/fields/path.ts'
import { resolvePath } from '../../../../shared/fields/resolve.ts'
import { isObject } from '../../../../shared/simulator/object.ts'
import type { KubeObject } from '../../../../shared/simulator/object.ts'
import { applyConfiguration } from '../../../../shared/simulator/apply/apply-configuration.ts'
import { random } from '../../fields/random.ts'
import { thing, thingOf } from '../../fields/thing.ts'

const names = ['a', 'b', 'c', 'd']

/** Random specs whose keys and values carry the prefix, so that those of two prefixes have nothing in common. */
function generator(next: () => number, prefix = ''): () => Record<string, unknown> {
  const chance = (p: number): boolean => next() < p
  const pick = (): string => prefix + (names[Math.floor(next() * names.length)] ?? 'a')
  const some = (): string[] => [...new Set([pick(), pick()])]
  return () => ({
    ...(prefix === '' && chance(0.4) ? { text: pick() } : {}),
    ...(prefix === '' && chance(0.4) ? { args: some() } : {}),
    ...(prefix === '' && chance(0.3) ? { selector: { [pick()]: '1' } } : {}),
    ...(chance(0.6) ? { labels: Object.fromEntries(some().map((name) => [name, pick()])) } : {}),
    ...(chance(0.5) ? { tags: some() } : {}),
    ...(chance(0.7)
      ? {
          items: some().map((name) => ({
            name,
            ...(chance(0.5) ? { value: pick() } : {}),
            ...(chance(0.5) ? { sub: { a: pick() } } : {}),
          })),
        }
      : {}),
    ...(chance(0.3) ? { free: { [pick()]: { [pick()]: 1 } } } : {}),
  })
}

function apply(live: KubeObject | null, manager: string, spec: Record<string, unknown>): KubeObject {
  const common = {
    schema: thing,
    apiVersion: 'test.dev/v1',
    kind: 'Thing',
    subresource: '',
    now: '2026-01-01T00:00:00Z',
  }
  return applyConfiguration({ ...common, live, config: thingOf(spec), manager, force: true })
}

function ownerOf(object: KubeObject, manager: string): Owner | undefined {
  const id = ownerId({ manager, operation: 'Apply', apiVersion: 'test.dev/v1', subresource: '' })
  return decodeManagedFields(object.metadata.managedFields).get(id)
}

/** Runs a property on objects that three managers took turns to apply. */
function forAll(
  seed: number,
  property: (live: KubeObject, manager: string, spec: Record<string, unknown>) => void,
): void {
  const next = random(seed)
  const spec = generator(next)
  for (let round = 0; round < 40; round++) {
    let live: KubeObject | null = null
    for (let turn = 0; turn < 6; turn++) {
      const manager = `m${Math.floor(next() * 3)}`
      const applied = spec()
      if (live !== null) property(live, manager, applied)
      live = apply(live, manager, applied)
    }
  }
}

test('applying twice changes nothing the second time', () => {
  forAll(1, (live, manager, spec) => {
    const once = apply(live, manager, spec)
    assert.deepEqual(apply(once, manager, spec), once)
  })
})

test('a forced apply sets and owns all that it names', () => {
  forAll(2, (live, manager, spec) => {
    const next = apply(live, manager, spec)
    const named = fieldSetOf({ spec }, thing)
    assert.equal(ownerOf(next, manager)?.set.equals(named) ?? named.isEmpty, true)
    for (const path of named.paths()) {
      const wanted = resolvePath({ spec }, path, thing)?.value
      const found = resolvePath(next, path, thing)?.value
      if (!isObject(wanted)) assert.deepEqual(found, wanted, pathText(path))
      else assert.ok(isObject(found), pathText(path))
    }
  })
})

test('what its only owner no longer applies is gone', () => {
  forAll(3, (live, manager, spec) => {
    const before = ownerOf(live, manager)?.set ?? FieldSet.empty
    let others = FieldSet.empty
    for (const owner of decodeManagedFields(live.metadata.managedFields).values()) {
      if (owner.manager !== manager) others = others.union(owner.set)
    }
    const named = fieldSetOf({ spec }, thing)
    const dropped = before.leaves().difference(named).difference(others)
    const next = apply(live, manager, spec)
    for (const path of dropped.paths()) {
      if (named.at(path) !== undefined || others.at(path) !== undefined) continue
      assert.equal(resolvePath(next, path, thing), undefined, pathText(path))
    }
  })
})

test('what others own stays, but for what is set anew or lay below a dropped item', () => {
  forAll(4, (live, manager, spec) => {
    const next = apply(live, manager, spec)
    const owners = decodeManagedFields(next.metadata.managedFields)
    for (const owner of owners.values()) {
      for (const path of owner.set.paths())
        assert.ok(resolvePath(next, path, thing), `${owner.manager} ${pathText(path)}`)
    }
  })
})

/** Lists compare as sets and times do not count: both show who came first. */
function unordered(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(unordered).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => key !== 'time')
      .toSorted()
      .map((key) => [key, unordered(value[key])]),
  )
}

test('managers that share nothing may apply in any order', () => {
  const next = random(5)
  const mine = generator(next, 'x')
  const yours = generator(next, 'y')
  for (let round = 0; round < 100; round++) {
    const [a, b] = [mine(), yours()]
    assert.deepEqual(unordered(apply(apply(null, 'm', a), 'y', b)), unordered(apply(apply(null, 'y', b), 'm', a)))
  }
})
