import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checking } from '../../../shared/signature/commit-facts.ts'
import { type Integrity, type Target, evaluateIntegrity } from '../../../shared/signature/evaluate.ts'
import { type Keyring, readKeyring } from '../../../shared/signature/keyring.ts'
import { readPolicies } from '../../../shared/signature/policy.ts'
import { CarelessSigner, MapMemory, MemoryRepository, type Signer, SshSigner } from '../../support/signature-factory.ts'

const ann = new SshSigner('ann@example.com')
const bob = new SshSigner('bob@example.com')
const eve = new SshSigner('eve@example.com')
const keyring = await ringOf(ann, bob)
const now = Date.UTC(2026, 0, 1)
const repoUrl = 'https://git.example.com/team/app'

async function keyId(signer: SshSigner): Promise<string> {
  return (await ringOf(signer)).signers[0]?.key.fingerprint ?? ''
}

function ringOf(...signers: readonly SshSigner[]): Promise<Keyring> {
  const bytes = Buffer.from(signers.map((signer) => signer.fingerprintLine).join(''))
  return readKeyring([{ kind: 'allowed-signers', name: 'allowed', bytes }])
}

type Options = {
  readonly mode?: string
  readonly lastSynced?: string
  readonly checking?: Partial<Checking>
  readonly policy?: object
}

function judge(
  repository: MemoryRepository,
  target: Target | string,
  { mode = 'head', lastSynced, checking, policy }: Options = {},
): Promise<Integrity> {
  const ssh = { mode, principals: ['ann@example.com'] }
  const spec = { sourceIntegrity: { git: { policies: [{ repos: [{ url: '*' }], ssh, ...policy }] } } }
  const request = {
    policies: readPolicies(spec),
    repoUrl,
    target: typeof target === 'string' ? ({ kind: 'commit', sha: target } as const) : target,
    ...(lastSynced !== undefined && { lastSynced }),
  }
  return evaluateIntegrity(request, { reader: repository, keyring, judging: { now }, ...checking })
}

/** The condition's text, `passed`, or `not-covered`. */
function outcome(integrity: Integrity): string {
  return integrity.kind === 'refused' ? integrity.condition.message : integrity.kind
}

test('an unsigned, a badly signed, a rightly signed and a strangely signed revision under each mode', async () => {
  const [annId, bobId, eveId] = [await keyId(ann), await keyId(bob), await keyId(eve)]
  const revisions: readonly (readonly [Signer | undefined, string])[] = [
    [undefined, 'unsigned (key_id=)'],
    [new CarelessSigner(ann), `bad signature (key_id=${annId})`],
    [ann, ''],
    [bob, `signed with unallowed key (key_id=${bobId})`],
    [eve, `signed with key not in keyring (key_id=${eveId})`],
  ]
  for (const mode of ['none', 'head', 'range', 'strict']) {
    for (const [signer, problem] of revisions) {
      const repository = new MemoryRepository()
      const base = repository.commit({ signer: ann })
      const sha = repository.commit({ parents: [base], ...(signer !== undefined && { signer }) })
      const found = outcome(await judge(repository, sha, { mode, lastSynced: base }))
      const refusal = `GIT/SSH: Failed verifying revision ${sha} by 'Ann <ann@example.com>': ${problem}`
      assert.equal(found, mode === 'none' ? 'not-covered' : problem === '' ? 'passed' : refusal, `${mode}: ${problem}`)
    }
  }
})

test('a refusal is a ComparisonError with one line for each failing key and each unsigned commit, ten at most', async () => {
  const repository = new MemoryRepository()
  const byEve = repository.chain(3, eve)
  const unsigned = repository.chain(12, undefined, byEve)
  const sha = repository.commit({ parents: [unsigned], signer: eve })
  const found = await judge(repository, sha, { mode: 'strict' })
  assert.equal(found.kind, 'refused')
  if (found.kind !== 'refused') return
  assert.equal(found.condition.type, 'ComparisonError')
  assert.equal(found.problems.length, 10)
  assert.equal(found.checked, 16)
  assert.equal(found.problems.filter((problem) => problem.includes('not in keyring')).length, 1)
  assert.equal(found.condition.message.split('\n').length, 10)
})

test('head looks at one commit and strict at every ancestor', async () => {
  const repository = new MemoryRepository()
  const unsigned = repository.commit()
  const sha = repository.chain(5, ann, unsigned)
  assert.equal(outcome(await judge(repository, sha)), 'passed')
  assert.match(
    outcome(await judge(repository, sha, { mode: 'strict' })),
    new RegExp(`revision ${unsigned} by .*: unsigned`),
  )
})

