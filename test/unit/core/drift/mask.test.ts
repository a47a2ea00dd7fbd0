import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldValue, messageAbout } from '../../../../shared/core/drift/mask.ts'
import type { ResourceId } from '../../../../shared/model/kubernetes.ts'

const SECRET: ResourceId = { group: '', kind: 'Secret', namespace: 'shop', name: 'db' }
const CONFIG: ResourceId = { ...SECRET, kind: 'ConfigMap' }

function checkPath(path: string, expected: 'hidden' | 'value'): void {
  const steps = path.split('/')
  assert.equal(fieldValue(SECRET, steps, 'x').kind, expected, path)
  assert.equal(fieldValue(CONFIG, steps, 'x').kind, 'value', path)
}

test("a Secret's values are hidden wherever they may stand, and its plain fields are not", () => {
  checkPath('data', 'hidden')
  checkPath('data/password', 'hidden')
  checkPath('stringData/password', 'hidden')
  checkPath('bogus', 'hidden')
  checkPath('', 'hidden')
  checkPath('metadata', 'hidden')
  checkPath('metadata/annotations', 'hidden')
  checkPath('metadata/annotations/kubectl.kubernetes.io~last-applied', 'value')
  checkPath('metadata/labels/team', 'value')
  checkPath('metadata/name', 'value')
  checkPath('type', 'value')
  checkPath('immutable', 'value')
  assert.deepEqual(fieldValue(SECRET, ['metadata', 'annotations', LAST_APPLIED], 'x'), { kind: 'hidden' })
  assert.deepEqual(fieldValue(SECRET, ['data', 'password'], undefined), { kind: 'absent' })
})

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

test('a Secret of another API group is no Secret', () => {
  const sealed = { ...SECRET, group: 'bitnami.com' }
  assert.deepEqual(fieldValue(sealed, ['data', 'a'], 'x'), { kind: 'value', value: 'x' })
})

/** An error as the cluster's edge makes it. */
function refusal(reason: string, message: string, causes: readonly object[] = []): Error {
  return Object.assign(new Error(message), { reason, causes })
}

function check(error: unknown, expected: string): void {
  assert.equal(messageAbout(SECRET, error), expected)
}

test('of an error about a Secret only what can hold no value is told', () => {
  const rbac =
    'secrets "db" is forbidden: User "ada" cannot patch resource "secrets" in API group "" in the namespace "shop"'
  check(refusal('forbidden', rbac), rbac)
  check(refusal('not-found', 'namespaces "shop" not found'), 'namespaces "shop" not found')
  check(refusal('unreachable', 'nobody listens on 127.0.0.1:6443'), 'nobody listens on 127.0.0.1:6443')
  check(
    refusal('forbidden', 'admission webhook "policy" denied the request: password hunter2 is too weak'),
    'the server refused the Secret (forbidden): its words may quote values and are not shown',
  )
  check(
    refusal(
      'invalid',
      'failed to create typed patch object (shop/db; /v1, Kind=Secret): .data.password: expected string, got &value.valueUnstructured{Value:12345}',
    ),
    'the server refused the Secret (invalid): data.password has to be a text',
  )
  check(
    refusal('invalid', 'Secret "db" is invalid: data[.dockerconfigjson]: Invalid value: "hunter2": no', [
      { field: 'data[.dockerconfigjson]', reason: 'FieldValueInvalid', message: 'Invalid value: "hunter2": no' },
    ]),
    'the server refused the Secret (invalid): data[.dockerconfigjson] is not valid (FieldValueInvalid)',
  )
  check(
    refusal('bad-request', 'strict decoding error: unknown field "bogus", unknown field "dta"'),
    'the server refused the Secret (bad-request): unknown field "bogus", unknown field "dta"',
  )
  check('hunter2', 'the server refused the Secret: its words may quote values and are not shown')
  assert.equal(messageAbout(CONFIG, refusal('invalid', 'key "a b" is not valid')), 'key "a b" is not valid')
})
