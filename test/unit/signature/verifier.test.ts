import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Application, ApplicationSource } from '../../../shared/model/application.ts'
import type { Checkout } from '../../../shared/model/ports.ts'
import { readCommit } from '../../../shared/signature/commit-object.ts'
import { readKeyring } from '../../../shared/signature/keyring.ts'
import { readPolicies } from '../../../shared/signature/policy.ts'
import { createVerifier } from '../../../shared/signature/verifier.ts'
import { verifyTag } from '../../../shared/signature/verify.ts'
import { MapMemory, MemoryRepository, SshSigner } from '../../support/signature-factory.ts'
import { readMatrix } from '../../support/signature-record.ts'

process.env['TZ'] = 'UTC'

const ann = new SshSigner('ann@example.com')
const spec = {
  sourceIntegrity: { git: { policies: [{ repos: ['*'], ssh: { mode: 'head', principals: ['ann@*'] } }] } },
}
const source = { repoURL: 'https://x/y', targetRevision: 'main', path: '.' } as ApplicationSource
const application = { name: 'shop', project: 'team' } as Application

function checkoutOf(sha: string, kind: 'commit' | 'worktree' = 'commit', name = 'main'): Checkout {
  return { revision: { sha, name, kind } } as Checkout
}

function verifierFor(repository: MemoryRepository, project: unknown = spec, annotated?: string) {
  return createVerifier({
    policies: async () => readPolicies(project),
    keyring: () => readKeyring([{ kind: 'allowed-signers', name: 'allowed', bytes: Buffer.from(ann.fingerprintLine) }]),
    reader: () => repository,
    annotatedTag: async () => annotated,
    lastSynced: async () => undefined,
    memory: new MapMemory(),
    now: () => Date.UTC(2026, 0, 1),
  })
}

test('a covered application gets a verdict, and a refusal unless it is verified', async () => {
  const repository = new MemoryRepository()
  const [signed, unsigned] = [repository.commit({ signer: ann }), repository.commit()]
  const verifier = verifierFor(repository)
  const good = await verifier.judge(application, source, checkoutOf(signed), {})
  assert.equal(good?.verdict.verdict, 'verified')
  assert.equal(good?.verdict.signer, 'ann@example.com')
  assert.equal(good?.refusal, undefined)
  const bad = await verifier.judge(application, source, checkoutOf(unsigned), {})
  assert.equal(bad?.verdict.verdict, 'unsigned')
  assert.equal(
    bad?.refusal,
    `GIT/SSH: Failed verifying revision ${unsigned} by 'Ann <ann@example.com>': unsigned (key_id=)`,
  )
  const work = await verifier.judge(application, source, checkoutOf(signed, 'worktree', 'WORKTREE'), {})
  assert.equal(work?.verdict.verdict, 'unsigned')
  assert.match(work?.refusal ?? '', /uncommitted work is unsigned/)
})

test('an annotated tag is judged instead of its commit', async () => {
  const repository = new MemoryRepository()
  const commit = repository.commit()
  const tag = repository.tag('v1', commit, ann)
  const found = await verifierFor(repository, spec, tag).judge(
    application,
    source,
    checkoutOf(commit, 'commit', 'v1'),
    {},
  )
  assert.equal(found?.verdict.sha, tag)
  assert.equal(found?.refusal, undefined)
})

test('nothing is said of a project without policies, nor of a chart', async () => {
  const repository = new MemoryRepository()
  const sha = repository.commit()
  assert.equal(await verifierFor(repository, {}).judge(application, source, checkoutOf(sha), {}), undefined)
  assert.equal(
    await verifierFor(repository).judge(application, { ...source, chart: 'redis' }, checkoutOf(sha), {}),
    undefined,
  )
})

test('a merge carries the tags that it merged, each with a signature of its own', async () => {
  const { recordedAt, cases } = readMatrix()
  for (const name of ['sha1 openpgp: merge of a tag', 'sha256 ssh: merge of a tag']) {
    const item = cases.find((candidate) => candidate.name === name)
    assert.ok(item !== undefined)
    const [tag, ...others] = readCommit(item.bytes).mergeTags
    assert.ok(tag !== undefined && others.length === 0)
    const keyring = await readKeyring(item.sources)
    assert.equal((await verifyTag(tag, keyring, { now: recordedAt })).verdict.verdict, 'verified', name)
  }
})
