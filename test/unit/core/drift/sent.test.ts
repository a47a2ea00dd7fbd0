import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentObject } from '../../../../shared/core/drift/sent.ts'
import type { JsonObject } from '../../../../shared/model/json.ts'
import type { Owner } from '../../../../shared/model/live.ts'
import { DEPLOYMENT, deployment, fieldsOf, live, ours, owner } from './fixtures.ts'

const WANTED = { replicas: 2, template: { spec: { containers: [{ name: 'web', image: 'web:1' }] } } }
const WITHOUT_REPLICAS = { template: WANTED.template }

/** What is sent of `WANTED` when the cluster has `spec`, and what is left to others. */
function check(
  spec: JsonObject,
  owners: readonly Owner[],
  sent: JsonObject,
  left: readonly string[],
  trusted: ReadonlySet<string> = new Set(),
): void {
  const found = sentObject(deployment(WANTED), live(deployment(spec), ...owners), DEPLOYMENT, trusted)
  assert.deepEqual(found.object, deployment(sent))
  assert.deepEqual(
    found.left.map((one) => `${one.path.join('/')}: ${JSON.stringify(one.left)} -> ${JSON.stringify(one.right)}`),
    left,
  )
}

const scaled = (manager: string): Owner => owner(manager, { 'f:spec': { 'f:replicas': {} } }, { subresource: 'scale' })

test('what an autoscaler holds is not sent, so that the two do not fight', () => {
  const theirs = { ...WANTED, replicas: 5 }
  const own = ours(fieldsOf(deployment(WITHOUT_REPLICAS), DEPLOYMENT))
  check(theirs, [own, scaled('autoscaler')], WITHOUT_REPLICAS, ['spec/replicas: 2 -> 5'])
  // kubectl scale is a person.
  check(theirs, [own, scaled('kubectl')], WANTED, [])
})

test('what is ours as well is sent', () => {
  check(WANTED, [ours(fieldsOf(deployment(WANTED), DEPLOYMENT)), scaled('autoscaler')], WANTED, [])
})

test('what a trusted manager holds below a keyed list is left to it', () => {
  const image = { template: { spec: { containers: [{ name: 'web', image: 'web:2' }] } } }
  const updater = owner('updater', fieldsOf(deployment(image), DEPLOYMENT))
  const kept = { replicas: 2, template: { spec: { containers: [{ name: 'web' }] } } }
  const left = ['spec/template/spec/containers/0/image: "web:1" -> "web:2"']
  check({ ...WANTED, ...image }, [updater], kept, left, new Set(['updater']))
  check({ ...WANTED, ...image }, [updater], WANTED, [])
})

test('nothing is copied where nothing is left out', () => {
  const wanted = deployment(WANTED)
  const found = sentObject(wanted, live(deployment(WANTED), ours({}), scaled('kubectl')), DEPLOYMENT, new Set())
  assert.equal(found.object, wanted)
})
