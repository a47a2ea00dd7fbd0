import test from 'node:test'
import assert from 'node:assert/strict'
import type { JsonObject } from '../../../../shared/simulator/object.ts'
import { isObject } from '../../../../shared/simulator/object.ts'
import { applyMergePatch } from '../../../../shared/simulator/patch/merge-patch.ts'

function check(document: JsonObject, patch: unknown, expected: unknown): void {
  assert.deepEqual(applyMergePatch(document, patch), expected)
}

test('maps merge, everything else is replaced, null deletes', () => {
  check({ a: { b: 1, c: 2 }, l: [1, 2] }, { a: { b: null, d: 3 }, l: [3] }, { a: { c: 2, d: 3 }, l: [3] })
  check({ a: 'x' }, { a: { b: null, c: 1 } }, { a: { c: 1 } })
  check({ a: 1 }, { b: null }, { a: 1 })
})

test('nulls within new values are dropped, in lists too', () => {
  check({}, { a: { b: null, l: [{ x: null, y: 1 }, null] } }, { a: { l: [{ y: 1 }, null] } })
  check({ l: { m: 1 } }, { l: [{ x: null }] }, { l: [{ x: null }] })
})

test('what is no patch is refused', () => {
  assert.throws(() => applyMergePatch({}, null), { code: 400, message: 'Invalid JSON Patch' })
  assert.throws(() => applyMergePatch({}, [1]), {
    code: 400,
    message: 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  })
})

test('a patch that is not looked at first may be a list, which becomes the document', () => {
  assert.deepEqual(applyMergePatch({ a: 1 }, [{ b: null }], false), [{}])
  assert.throws(() => applyMergePatch({}, 5, false), { code: 400, message: 'Invalid JSON Patch' })
})

test('what the patch does not touch is shared, what it touches is not', () => {
  const document = { kept: { a: 1 }, touched: { b: 1 } }
  const result = applyMergePatch(document, { touched: { c: 1 } })
  assert.ok(isObject(result))
  assert.equal(result['kept'], document.kept)
  assert.notEqual(result['touched'], document.touched)
})

test('a key such as __proto__ stays data', () => {
  const result = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":1}}'))
  assert.equal(Object.getPrototypeOf(result), Object.prototype)
  assert.equal(JSON.stringify(result), '{"__proto__":{"polluted":1}}')
})

test('a patch nested without end is refused', () => {
  let deep: unknown = 1
  for (let i = 0; i < 200_000; i++) deep = { a: deep }
  assert.throws(() => applyMergePatch({}, deep), {
    code: 400,
    message: "error decoding patch: invalid character '{' exceeded max depth",
  })
})
