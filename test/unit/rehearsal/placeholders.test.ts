import assert from 'node:assert/strict'
import test from 'node:test'
import { valueAt, type Json } from '../../../shared/model/json.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import { Placeholders } from '../../../shared/rehearsal/placeholders.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const secret = (parts: object): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login' },
  ...parts,
})
const placeholders = new Placeholders(new Uint8Array(32).fill(7))
const bare = (object: KubeObject, ...path: readonly string[]): Json | undefined =>
  valueAt(placeholders.of(object), path)

function textIn(object: KubeObject, ...path: readonly string[]): string {
  const found = bare(object, ...path)
  assert.ok(typeof found === 'string')
  return found
}

test('a Secret keeps its keys and loses its values', () => {
  const object = secret({ data: { user: base64('lovelace'), password: base64('hunter2') }, type: 'Opaque' })
  const text = JSON.stringify(placeholders.of(object))
  assert.deepEqual(Object.keys(bare(object, 'data') as object), ['user', 'password'])
  for (const value of ['lovelace', 'hunter2', base64('lovelace'), base64('hunter2')])
    assert.ok(!text.includes(value), value)
})

test('equal values have equal placeholders, in data and stringData alike; others differ', () => {
  const one = bare(secret({ data: { a: base64('x') } }), 'data', 'a')
  assert.equal(one, bare(secret({ data: { b: base64('x') } }), 'data', 'b'))
  assert.notEqual(one, bare(secret({ data: { a: base64('y') } }), 'data', 'a'))
  const plain = textIn(secret({ stringData: { a: 'x' } }), 'stringData', 'a')
  assert.equal(base64(plain), one)
})

test('another key makes other placeholders', () => {
  const other = new Placeholders(new Uint8Array(32).fill(8))
  const object = secret({ data: { a: base64('x') } })
  assert.notDeepEqual(other.of(object), placeholders.of(object))
})

test("kubectl's copy of what it applied holds no value either", () => {
  const applied = JSON.stringify(secret({ stringData: { password: 'hunter2' } }))
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': applied, note: 'kept' }
  const object = secret({ metadata: { name: 'login', annotations } })
  assert.ok(!JSON.stringify(placeholders.of(object)).includes('hunter2'))
  assert.equal(bare(object, 'metadata', 'annotations', 'note'), 'kept')
})

test('what the server wants as JSON stays JSON, and what is empty stays empty', () => {
  const value = base64('{"auths":{"r":{"auth":"c2VjcmV0"}}}')
  const object = secret({ type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': value, none: '' } })
  const told = textIn(object, 'data', '.dockerconfigjson')
  const json = JSON.parse(Buffer.from(told, 'base64').toString()) as object
  assert.deepEqual(Object.keys(json), ['auths', 'plumbline'])
  assert.equal(bare(object, 'data', 'none'), '')
})

test('everything but Secrets is left as it is', () => {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { key: 'value' } } as KubeObject
  assert.equal(placeholders.of(map), map)
})
