import assert from 'node:assert/strict'
import test from 'node:test'
import { everyObject } from '../support/line-objects.ts'
import { applicationFile, configMap, workspace } from '../support/line-workspace.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'

const MANY = 200
const PATIENCE_MS = 60_000

test('of two syncs at once one does the work and the other says so, or has nothing left to do', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const files: Record<string, string> = { 'apps/busy.yaml': applicationFile({ name: 'busy' }) }
  for (let i = 0; i < MANY; i++) files[`busy/${i}.yaml`] = configMap(`busy-${i}`)
  const line = await workspace(t, files)
  const both = await Promise.all([line.run(['app', 'sync', 'busy']), line.run(['app', 'sync', 'busy'])])
  const told = both.map(({ code, stderr }) => `${code}: ${stderr.trimEnd().split('\n').slice(-2).join(' / ')}`)
  t.diagnostic(told.join('\n'))
  assert.ok(
    both.some(({ code }) => code === 0),
    told.join('\n'),
  )
  for (const { code, stderr } of both) {
    assert.ok(code === 0 || /a sync of .* is under way since .*terminate-op/.test(stderr), stderr)
    assert.doesNotMatch(stderr, /^\s+at /m)
  }
  const objects = await everyObject(line.server)
  assert.equal(objects.filter(({ metadata }) => metadata.name.startsWith('busy-')).length, MANY)
  const last = await line.run(['app', 'diff', 'busy'])
  assert.equal(last.code, 0, last.stderr)
})

test('a sync that was killed keeps no other kind of sync waiting for long', async (t) => {
  const skip = await gitIsMissing()
  if (skip !== undefined) return t.skip(skip)
  const files: Record<string, string> = { 'apps/busy.yaml': applicationFile({ name: 'busy' }) }
  for (let i = 0; i < MANY; i++) files[`busy/${i}.yaml`] = configMap(`busy-${i}`)
  const line = await workspace(t, files)
  const killed = await line.run(['app', 'sync', 'busy', '--prune'], {
    onStart: (child) => child.stderr?.once('data', () => child.kill('SIGKILL')),
  })
  assert.equal(killed.signal, 'SIGKILL')
  const began = performance.now()
  let next = await line.run(['app', 'sync', 'busy'])
  while (next.code !== 0 && performance.now() - began < PATIENCE_MS) next = await line.run(['app', 'sync', 'busy'])
  t.diagnostic(`${Math.round(performance.now() - began)} ms until the next sync had ended`)
  assert.equal(next.code, 0, next.stderr)
  assert.equal((await line.run(['app', 'diff', 'busy'])).code, 0)
})
