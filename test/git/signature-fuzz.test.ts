import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { type KeySource, readKeyring } from '../../shared/signature/keyring.ts'
import { type Survivor, fuzz, fuzzable, sourcesOf } from '../support/signature-fuzz.ts'
import { askGit } from '../support/signature-judge.ts'
import { readMatrix } from '../support/signature-record.ts'
import { Repository, Workshop, missingProgram } from '../support/signature-workshop.ts'

process.env['TZ'] = 'UTC'

/** `SIGNATURE_FUZZ=100000 node --test test/git/signature-fuzz.test.ts` runs the full number. */
const count = Number(process.env['SIGNATURE_FUZZ'] ?? 5000)

/** Another seed looks elsewhere. */
const seed = Number(process.env['SIGNATURE_FUZZ_SEED'] ?? 20_261_120)

/** How many of the mutants that we still verify are put before git; each costs two processes. */
const asked = Number(process.env['SIGNATURE_FUZZ_ASKED'] ?? 60)

test('of many mutated signatures none is verified that git does not accept, and none is dear', async (t) => {
  const missing = missingProgram(['git', 'gpg', 'gpgsm', 'ssh-keygen', 'gpgconf'])
  if (missing !== undefined) return t.skip(`no ${missing} on PATH`)
  const { recordedAt, cases } = readMatrix()
  const accepted = fuzzable(cases)
  const sources = sourcesOf(accepted)
  const result = await fuzz(accepted, await readKeyring(sources), recordedAt, count, seed)
  t.diagnostic(
    `${result.inputs} mutants, ${result.same.length} the same where it counts, ${result.broken.length} broken`,
  )
  t.diagnostic(
    `slowest ${result.slowestMs.toFixed(1)} ms, largest growth of peak memory ${result.largestGrowthMb.toFixed(1)} MB`,
  )
  assert.deepEqual(result.broken.slice(0, 5), [])
  assert.ok(result.slowestMs < 50, `${result.slowestMs} ms`)
  assert.ok(result.largestGrowthMb < 50, `${result.largestGrowthMb} MB`)
  const workshop = new Workshop()
  try {
    prepareJudge(workshop, sources)
    const refused = result.same.slice(0, asked).filter((survivor) => !gitAccepts(workshop, survivor))
    t.diagnostic(
      `git was asked about ${Math.min(asked, result.same.length)} of those that are the same, and refused ${refused.length}`,
    )
    assert.deepEqual(
      refused.map(({ item, mutant }) => `${item.name}: ${mutant.toString('base64')}`),
      [],
    )
  } finally {
    workshop.dispose()
  }
})

/** Gives the judge every key and root that vouches for a recorded case. */
function prepareJudge(workshop: Workshop, sources: readonly KeySource[]): void {
  const env = workshop.env({ GNUPGHOME: workshop.judgeHome })
  const roots: string[] = []
  workshop.file('judge/gpgsm.conf', 'batch\nno-tty\ndisable-crl-checks\ndisable-dirmngr\n')
  for (const { kind, bytes } of sources) {
    if (kind !== 'openpgp' && kind !== 'x509-roots') continue
    const program = kind === 'openpgp' ? 'gpg' : 'gpgsm'
    execFileSync(program, ['--import'], { env, input: bytes, stdio: ['pipe', 'ignore', 'pipe'] })
    if (kind === 'x509-roots') roots.push(`${new X509Certificate(bytes).fingerprint} S relax\n`)
  }
  workshop.file('judge/trustlist.txt', roots.join(''))
}

const repositories = new Map<string, Repository>()

function gitAccepts(workshop: Workshop, { item, mutant }: Survivor): boolean {
  const format = item.sha.length === 64 ? 'sha256' : 'sha1'
  const repository = repositories.get(format) ?? new Repository(workshop, `survivors-${format}`, format)
  repositories.set(format, repository)
  const allowed = item.sources.find((source) => source.kind === 'allowed-signers')
  const sha = repository.write(item.kind, mutant)
  return askGit({
    name: item.name,
    kind: item.kind,
    repository,
    sha,
    ...(allowed !== undefined && { allowedSigners: workshop.file('survivor-allowed', allowed.bytes) }),
  }).accepted
}
