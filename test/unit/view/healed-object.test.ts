import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from '../../../shared/core/drift/differences.ts'
import type { Schema } from '../../../shared/fields/schema.ts'
import { builtInCatalogue } from '../../../shared/kubernetes/built-in.ts'
import type { FieldDrift, FieldValue } from '../../../shared/model/drift.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../shared/model/json.ts'
import { toPointer } from '../../../shared/model/pointer.ts'
import { healedObject } from '../../../shared/view/healed-object.ts'

/** A generator of numbers that gives the same ones for the same seed (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

type Dice = (below: number) => number

function some(dice: Dice, names: readonly string[], make: (name: string) => JsonObject): readonly Json[] {
  const kept = names.filter(() => dice(3) > 0)
  return dice(2) === 0 ? kept.map(make) : kept.toReversed().map(make)
}

function maybe(dice: Dice, key: string, value: () => Json): JsonObject {
  return dice(3) === 0 ? {} : { [key]: value() }
}

function deployment(dice: Dice): JsonObject {
  const container = (name: string): JsonObject => ({
    name,
    image: `nginx:1.${dice(3)}`,
    ...maybe(dice, 'env', () => some(dice, ['A', 'B', 'C'], (env) => ({ name: env, value: String(dice(2)) }))),
    ...maybe(dice, 'args', () => ['a', 'b', 'c'].slice(dice(3)).map((arg) => `${arg}${dice(2)}`)),
    ...maybe(dice, 'ports', () =>
      some(dice, ['80', '81'], (port) => ({ containerPort: Number(port), protocol: 'TCP' })),
    ),
    ...maybe(dice, 'livenessProbe', () => ({ periodSeconds: dice(3) + 1, tcpSocket: { port: 80 } })),
    ...maybe(dice, 'resources', () => ({ limits: { cpu: `${dice(3) + 1}` } })),
  })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name: 'web',
      ...maybe(dice, 'labels', () => ({ team: `t${dice(2)}`, ...maybe(dice, 'tier', () => 'x') })),
    },
    spec: {
      ...maybe(dice, 'replicas', () => dice(4)),
      template: { spec: { containers: some(dice, ['web', 'sidecar', 'log'], container) } },
    },
  }
}

function side(value: Json | undefined): FieldValue {
  return value === undefined ? { kind: 'absent' } : { kind: 'value', value }
}

function fieldsBetween(predicted: JsonObject, live: JsonObject, schema: Schema): readonly FieldDrift[] {
  return differences(predicted, live, schema).map(({ path, left, right }) => ({
    path: toPointer(path),
    kind: 'changed',
    desired: side(left),
    live: side(right),
  }))
}

/** What holds nothing is the same as what is not there. */
function withoutEmpty(value: Json): Json | undefined {
  if (isArray(value)) return value.length === 0 ? undefined : value.map((item) => withoutEmpty(item) ?? null)
  if (!isObject(value)) return value
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const kept = item === undefined ? undefined : withoutEmpty(item)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

test('healing every drifted field gives what Git wants, whatever moved, came or went (2,000 pairs)', () => {
  const schema = builtInCatalogue().schemaFor('apps', 'v1', 'Deployment')
  assert.ok(schema !== undefined)
  for (let seed = 0; seed < 2000; seed += 1) {
    const dice = random(seed)
    const live = deployment(dice)
    const predicted = deployment(dice)
    const { before, after } = healedObject(live, fieldsBetween(predicted, live, schema))
    assert.deepEqual(before, live)
    const left = differences(withoutEmpty(predicted), withoutEmpty(after), schema)
    assert.deepEqual(left, [], `seed ${seed}`)
  }
})

test('a key that is a number is a key', () => {
  const missing: FieldDrift = {
    path: '/data/0',
    kind: 'removed',
    desired: { kind: 'value', value: 'x' },
    live: { kind: 'absent' },
  }
  assert.deepEqual(healedObject({ kind: 'ConfigMap' }, [missing]).after, { kind: 'ConfigMap', data: { '0': 'x' } })
})
