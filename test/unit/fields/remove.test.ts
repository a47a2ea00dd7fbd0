import test from 'node:test'
import assert from 'node:assert/strict'
import { decodeFieldsV1 } from '../../../shared/fields/fields-v1.ts'
import { removeFields } from '../../../shared/fields/remove.ts'
import { thing } from './thing.ts'

const value = {
  spec: {
    text: 'x',
    labels: { a: '1', b: '2' },
    items: [{ name: 'a', value: '1' }, { name: 'b' }],
    tags: ['p', 'q'],
    args: ['z'],
    selector: { s: '1' },
  },
}

test('members go with what lies below them, empty containers stay', () => {
  const gone = decodeFieldsV1({
    'f:spec': {
      'f:text': {},
      'f:labels': { 'f:a': {}, 'f:b': {} },
      'f:items': { 'k:{"name":"a"}': {}, 'k:{"name":"b"}': { 'f:name': {} } },
      'f:tags': { 'v:"p"': {} },
      'f:args': {},
    },
  })
  assert.deepEqual(removeFields(value, gone, thing), {
    spec: { labels: {}, items: [{}], tags: ['q'], selector: { s: '1' } },
  })
  assert.equal(value.spec.text, 'x')
})

test('what lies below an atomic container takes all of it', () => {
  assert.deepEqual(
    removeFields(
      { spec: { selector: { s: '1' } } },
      decodeFieldsV1({ 'f:spec': { 'f:selector': { 'f:s': {} } } }),
      thing,
    ),
    {
      spec: { selector: {} },
    },
  )
})
