import test from 'node:test'
import assert from 'node:assert/strict'
import { encodeFieldsV1 } from '../../../shared/fields/fields-v1.ts'
import { fieldSetOf } from '../../../shared/fields/object-set.ts'
import { deducedSchema } from '../../../shared/fields/schema.ts'
import { thing } from './thing.ts'

function check(spec: unknown, expected: unknown): void {
  const encoded: Record<string, unknown> = encodeFieldsV1(fieldSetOf({ spec }, thing))
  assert.deepEqual(encoded['f:spec'] ?? null, expected)
}

test('scalars and atomic containers are owned whole', () => {
  check(
    { text: 'x', count: 0, args: ['a', 'b'], selector: { a: 'b' } },
    { 'f:text': {}, 'f:count': {}, 'f:args': {}, 'f:selector': {} },
  )
})

test('items of map lists are owned with their keys, and by themselves', () => {
  check(
    { items: [{ name: 'a', value: 'x', sub: { a: 'y' } }], ports: [{ port: 80 }] },
    {
      'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:name': {}, 'f:value': {}, 'f:sub': { 'f:a': {} } } },
      'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
    },
  )
})

test('members of sets are owned by value, keys of maps one by one', () => {
  check({ tags: ['a', 'b'], labels: { x: '1' } }, { 'f:tags': { 'v:"a"': {}, 'v:"b"': {} }, 'f:labels': { 'f:x': {} } })
})

test('nulls and empty maps are owned, empty lists of items are not', () => {
  check(
    { labels: {}, child: null, text: null, tags: [], args: [] },
    { 'f:labels': {}, 'f:child': {}, 'f:text': {}, 'f:args': {} },
  )
})

test('keys that the type does not declare are members as well as their content', () => {
  check({ free: { a: { b: 1 }, c: [1] } }, { 'f:free': { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': {} } })
})

test('an item that is there twice is owned as one, with nothing below', () => {
  check(
    { items: [{ name: 'a' }, { name: 'a', value: 'x' }, { name: 'b' }] },
    {
      'f:items': { 'k:{"name":"a"}': {}, 'k:{"name":"b"}': { '.': {}, 'f:name': {} } },
    },
  )
})

test('without a type maps are granular and lists atomic', () => {
  assert.deepEqual(encodeFieldsV1(fieldSetOf({ a: { b: [{ name: 'x' }] } }, deducedSchema)), {
    'f:a': { '.': {}, 'f:b': {} },
  })
})

test('an empty object names nothing', () => {
  assert.equal(fieldSetOf({}, thing).isEmpty, true)
  check({}, {})
})
