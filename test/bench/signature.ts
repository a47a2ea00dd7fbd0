import { execFileSync, spawnSync } from 'node:child_process'
import { type KeySource, readKeyring } from '../../shared/signature/keyring.ts'
import { verifyCommits } from '../../shared/signature/verify.ts'
import { Repository, Workshop } from '../support/signature-workshop.ts'
import type { Row } from './drift.ts'
import { seconds } from './measure.ts'

/** Commits of each kind, as the acceptance names them. */
const count = 200
const bar = 5
const rounds = 3

type Kind = { readonly name: string; readonly config: readonly string[] }

/** `git verify-commit` on 200 commits of each kind beside ours, objects read by one `git cat-file --batch` within our time. */
export async function benchSignature(): Promise<readonly Row[]> {
  const workshop = new Workshop()
  try {
    const { kinds, allowed } = makeKinds(workshop)
    const rows: Row[] = []
    for (const kind of kinds) {
      const repository = new Repository(workshop, `bench-${kind.name.replaceAll(' ', '-')}`)
      const shas = Array.from({ length: count }, (_, index) =>
        repository.commit(kind.config, ['-m', `number ${index}`]),
      )
      const sources: readonly KeySource[] = [
        { kind: 'openpgp', name: 'judge', bytes: workshop.judgeKeys() },
        { kind: 'allowed-signers', name: 'allowed', bytes: Buffer.from(workshop.read(allowed)) },
      ]
      // Taken in turns, the better of each: a busy machine slows whoever is on.
      const theirRounds: number[] = []
      const ourRounds: number[] = []
      for (let round = 0; round < rounds; round++) {
        theirRounds.push(timeGit(repository, allowed, shas))
        ourRounds.push(await timeOurs(repository, sources, shas))
      }
      const [theirs, ours] = [Math.min(...theirRounds), Math.min(...ourRounds)]
      const ratio = theirs / ours
      rows.push({
        work: `verify ${count} commits, ${kind.name}`,
        ours: seconds(ours),
        theirs: `${seconds(theirs)} (git verify-commit)`,
        ratio,
        bar: `${bar}x`,
        met: ratio >= bar,
      })
    }
    return rows
  } finally {
    workshop.dispose()
  }
}

function makeKinds(workshop: Workshop): { readonly kinds: readonly Kind[]; readonly allowed: string } {
  const openpgp = [
    'rsa2048',
    'rsa4096',
    'dsa2048',
    'dsa3072',
    'ed25519',
    'nistp256',
    'nistp384',
    'nistp521',
    'brainpoolP256r1',
    'secp256k1',
  ].map((algorithm) => {
    const key = workshop.gpgKey(algorithm, algorithm)
    workshop.trust(key)
    return { name: `gpg ${algorithm}`, config: [`user.signingkey=${key}`] }
  })
  const lines: string[] = []
  const ssh = (
    [
      ['ed25519', 'ed25519', 256],
      ['ecdsa 256', 'ecdsa', 256],
      ['ecdsa 384', 'ecdsa', 384],
      ['ecdsa 521', 'ecdsa', 521],
      ['rsa 2048', 'rsa', 2048],
      ['rsa 4096', 'rsa', 4096],
    ] as const
  ).map(([name, type, bits]) => {
    const path = workshop.sshKey(`bench-${name.replaceAll(' ', '-')}`, type, bits)
    lines.push(`${name.replaceAll(' ', '-')}@example.com ${workshop.read(`${path}.pub`)}`)
    return { name: `ssh ${name}`, config: ['gpg.format=ssh', `user.signingkey=${path}`] }
  })
  return { kinds: [...openpgp, ...ssh], allowed: workshop.file('allowed-bench', lines.join('')) }
}

/** One process for all commits, as a careful caller would do it. */
function timeGit(repository: Repository, allowed: string, shas: readonly string[]): number {
  const { workshop, dir } = repository
  const start = performance.now()
  const result = spawnSync('git', ['-c', `gpg.ssh.allowedSignersFile=${allowed}`, 'verify-commit', '--raw', ...shas], {
    cwd: dir,
    env: workshop.env({ GNUPGHOME: workshop.judgeHome }),
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 1 << 26,
  })
  if (result.status !== 0) throw new Error(`git refused: ${String(result.stderr).slice(0, 500)}`)
  return performance.now() - start
}

/** From key files and a repository on disk to verdicts. */
async function timeOurs(
  repository: Repository,
  sources: readonly KeySource[],
  shas: readonly string[],
): Promise<number> {
  const start = performance.now()
  const keyring = await readKeyring(sources)
  const objects = readObjects(repository, shas)
  for (const { verdict } of await verifyCommits(objects, keyring, { now: Date.now() })) {
    if (verdict.verdict !== 'verified') throw new Error(`refused: ${verdict.reason}`)
  }
  return performance.now() - start
}

function readObjects(repository: Repository, shas: readonly string[]): readonly Buffer[] {
  const output = execFileSync('git', ['cat-file', '--batch'], {
    cwd: repository.dir,
    input: shas.join('\n'),
    maxBuffer: 1 << 26,
  })
  const objects: Buffer[] = []
  for (let at = 0; at < output.length;) {
    const end = output.indexOf(0x0a, at)
    const size = Number(output.toString('latin1', at, end).split(' ')[2])
    objects.push(output.subarray(end + 1, end + 1 + size))
    at = end + 2 + size
  }
  return objects
}

if (import.meta.main) {
  for (const row of await benchSignature()) {
    console.log(
      `${row.work.padEnd(40)} ${row.ours.padStart(10)}  ${row.theirs.padEnd(30)} ${row.ratio?.toFixed(1)}x ${row.met ? 'met' : 'NOT MET'}`,
    )
  }
}
