import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences, sameMeaning } from '../../../../shared/core/drift/differences.ts'
import type { Schema } from '../../../../shared/fields/schema.ts'
import type { Json, JsonObject } from '../../../../shared/model/json.ts'
import { CONFIG_MAP, DEPLOYMENT, configMap, deployment } from './fixtures.ts'

/** `path: left -> right`, one a difference. */
function check(left: Json, right: Json, schema: Schema | undefined, expected: readonly string[]): void {
  const found = differences(left, right, schema).map(
    (one) => `${one.path.join('/')}: ${JSON.stringify(one.left)} -> ${JSON.stringify(one.right)}`,
  )
  assert.deepEqual(found.sort(), [...expected].sort())
}

function containers(...items: readonly JsonObject[]): JsonObject {
  return deployment({ template: { spec: { containers: items } } })
}

function args(...values: readonly string[]): JsonObject {
  return containers({ name: 'web', args: values })
}

function cpu(amount: Json): JsonObject {
  return containers({ name: 'web', resources: { limits: { cpu: amount } } })
}

test('two values differ at the deepest place that says it exactly', () => {
  check(deployment({ replicas: 1 }), deployment({ replicas: 2 }), DEPLOYMENT, ['spec/replicas: 1 -> 2'])
  check(configMap({ a: '1', b: '2' }), configMap({ a: '1', c: '3' }), CONFIG_MAP, [
    'data/b: "2" -> undefined',
    'data/c: undefined -> "3"',
  ])
  check(configMap({}), configMap({ a: '1' }, { labels: { x: 'y' } }), CONFIG_MAP, [
    'data/a: undefined -> "1"',
    'metadata/labels/x: undefined -> "y"',
  ])
})

test('a struct that one side lacks is one difference', () => {
  check(deployment({}), deployment({ strategy: { type: 'Recreate' } }), DEPLOYMENT, [
    'spec/strategy: undefined -> {"type":"Recreate"}',
  ])
})

test('items of a keyed list are held together by their keys, and named by their place on the right', () => {
  const web = { name: 'web', image: 'web:1' }
  const side = { name: 'side', image: 'side:1' }
  check(containers(web, side), containers(side, { ...web, image: 'web:2' }), DEPLOYMENT, [
    'spec/template/spec/containers/1/image: "web:1" -> "web:2"',
  ])
  check(containers(web), containers(side, web), DEPLOYMENT, [
    `spec/template/spec/containers/0: undefined -> ${JSON.stringify(side)}`,
  ])
})

test('a plain list differs at its item where it is as long, else as a whole', () => {
  check(args('a', 'b'), args('a', 'c'), DEPLOYMENT, ['spec/template/spec/containers/0/args/1: "b" -> "c"'])
  check(args('a'), args('a', 'c'), DEPLOYMENT, ['spec/template/spec/containers/0/args: ["a"] -> ["a","c"]'])
})

test('quantities are compared by amount, null is absence, and 1n is 1', () => {
  check(cpu('1000m'), cpu('1'), DEPLOYMENT, [])
  check(cpu(1), cpu('1'), DEPLOYMENT, [])
  check(cpu('1001m'), cpu('1'), DEPLOYMENT, ['spec/template/spec/containers/0/resources/limits/cpu: "1001m" -> "1"'])
  check(deployment({ replicas: null }), deployment({}), DEPLOYMENT, [])
  check(deployment({ replicas: 1n }), deployment({ replicas: 1 }), DEPLOYMENT, [])
  check(configMap({ a: '1000m' }), configMap({ a: '1' }), CONFIG_MAP, ['data/a: "1000m" -> "1"'])
})

test('without a schema maps are compared by key and lists as a whole', () => {
  check({ a: { b: 1 } }, { a: { b: 2 } }, undefined, ['a/b: 1 -> 2'])
  check({ a: [1, 2] }, { a: [1] }, undefined, ['a: [1,2] -> [1]'])
})

test('keys of the prototype are keys like others', () => {
  const hostile = JSON.parse('{"__proto__": {"x": 1}, "constructor": "a"}') as JsonObject
  check(hostile, {}, undefined, ['__proto__: {"x":1} -> undefined', 'constructor: "a" -> undefined'])
})

test('an empty map or list means the same as none', () => {
  assert.equal(sameMeaning(configMap({}), { ...configMap({}), data: undefined }, CONFIG_MAP), true)
  assert.equal(sameMeaning(deployment({}), deployment({ template: {} }), DEPLOYMENT), false)
})
