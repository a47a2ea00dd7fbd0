import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { machineKey } from '../../../shared/rehearsal/recording-key.ts'
import { readRecording, writeRecording, type Recording } from '../../../shared/rehearsal/recording.ts'
import { RehearsalError } from '../../../shared/rehearsal/rehearsal-error.ts'

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'plumbline-recording-'))
  t.after(() => rm(made, { recursive: true, force: true }))
  return made
}

const recording: Recording = {
  context: 'dev',
  server: 'https://dev',
  version: 'v1.36.2',
  readAt: '2026-01-01T00:00:00Z',
  application: 'shop',
  namespaces: ['shop'],
  objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'u' } }],
  gaps: [{ what: 'nodes', reason: 'forbidden' }],
  key: 'k',
}

test('a recording is read as it was written, and only its owner may read it', async (t) => {
  const file = path.join(await folder(t), 'shop.json')
  await writeRecording(file, recording)
  assert.deepEqual(await readRecording(file), recording)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('what is no recording is refused in one sentence', async (t) => {
  const root = await folder(t)
  const cases = {
    broken: '{',
    list: '[]',
    other: '{"format":"something/1","objects":[]}',
    bare: '{"format":"plumbline-recording/1"}',
  }
  for (const [name, text] of Object.entries(cases)) {
    const file = path.join(root, name)
    await writeFile(file, text)
    await assert.rejects(readRecording(file), (error) => RehearsalError.is(error, 'recording'), name)
  }
  await assert.rejects(readRecording(path.join(root, 'absent')), /cannot be read: ENOENT/)
})

test("the machine's key stays the same, its id says nothing of it", async (t) => {
  const root = await folder(t)
  const [one, other] = [await machineKey(root), await machineKey(root)]
  assert.deepEqual(one, other)
  const key = await readFile(path.join(root, 'recording.key'))
  assert.ok(!key.toString('hex').includes(one.id))
})
