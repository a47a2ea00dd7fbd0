import assert from 'node:assert/strict'
import test from 'node:test'
import { isWrite, type AuditEvent } from '../support/control-plane-audit.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { openLine } from '../support/line-session.ts'
import { resourceVersions } from '../support/line-objects.ts'
import { configMap } from '../support/line-workspace.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { missingTools } from '../support/tools/find.ts'

const MANY = 40

test('invariant 8: the drift check writes nothing, and asks nothing about what neither side has changed', async (t) => {
  const skip = (await gitIsMissing()) ?? (missingTools('etcd', 'kube-apiserver') || undefined)
  if (skip !== undefined) return t.skip(skip)
  const plane = await startControlPlane({ audit: true })
  t.after(() => plane.stop())
  const server = { kubeconfig: plane.kubeconfigPath, context: 'admin' }
  const files = Object.fromEntries(
    Array.from({ length: MANY }, (_, index) => [`${index}.yaml`, configMap(`many-${index}`)] as const),
  )
  const line = await openLine(t, server, { name: 'many' }, files)

  let seen = 0
  /** What the server was asked since the last question, and nothing of it may be a write. */
  const asked = async (): Promise<readonly AuditEvent[]> => {
    const events = await plane.audit()
    const fresh = events.slice(seen)
    seen = events.length
    return fresh
  }
  const look = async (): Promise<readonly string[]> => {
    await asked()
    const before = await resourceVersions(plane)
    seen = (await plane.audit()).length
    await line.look()
    const events = await asked()
    assert.deepEqual(events.filter(isWrite), [])
    assert.deepEqual(await resourceVersions(plane), before)
    return events.filter(({ dryRun }) => dryRun).map(({ verb, name }) => `${verb} ${name}`)
  }

  await t.test('before the first sync each object is tried once, by a dry run', async () => {
    // The namespace is not there yet, so that nothing in it can be tried.
    assert.deepEqual(await look(), ['patch many'])
  })
  await t.test('in sync nothing is asked, not even for the first time', async () => {
    assert.equal((await line.sync()).snapshot.sync, 'Synced')
    assert.deepEqual(await look(), [])
    const { applications } = await line.session.applications()
    for (const application of applications) await line.session.forget(application)
    assert.deepEqual(await look(), [])
  })
  await t.test('one changed object is one dry run, and none the next time', async () => {
    const path = '/api/v1/namespaces/many/configmaps/many-7'
    await line.write({ manager: 'hand', path, body: { data: { key: 'two' } } })
    assert.deepEqual(await look(), ['patch many-7'])
    assert.deepEqual(await look(), [])
  })
  await t.test('one changed manifest is one dry run', async () => {
    await line.scaffold.write({ 'many/9.yaml': configMap('many-9', 'three') })
    assert.deepEqual(await look(), ['patch many-9'])
    assert.deepEqual(await look(), [])
  })
  await t.test('a state that was seen before is known, whatever its resourceVersion', async () => {
    const path = '/api/v1/namespaces/many/configmaps/many-7'
    await line.write({ manager: 'hand', path, body: { data: { key: 'three' } } })
    assert.deepEqual(await look(), ['patch many-7'])
    await line.write({ manager: 'hand', path, body: { data: { key: 'two' } } })
    assert.deepEqual(await look(), [])
  })
})
