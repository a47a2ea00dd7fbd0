import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readKeyring } from '../../../shared/signature/keyring.ts'
import { verifyCommit, verifyTag } from '../../../shared/signature/verify.ts'
import { fuzz, fuzzable, sourcesOf, timed } from '../../support/signature-fuzz.ts'
import { readMatrix } from '../../support/signature-record.ts'

process.env['TZ'] = 'UTC'

/** `SIGNATURE_FUZZ=100000 node --test test/unit/signature/fuzz.test.ts` runs the full number. */
const count = Number(process.env['SIGNATURE_FUZZ'] ?? 4000)

test('no mutated signature is verified, crashes, or costs more than 50 ms or 50 MB', async (t) => {
  const { recordedAt, cases } = readMatrix()
  const accepted = fuzzable(cases)
  const keyring = await readKeyring(sourcesOf(accepted))
  const seed = Number(process.env['SIGNATURE_FUZZ_SEED'] ?? 20_261_120)
  const result = await fuzz(accepted, keyring, recordedAt, count, seed)
  t.diagnostic(
    `${result.inputs} mutants, ${result.same.length} the same where it counts, ${result.broken.length} broken`,
  )
  t.diagnostic(
    `slowest ${result.slowestMs.toFixed(1)} ms, largest growth of peak memory ${result.largestGrowthMb.toFixed(1)} MB`,
  )
  t.diagnostic(
    [...result.reasons]
      .sort((a, b) => b[1] - a[1])
      .map(([reason, times]) => `${reason} ${times}`)
      .join(', '),
  )
  assert.deepEqual(result.broken.slice(0, 5), [])
  assert.ok(result.slowestMs < 50, `${result.slowestMs} ms`)
  assert.ok(result.largestGrowthMb < 50, `${result.largestGrowthMb} MB`)
})

test('inputs made to be dear cost less than 50 ms', async () => {
  const keyring = await readKeyring([])
  const head = `tree ${'0'.repeat(40)}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n`
  const armored = (body: string) =>
    `${head}gpgsig -----BEGIN PGP SIGNATURE-----\n ${body}\n -----END PGP SIGNATURE-----\n\nx\n`
  const cms = (der: Buffer) =>
    `${head}gpgsig -----BEGIN SIGNED MESSAGE-----\n ${der.toString('base64')}\n -----END SIGNED MESSAGE-----\n\nx\n`
  const inputs: readonly (readonly [string, string])[] = [
    ['blanks before a letter', armored(`${' '.repeat(60_000)}x`)],
    ['carriage returns before a letter', armored(`${'\r'.repeat(60_000)}x`)],
    ['sixty thousand lines', armored('\n '.repeat(30_000))],
    ['a header line without an end', `${head}gpgsig ${'A'.repeat(4_000_000)}`],
    ['a million headers', `${head}${'x y\n'.repeat(250_000)}\nx`],
    ['a million lookalikes', `${head}${'gpgsig x\n'.repeat(100_000)}\nx`],
    ['an author of a megabyte', head.replace('author A', `author ${'A '.repeat(500_000)}`)],
    ['an author of angle brackets', head.replace('author A', `author ${'<'.repeat(500_000)}`)],
    ['a message of 15 MB', `${head}\n${'x\r\n'.repeat(5_000_000)}`],
    ['an object of 17 MB', `${head}\n${'x'.repeat(17_000_000)}`],
    ['BER that nests', cms(Buffer.alloc(40_000, Buffer.from([0x30, 0x80])))],
    ['BER that nests by length', cms(nested(2000))],
    ['half a million armor headers', armored('Comment: x\n '.repeat(5000))],
  ]
  for (const [name, text] of inputs) {
    for (const verify of [verifyCommit, verifyTag]) {
      const bytes = Buffer.from(text, 'latin1')
      const { ms, verdict } = await timed(() => verify(bytes, keyring, { now: 0 }))
      assert.notEqual(verdict.verdict, 'verified', name)
      assert.ok(ms < 50, `${name}: ${ms} ms`)
    }
  }
})

/** Sequences in sequences, each with its right length. */
function nested(depth: number): Buffer {
  const heads: Buffer[] = []
  for (let length = 0, level = 0; level < depth; level++) {
    const head = Buffer.from([0x30, 0x84, 0, 0, 0, 0])
    head.writeUInt32BE(length, 2)
    heads.unshift(head)
    length += head.length
  }
  return Buffer.concat(heads)
}