test('range looks at every commit since the last synced one, merged branches included', async () => {
  const repository = new MemoryRepository()
  const old = repository.chain(4, undefined)
  const synced = repository.commit({ parents: [old] })
  const side = repository.commit({ parents: [old], signer: ann })
  const good = repository.commit({ parents: [repository.chain(2, ann, synced), side], signer: ann })
  assert.equal(outcome(await judge(repository, good, { mode: 'range', lastSynced: synced })), 'passed')
  const sneaked = repository.commit({ parents: [old] })
  const bad = repository.commit({ parents: [good, sneaked], signer: ann })
  assert.match(
    outcome(await judge(repository, bad, { mode: 'range', lastSynced: synced })),
    new RegExp(`revision ${sneaked} .*unsigned`),
  )
})

test('range judges the revision itself even when it was synced before', async () => {
  const repository = new MemoryRepository()
  const older = repository.commit()
  const synced = repository.commit({ parents: [older], signer: ann })
  assert.match(outcome(await judge(repository, older, { mode: 'range', lastSynced: synced })), /unsigned/)
  assert.equal(outcome(await judge(repository, synced, { mode: 'range', lastSynced: synced })), 'passed')
})

test('range without a last synced commit starts at since, or else looks at everything', async () => {
  const repository = new MemoryRepository()
  const start = repository.commit()
  const sha = repository.chain(3, ann, start)
  assert.match(outcome(await judge(repository, sha, { mode: 'range' })), /unsigned/)
  assert.equal(outcome(await judge(repository, sha, { mode: 'range', policy: { since: start } })), 'passed')
})

test('a lying date makes no commit trusted', async () => {
  const repository = new MemoryRepository()
  const root = repository.commit({ seconds: 1_700_000_000 })
  const synced = repository.commit({ parents: [root], seconds: 1_700_000_100 })
  const ancient = repository.commit({ parents: [root], seconds: 1 })
  const future = repository.commit({ parents: [root], seconds: 4_000_000_000 })
  for (const sneaked of [ancient, future]) {
    const sha = repository.commit({ parents: [synced, sneaked], signer: ann, seconds: 1_700_000_200 })
    assert.match(
      outcome(await judge(repository, sha, { mode: 'range', lastSynced: synced })),
      new RegExp(`${sneaked} .*unsigned`),
    )
  }
})

const sealMessage = 'reviewed\n\nArgocd-gpg-seal: everything below\nSigned-off-by: Ann <ann@example.com>'

test('a seal vouches for all its ancestors, on other branches too', async () => {
  const repository = new MemoryRepository()
  const unsigned = repository.chain(5, undefined)
  const seal = repository.commit({ parents: [unsigned], signer: ann, message: sealMessage })
  const side = repository.commit({ parents: [unsigned], signer: ann })
  const sha = repository.commit({ parents: [repository.chain(3, ann, seal), side], signer: ann })
  assert.equal(outcome(await judge(repository, seal, { mode: 'strict' })), 'passed')
  assert.equal(outcome(await judge(repository, sha, { mode: 'strict' })), 'passed')
})

test('a seal that is unsigned, badly signed or signed by others vouches for nothing', async () => {
  for (const signer of [undefined, new CarelessSigner(ann), bob, eve]) {
    const repository = new MemoryRepository()
    const unsigned = repository.commit()
    const seal = repository.commit({
      parents: [unsigned],
      message: sealMessage,
      ...(signer !== undefined && { signer }),
    })
    const sha = repository.commit({ parents: [seal], signer: ann })
    assert.match(outcome(await judge(repository, sha, { mode: 'strict' })), new RegExp(`${unsigned} .*unsigned`))
  }
})

test('an unsigned commit on top of a seal is still found', async () => {
  const repository = new MemoryRepository()
  const seal = repository.commit({ parents: [repository.commit()], signer: ann, message: sealMessage })
  const unsigned = repository.commit({ parents: [seal] })
  const sha = repository.commit({ parents: [unsigned], signer: ann })
  assert.match(outcome(await judge(repository, sha, { mode: 'strict' })), new RegExp(`${unsigned} .*unsigned`))
})

test('a history that is cut off refuses', async () => {
  const repository = new MemoryRepository()
  const missing = repository.commit({ signer: ann })
  const sha = repository.commit({ parents: [missing], signer: ann })
  repository.objects.delete(missing)
  assert.equal(
    outcome(await judge(repository, sha, { mode: 'strict' })),
    `GIT/SSH: Failed verifying revision ${missing} by '': not in the repository, a parent of ${sha} (key_id=)`,
  )
})

