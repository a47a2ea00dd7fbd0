import test from 'node:test'
import assert from 'node:assert/strict'
import { compareValues } from '../../../shared/fields/compare.ts'
import { encodeFieldsV1 } from '../../../shared/fields/fields-v1.ts'
import { mergeValues } from '../../../shared/fields/merge.ts'
import { fieldSetOf } from '../../../shared/fields/object-set.ts'
import { removeFields } from '../../../shared/fields/remove.ts'
import { TypedError } from '../../../shared/fields/typed-error.ts'
import { validateTyped } from '../../../shared/fields/validate.ts'
import { thing } from './thing.ts'

const keys = '{"__proto__":"1","constructor":"2","toString":"3","hasOwnProperty":"4"}'

function labelled(text: string): { spec: { labels: Record<string, string> } } {
  return JSON.parse(`{"spec":{"labels":${text}}}`) as { spec: { labels: Record<string, string> } }
}

test('keys that JavaScript knows are data like any other', () => {
  const value = labelled(keys)
  const merged = mergeValues(labelled('{}'), value, thing)
  assert.equal(JSON.stringify(merged), JSON.stringify(value))
  assert.equal(Object.keys(encodeFieldsV1(fieldSetOf(value, thing))['f:spec']?.['f:labels'] ?? {}).length, 4)
  assert.deepEqual(compareValues(labelled('{}'), value, thing).added.size, 4)
  assert.deepEqual(compareValues(value, labelled('{"a":"1"}'), thing).removed.size, 4)
  const gone = compareValues(labelled('{}'), labelled('{"__proto__":"1"}'), thing).added
  assert.deepEqual(Object.keys((removeFields(value, gone, thing) as typeof value).spec.labels), [
    'constructor',
    'toString',
    'hasOwnProperty',
  ])
  assert.equal(Object.hasOwn({}, 'polluted'), false)
  assert.equal(Object.getPrototypeOf((merged as typeof value).spec.labels), Object.prototype)
})

test('a key of the prototype is no declared field', () => {
  assert.throws(
    () => validateTyped({ spec: { constructor: 1 } }, thing),
    /\.spec\.constructor: field not declared in schema/,
  )
})

function nested(depth: number): unknown {
  let value: unknown = 'x'
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { a: value } : [value]
  return { spec: { free: { a: value } } }
}

test('data nested without end is refused, not walked to a crash', () => {
  const deep = nested(200_000)
  for (const walk of [
    () => validateTyped(deep, thing),
    () => mergeValues({}, deep, thing),
    () => compareValues(deep, nested(200_000), thing),
  ]) {
    assert.throws(walk, (error: unknown) => TypedError.is(error) && error.reason === 'too-deep')
  }
})

test('data nested a thousand deep is walked', () => {
  validateTyped(nested(1000), thing)
  assert.equal(fieldSetOf(nested(1000), thing).isEmpty, false)
})
