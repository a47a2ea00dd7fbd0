import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownershipOnly } from '../../../../shared/core/drift/ownership.ts'
import type { JsonObject } from '../../../../shared/model/json.ts'
import { DEPLOYMENT, deployment, fieldsOf, live, ours, owner } from './fixtures.ts'

const WANTED = { replicas: 2, template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } }

/** Where an apply of `WANTED` would only make a field ours, when what is ours now is `own`. */
function check(own: JsonObject | undefined, expected: readonly string[]): void {
  const mine = own === undefined ? [] : [ours(fieldsOf(deployment(own), DEPLOYMENT))]
  const before = live(deployment(WANTED), ...mine, owner('hand', fieldsOf(deployment(WANTED), DEPLOYMENT)))
  const predicted = live(deployment(WANTED), ours(fieldsOf(deployment(WANTED), DEPLOYMENT)))
  const found = ownershipOnly(predicted, before, DEPLOYMENT)
  assert.deepEqual(found.map((one) => one.path.join('/')).sort(), [...expected].sort())
}

test('a field with the wanted value that is no longer ours is told of', () => {
  check(WANTED, [])
  check({ template: WANTED.template }, ['spec/replicas'])
  check({ replicas: 2, template: { spec: { containers: [{ name: 'web' }] } } }, [
    'spec/template/spec/containers/0/image',
  ])
})

test('of an object that was never applied from here nothing is told', () => {
  check(undefined, [])
})