test('bytes that are not those of their id refuse', async () => {
  const repository = new MemoryRepository()
  const good = repository.commit({ signer: ann })
  const unsigned = repository.commit()
  repository.objects.set(unsigned, repository.objects.get(good) ?? Buffer.alloc(0))
  assert.match(outcome(await judge(repository, unsigned)), /malformed object/)
})

test('an annotated tag is judged by its own signature, and under strict with the history', async () => {
  const repository = new MemoryRepository()
  const commit = repository.commit()
  const target = (tag: string, name = 'v1', sha = commit): Target => ({ kind: 'tag', sha, tag, name })
  const signed = repository.tag('v1', commit, ann)
  const by = `GIT/SSH: Failed verifying revision v1 by 'Ann "<ann@example.com>"'`
  const annId = keyring.signers[0]?.key.fingerprint ?? ''
  assert.equal(outcome(await judge(repository, target(signed))), 'passed')
  assert.equal(outcome(await judge(repository, target(signed, 'refs/tags/v1'))), 'passed')
  assert.equal(outcome(await judge(repository, target(repository.tag('v1', commit)))), `${by}: unsigned (key_id=)`)
  assert.match(outcome(await judge(repository, target(signed), { mode: 'strict' })), new RegExp(`${commit} .*unsigned`))
  assert.equal(outcome(await judge(repository, target(repository.tag('v1', signed, ann, 'tag')))), 'passed')
  assert.equal(
    outcome(await judge(repository, target(repository.tag('v0', commit, ann)))),
    `${by}: the tag object is named v0 (key_id=${annId})`,
  )
  const other = repository.commit({ message: 'other' })
  assert.equal(
    outcome(await judge(repository, target(signed, 'v1', other))),
    `${by}: the tag does not lead to commit ${other} (key_id=${annId})`,
  )
})

test('uncommitted work is refused wherever a policy covers', async () => {
  const repository = new MemoryRepository()
  const sha = repository.commit({ signer: ann })
  const target: Target = { kind: 'worktree', sha }
  for (const mode of ['head', 'range', 'strict']) {
    const text = "GIT/SSH: Failed verifying revision WORKTREE by '': uncommitted work is unsigned (key_id=)"
    assert.equal(outcome(await judge(repository, target, { mode })), text)
  }
  assert.equal(outcome(await judge(repository, target, { mode: 'none' })), 'not-covered')
})

test('the first policy that matches counts, and no other', async () => {
  const repository = new MemoryRepository()
  const sha = repository.commit()
  const evaluate = (policies: readonly object[]) =>
    evaluateIntegrity(
      { policies: readPolicies({ sourceIntegrity: { git: { policies } } }), repoUrl, target: { kind: 'commit', sha } },
      { reader: repository, keyring, judging: { now } },
    ).then(outcome)
  const none = { repos: ['https://git.example.com/team/*'], ssh: { mode: 'none' } }
  const head = { repos: ['https://git.example.com/*'], ssh: { mode: 'head', principals: ['*'] } }
  const broken = { repos: ['*'], gpg: { mode: 'sometimes', keys: [] } }
  assert.equal(await evaluate([none, head]), 'not-covered')
  assert.match(await evaluate([head, none]), /unsigned/)
  assert.equal(
    await evaluate([broken, none]),
    `GIT: unknown GPG mode "sometimes" configured for GIT source integrity for repo URL: ${repoUrl}`,
  )
  assert.equal(await evaluate([{ ...head, repos: ['https://elsewhere.org/*'] }]), 'not-covered')
})

test('a range of a thousand commits is read and judged once', async () => {
  const repository = new MemoryRepository()
  const synced = repository.commit()
  const sha = repository.chain(1000, ann, synced)
  const memory = new MapMemory()
  const options = { mode: 'range', lastSynced: synced, checking: { memory } }
  assert.equal(outcome(await judge(repository, sha, options)), 'passed')
  const first = repository.reads
  const next = repository.commit({ parents: [sha], signer: ann })
  assert.equal(outcome(await judge(repository, next, options)), 'passed')
  assert.ok(repository.reads - first <= 3, `${repository.reads - first} reads for one new commit`)
  const otherKeys = { ...options, checking: { memory, keyring: await ringOf(bob) } }
  assert.match(outcome(await judge(repository, sha, otherKeys)), /not in keyring/)
})

test('a cancelled check ends', async () => {
  const repository = new MemoryRepository()
  const sha = repository.chain(10, ann)
  const signal = AbortSignal.abort(new Error('enough'))
  await assert.rejects(judge(repository, sha, { mode: 'strict', checking: { signal } }), /enough/)
})
