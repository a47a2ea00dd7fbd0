import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import type { Rehearsal } from '../../../shared/model/rehearsal.ts'
import { RehearsalArchive } from '../../../shared/rehearsal/archive.ts'
import { RehearsalError } from '../../../shared/rehearsal/rehearsal-error.ts'
import { sampleRehearsal } from '../../support/rehearsal-sample.ts'

async function archive(t: TestContext, ...kept: readonly Partial<Rehearsal>[]): Promise<RehearsalArchive> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-archive-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const found = new RehearsalArchive(folder)
  for (const one of kept) await found.keep(sampleRehearsal(one))
  await writeFile(path.join(folder, '9-broken.json'), '{')
  return found
}

test('a passed rehearsal of exactly this plan allows it', async (t) => {
  const kept = await archive(t, { plan: 'p1', passed: true })
  assert.equal((await kept.approval('shop', 'p1')).rehearsal.plan, 'p1')
})

test('a plan is refused with the reason', async (t) => {
  const failed = { plan: 'p1', passed: false, failures: ['Job migrate failed'] }
  const broken = { plan: 'p1', passed: true, faults: [{ kind: 'image', pattern: '*' } as const] }
  const cases = [
    { kept: [], reason: 'not-rehearsed', says: /was not rehearsed/ },
    { kept: [{ plan: 'p0', passed: true }], reason: 'moved', says: /has moved since it was rehearsed/ },
    { kept: [failed], reason: 'did-not-pass', says: /Job migrate failed/ },
    // What was made to fail, or was not planned on the real cluster, proves nothing about it.
    { kept: [broken], reason: 'not-rehearsed', says: /was not rehearsed/ },
    { kept: [{ plan: '', passed: true }], reason: 'not-rehearsed', says: /was not rehearsed/ },
    { kept: [{ plan: 'p1', passed: true, application: 'other' }], reason: 'not-rehearsed', says: /was not rehearsed/ },
  ] as const
  for (const { kept, reason, says } of cases) {
    const found = await archive(t, ...kept)
    await assert.rejects(found.approval('shop', 'p1'), (error) => {
      assert.ok(RehearsalError.is(error, reason), `${reason}: ${String(error)}`)
      assert.match(error.message, says)
      return true
    })
  }
})

test('the newest rehearsal of a plan decides, and no more than fifty are kept', async (t) => {
  const times = Array.from({ length: 55 }, (_, index) => new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString())
  const kept = await archive(
    t,
    ...times.map((rehearsedAt, index) => ({ plan: 'p1', passed: index % 2 === 0, rehearsedAt })),
  )
  assert.equal((await kept.list()).length, 50)
  assert.equal((await kept.approval('shop', 'p1')).rehearsal.rehearsedAt, times.at(-1))
})
