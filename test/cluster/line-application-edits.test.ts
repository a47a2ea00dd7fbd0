import assert from 'node:assert/strict'
import test from 'node:test'
import { openLine, type Line } from '../support/line-session.ts'
import { applicationFile, configMap } from '../support/line-workspace.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { embedded } from '../support/test-servers.ts'

const WORKTREE = { targetRevision: 'WORKTREE' }

/** Where the objects of the application are wanted, as a session that goes on sees it. */
async function wanted(line: Line): Promise<readonly string[]> {
  const { applications } = await line.session.applications()
  const [application] = applications
  assert.ok(application)
  const pass = await line.session.look(application)
  const shown = pass.snapshot.resources.filter(({ id }) => id.kind === 'ConfigMap')
  return shown.map(({ id, drift }) => `${id.namespace}/${id.name} ${drift.state}`)
}

test('an edit of the Application takes effect in a session that goes on, its manifests unchanged', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const line = await openLine(
    t,
    await embedded.start(t),
    { name: 'moving', namespace: 'one' },
    { 'a.yaml': configMap('a') },
  )
  await line.sync()
  assert.deepEqual(await wanted(line), ['one/a synced'])

  await t.test('its destination', async () => {
    await line.scaffold.write({ 'app.yaml': applicationFile({ name: 'moving', namespace: 'two', source: WORKTREE }) })
    assert.deepEqual((await wanted(line)).toSorted(), ['one/a extra', 'two/a missing'])
  })
  await t.test('its name', async () => {
    const source = { ...WORKTREE, path: 'moving' }
    await line.scaffold.write({ 'app.yaml': applicationFile({ name: 'moved', namespace: 'one', source }) })
    assert.deepEqual(await wanted(line), ['one/a changed'])
  })
  await t.test('what it ignores', async () => {
    const spec = { ignoreDifferences: [{ group: '', kind: 'ConfigMap', jsonPointers: ['/metadata/annotations'] }] }
    const source = { ...WORKTREE, path: 'moving' }
    await line.scaffold.write({ 'app.yaml': applicationFile({ name: 'moved', namespace: 'one', source, spec }) })
    assert.deepEqual(await wanted(line), ['one/a synced'])
  })
})
