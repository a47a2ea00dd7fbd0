import test from 'node:test'
import assert from 'node:assert/strict'
import { builtInCatalogue } from '../../../../shared/kubernetes/built-in.ts'
import { StatusError } from '../../../../shared/simulator/errors.ts'
import type { JsonObject } from '../../../../shared/simulator/object.ts'
import { applyStrategicMergePatch } from '../../../../shared/simulator/patch/strategic-merge.ts'

const schema = builtInCatalogue().schemaFor('apps', 'v1', 'Deployment')

function patched(document: JsonObject, patch: unknown): JsonObject {
  assert.ok(schema)
  return applyStrategicMergePatch(document, patch, schema)
}

const pod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } })

function check(before: JsonObject, patch: JsonObject, after: JsonObject): void {
  assert.deepEqual(patched(pod(before), pod(patch)), pod(after))
}

function refused(patch: JsonObject, code: number, message: string | RegExp): void {
  const document = { ...pod({ containers: [{ name: 'a' }] }), metadata: { finalizers: ['x'] } }
  assert.throws(
    () => patched(document, patch),
    (error: unknown) => {
      assert.ok(StatusError.is(error))
      assert.equal(error.code, code)
      if (typeof message === 'string') assert.equal(error.message, message)
      else assert.match(error.message, message)
      return true
    },
  )
}

const named = (...names: string[]): JsonObject[] => names.map((name) => ({ name }))

test('lists of maps merge by their key, in the order of the patch', () => {
  check(
    { containers: [{ name: 'a', image: '1' }, { name: 'b' }] },
    { containers: [{ name: 'c' }, { name: 'a', image: '2' }] },
    { containers: [{ name: 'c' }, { name: 'a', image: '2' }, { name: 'b' }] },
  )
  check({ tolerations: [{ key: 'a' }] }, { tolerations: [{ key: 'b' }] }, { tolerations: [{ key: 'b' }] })
})

test('null deletes a field and is dropped elsewhere', () => {
  check({ containers: named('a'), nodeName: 'n' }, { nodeName: null, hostname: null }, { containers: named('a') })
})

test('$patch deletes an item, replaces a list, or replaces or empties a map', () => {
  check({ containers: named('a', 'b') }, { containers: [{ name: 'a', $patch: 'delete' }] }, { containers: named('b') })
  check(
    { containers: named('a', 'b') },
    { containers: [{ name: 'c' }, { $patch: 'replace' }] },
    { containers: named('c') },
  )
  check(
    { securityContext: { runAsUser: 1 } },
    { securityContext: { $patch: 'replace', fsGroup: 2 } },
    { securityContext: { fsGroup: 2 } },
  )
  check({ securityContext: { runAsUser: 1 } }, { securityContext: { $patch: 'delete' } }, { securityContext: {} })
})

test('$setElementOrder puts items in order, those of the server stay near their place', () => {
  check(
    { containers: named('a', 'x', 'b') },
    { '$setElementOrder/containers': named('b', 'a'), containers: [{ name: 'b', image: '1' }] },
    { containers: [{ name: 'x' }, { name: 'b', image: '1' }, { name: 'a' }] },
  )
})

test('$deleteFromPrimitiveList takes values out, sets grow', () => {
  const document = { metadata: { finalizers: ['x', 'y', 'z'] } }
  assert.deepEqual(patched(document, { metadata: { '$deleteFromPrimitiveList/finalizers': ['y'] } }), {
    metadata: { finalizers: ['x', 'z'] },
  })
  assert.deepEqual(patched(document, { metadata: { finalizers: ['y', 'n'] } }), {
    metadata: { finalizers: ['x', 'y', 'n', 'z'] },
  })
})

test('$retainKeys drops the other keys', () => {
  assert.deepEqual(
    patched(
      { spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } } },
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
    ),
    { spec: { strategy: { type: 'Recreate' } } },
  )
})

test('what cannot be applied is refused in the words of the server', () => {
  refused(pod({ containers: [{ image: 'x' }] }), 500, 'map: map[image:x] does not contain declared merge key: name')
  refused(
    pod({ containers: [{ name: 'a', $patch: 'twist' }] }),
    500,
    'unknown patch type: twist in map: map[$patch:twist name:a]',
  )
  refused(pod({ containers: ['a'] }), 500, 'list element types are not identical: [[map[name:a]] [a]]')
  refused(pod({ containers: [['a']] }), 422, 'the server rejected our request due to an error in our request')
  refused(
    { spec: { strategy: { $retainKeys: 'type' } }, metadata: { $retainKeys: 'x' } },
    400,
    'invalid patch format of retainKeys',
  )
  refused({ metadata: { $deleteFromPrimitiveList: ['x'] } }, 400, 'invalid patch format of primitive list')
  refused({ metadata: { $setElementOrder: ['x'] } }, 400, 'invalid patch format of setElementOrder list')
  refused(
    pod({ '$setElementOrder/containers': named('b', 'a'), containers: named('a', 'b') }),
    500,
    /^The order in patch list:/,
  )
  refused(
    { '$setElementOrder/bogus': ['x'] },
    500,
    'unable to find api field in struct Deployment for the json field "bogus"',
  )
  assert.throws(() => patched({}, []), {
    code: 400,
    message: 'json: cannot unmarshal array into Go value of type map[string]interface {}',
  })
})

test('neither the document nor the patch is changed', () => {
  const document = pod({ containers: [{ name: 'a', env: [{ name: 'A' }] }] })
  const patch = pod({
    '$setElementOrder/containers': named('a'),
    containers: [{ name: 'a', env: [{ name: 'A', $patch: 'delete' }] }],
  })
  const before = JSON.stringify([document, patch])
  patched(document, patch)
  assert.equal(JSON.stringify([document, patch]), before)
})

test('a key such as __proto__ stays data', () => {
  const result = patched(
    { metadata: { labels: {} } },
    JSON.parse('{"metadata":{"labels":{"__proto__":"1"}},"__proto__":{"polluted":1}}'),
  )
  assert.equal(JSON.stringify(result), '{"metadata":{"labels":{"__proto__":"1"}},"__proto__":{"polluted":1}}')
  assert.equal(Object.getPrototypeOf(result), Object.prototype)
})
