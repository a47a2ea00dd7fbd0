import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { rehearse, rehearsedRequest } from '../../shared/session/rehearse.ts'
import { syncOrGoBack } from '../../shared/session/rollback-on-degraded.ts'
import { useOwnState } from '../support/own-state.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, hook, job } from '../support/sync-objects.ts'
import { embeddedServer } from '../support/test-servers.ts'

useOwnState()
const server = embeddedServer('the embedded server with its controllers', true)
const request = { prune: true, dryRun: false }

async function lab(t: TestContext): Promise<Lab> {
  return openLab(t, await server.start(t), 'rehearsed')
}

async function rehearsed(of: Lab, options: Partial<Parameters<typeof rehearse>[2]> = {}): ReturnType<typeof rehearse> {
  const found = await rehearse(of.session, await of.application(), { request, ...options })
  await found.dispose()
  return found
}

/** A Deployment that does not wait ten minutes to say that it fails. */
function quick(image: string, hint?: string): object {
  const whole = deployment('web', {}, { image, ...(hint === undefined ? {} : { hint }) }) as { readonly spec: object }
  return { ...whole, spec: { ...whole.spec, progressDeadlineSeconds: 60 } }
}

test('a sync that would go back when it comes out degraded is rehearsed going back', async (t) => {
  const of = await lab(t)
  const healthy = await of.commit([quick('web:1')])
  await syncOrGoBack(of.session, await of.application(), { request }, 20_000)
  await of.commit([quick('web:2', 'never-ready')])
  const plain = await rehearsed(of)
  assert.equal(plain.rehearsal.rolledBackTo, undefined)
  assert.equal(plain.rehearsal.end.health, 'Degraded')
  const { rehearsal } = await rehearsed(of, { rollbackAfterMs: 300_000 })
  assert.equal(rehearsal.rolledBackTo, healthy)
  assert.deepEqual([rehearsal.passed, rehearsal.end.health], [false, 'Healthy'])
  assert.match(rehearsal.failures[0] ?? '', /goes back to/)
})

test('a sync that fails is tried anew in simulated time, as often as it was asked to', async (t) => {
  const of = await lab(t)
  await of.commit([job('migrate', hook('PreSync'), 'fail'), configMap('plain')])
  const backoff = { duration: '5m', factor: 2, maxDuration: '1h' }
  const started = performance.now()
  const { rehearsal } = await rehearsed(of, { request: { ...request, retry: { limit: 2, backoff } } })
  assert.equal(rehearsal.operation.retries, 2)
  assert.ok(rehearsal.simulatedMs >= 15 * 60_000, `${rehearsal.simulatedMs} ms`)
  assert.ok(performance.now() - started < 30_000)
})

test('what moves between the approval and the first write ends the sync before it', async (t) => {
  const of = await lab(t)
  await of.commit([configMap('plain', { a: '1' })])
  await of.sync()
  await of.commit([configMap('plain', { a: '2' })])
  await rehearsed(of)
  const application = await of.application()
  const { request: pinned } = await rehearsedRequest(of.session, application, { request })
  const path = `/api/v1/namespaces/${of.name}/configmaps/plain?fieldManager=somebody`
  await of.http.send('PATCH', path, { data: { b: 'theirs' } }, 'application/merge-patch+json')
  const { outcome } = await of.session.sync(application, { request: pinned })
  assert.deepEqual([outcome?.phase, outcome?.steps.length], ['Failed', 0])
  assert.match(outcome?.message ?? '', /the plan has moved since it was rehearsed; nothing was applied/)
  const left = (await of.http.send('GET', path)) as { readonly data: object }
  assert.deepEqual(left.data, { a: '1', b: 'theirs' })
})

test('a kind that nothing simulated tends is said, not guessed', async (t) => {
  const of = await lab(t)
  const names = { kind: 'Order', plural: 'orders', singular: 'order' }
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'orders.shop.example.com' },
    spec: {
      group: 'shop.example.com',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
  await of.commit([definition, { apiVersion: 'shop.example.com/v1', kind: 'Order', metadata: { name: 'one' } }])
  const { rehearsal } = await rehearsed(of)
  assert.equal(rehearsal.passed, true, rehearsal.failures.join('; '))
  const told = rehearsal.unknowns.flatMap((one) => (one.kind === 'controller' ? [one.of.kind] : []))
  assert.deepEqual(told, ['Order'])
})

test('what runs on the real cluster goes on as it was seen there', async (t) => {
  const of = await lab(t)
  const steady = deployment('steady', {}, { hint: 'never-ready' })
  await of.commit([steady, configMap('plain', { a: '1' })])
  await of.sync()
  await of.commit([steady, configMap('plain', { a: '2' })])
  const { rehearsal } = await rehearsed(of)
  const touched = rehearsal.steps.map(({ id, result }) => `${id.kind} ${result.kind}`)
  assert.deepEqual(touched, ['ConfigMap changed'])
  assert.deepEqual(rehearsal.effects, [])
  assert.notEqual(rehearsal.end.health, 'Healthy')
})
