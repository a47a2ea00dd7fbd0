import assert from 'node:assert/strict'
import { test } from 'node:test'
import { provesNoChange } from '../../../../shared/core/drift/proof.ts'
import type { KubeObject } from '../../../../shared/model/kubernetes.ts'
import type { Owner } from '../../../../shared/model/live.ts'
import { DEPLOYMENT, deployment, fieldsOf, live, ours, owner } from './fixtures.ts'

const WANTED = deployment(
  {
    replicas: 2,
    template: {
      spec: { containers: [{ name: 'web', image: 'web:1', resources: { limits: { cpu: '500m' } } }] },
    },
  },
  { labels: { team: 'blue' } },
)
const OURS = ours(fieldsOf(WANTED, DEPLOYMENT))

function check(have: KubeObject, owners: readonly Owner[], expected: boolean): void {
  assert.equal(provesNoChange(WANTED, live(have, ...owners), DEPLOYMENT), expected)
}

function withContainer(container: object): KubeObject {
  return deployment(
    { replicas: 2, template: { spec: { containers: [container as never] } } },
    { labels: { team: 'blue' } },
  )
}

test('an apply is known to change nothing where our fields are the wanted ones at the wanted values', () => {
  check(WANTED, [OURS], true)
  // What the server and others added does not matter to it.
  check(
    deployment({ ...(WANTED['spec'] as object), paused: true }, { labels: { team: 'blue', more: 'x' } }),
    [OURS],
    true,
  )
  // Quantities by amount; items in another order, among others.
  const limits = { cpu: '0.5' }
  check(withContainer({ name: 'web', image: 'web:1', resources: { limits }, tty: false }), [OURS], true)
})

test('nothing is proven by another value, or a field that is gone', () => {
  check(deployment({ ...(WANTED['spec'] as object), replicas: 3 }, { labels: { team: 'blue' } }), [OURS], false)
  check(deployment({ ...(WANTED['spec'] as object) }, { labels: {} }), [OURS], false)
  check(withContainer({ name: 'other', image: 'web:1' }), [OURS], false)
})

test('nothing is proven where we own more, or less, or nothing, or in another version', () => {
  const less = fieldsOf(deployment({ replicas: 2 }), DEPLOYMENT)
  const more = fieldsOf(deployment({ ...(WANTED['spec'] as object), paused: true }, WANTED.metadata), DEPLOYMENT)
  check(WANTED, [ours(less)], false)
  check(WANTED, [ours(more)], false)
  check(WANTED, [], false)
  check(WANTED, [{ ...OURS, apiVersion: 'apps/v1beta1' }], false)
  check(WANTED, [{ ...OURS, operation: 'Update' }], false)
  check(WANTED, [{ ...OURS, subresource: 'scale' }], false)
  check(WANTED, [owner('somebody', OURS.fields, { operation: 'Apply' })], false)
})
