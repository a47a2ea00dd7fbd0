import test from 'node:test'
import assert from 'node:assert/strict'
import { StatusError } from '../../../../shared/simulator/errors.ts'
import { applyJsonPatch } from '../../../../shared/simulator/patch/json-patch.ts'

const document = { a: { b: ['x', 'y'] }, 'k/~': 1, n: null }

function check(patch: unknown, expected: unknown): void {
  assert.deepEqual(applyJsonPatch(document, patch), expected)
}

function refused(patch: unknown, code: number, message: string): void {
  assert.throws(
    () => applyJsonPatch(document, patch),
    (error: unknown) => {
      assert.ok(StatusError.is(error))
      assert.deepEqual([error.code, error.message], [code, message])
      return true
    },
  )
}

test('operations apply in order', () => {
  check(
    [
      { op: 'add', path: '/a/b/1', value: 'new' },
      { op: 'add', path: '/a/b/-', value: 'end' },
      { op: 'replace', path: '/k~1~0', value: 2 },
      { op: 'copy', from: '/a/b/0', path: '/copy' },
      { op: 'move', from: '/n', path: '/moved' },
      { op: 'test', path: '/copy', value: 'x' },
      { op: 'remove', path: '/a/b/-1' },
    ],
    { a: { b: ['x', 'new', 'y'] }, 'k/~': 2, copy: 'x', moved: null },
  )
})

test('as in the server, a replace may add a key and absent equals null', () => {
  check(
    [
      { op: 'replace', path: '/fresh', value: 1 },
      { op: 'test', path: '/none', value: null },
    ],
    { ...document, fresh: 1 },
  )
})

test('what does not apply is refused without a reason why', () => {
  for (const operation of [
    { op: 'test', path: '/k~1~0', value: 2 },
    { op: 'remove', path: '/none' },
    { op: 'add', path: '/none/x', value: 1 },
    { op: 'add', path: '/a/b/9', value: 1 },
    { op: 'add', path: '', value: {} },
    { op: 'twist', path: '/a' },
    { op: 'add' },
  ]) {
    refused([operation], 422, 'the server rejected our request due to an error in our request')
  }
})

test('what is no patch is refused with a reason', () => {
  refused({}, 400, 'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp')
  refused([1], 400, 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp')
  refused(
    [{ op: 1 }],
    400,
    'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
  )
  const many = Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/n', value: null }))
  refused(many, 413, 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001')
})

test('a pointer never leads to the prototype', () => {
  for (const path of ['/__proto__/polluted', '/constructor/prototype/polluted', '/a/b/__proto__/polluted']) {
    refused([{ op: 'add', path, value: 1 }], 422, 'the server rejected our request due to an error in our request')
  }
  const own = applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { polluted: 1 } }]) as object
  assert.equal(Object.getPrototypeOf(own), Object.prototype)
  assert.equal(JSON.stringify(own), '{"__proto__":{"polluted":1}}')
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})
