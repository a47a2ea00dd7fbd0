import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type PrivateKey, config, createMessage, enums, generateKey, revokeKey, sign } from 'openpgp'
import { type Keyring, readKeyring } from '../../../shared/signature/keyring.ts'
import { readOpenPgpKey } from '../../../shared/signature/openpgp-key.ts'
import { readArmor } from '../../../shared/signature/armor.ts'
import { verifyOpenPgp } from '../../../shared/signature/openpgp-verify.ts'
import { verifyCommit } from '../../../shared/signature/verify.ts'

const head =
  'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a@b> 1700000000 +0000\ncommitter A <a@b> 1700000000 +0000\n'
const payload = Buffer.from(`${head}\nchange\n`)
const created = new Date('2024-01-01T00:00:00Z')
const signed = new Date('2024-02-01T00:00:00Z')
const now = Date.UTC(2025, 0, 1)

type Made = { readonly keyring: Keyring; readonly armored: string; readonly key: PrivateKey }
type Options = { readonly v6?: boolean; readonly type?: 'curve25519' | 'curve448' | 'ecc'; readonly expires?: number }

/** Keys that gpg 2.2 cannot make, so git cannot judge them here: version 6 and RFC 9580's own Ed25519 and Ed448. */
async function make({ v6 = false, type = 'curve25519', expires = 0 }: Options): Promise<Made> {
  const { privateKey, publicKey } = await generateKey({
    userIDs: [{ name: 'Ann', email: 'ann@example.com' }],
    type,
    format: 'object',
    date: created,
    keyExpirationTime: expires,
    config: { v6Keys: v6 },
  })
  const message = await createMessage({ binary: payload, date: signed })
  const armored = await sign({
    message,
    signingKeys: privateKey,
    detached: true,
    date: signed,
    config: { ...config, v6Keys: v6 },
  })
  const keyring = await readKeyring([{ kind: 'openpgp', name: 'ann', bytes: publicKey.write() }])
  return { keyring, armored, key: privateKey }
}

function commitWith(armored: string): Buffer {
  const folded = armored.replaceAll('\r', '').trimEnd().replaceAll('\n', '\n ')
  return Buffer.from(`${head}gpgsig ${folded}\n\nchange\n`)
}

async function verdictOf({ keyring, armored }: Pick<Made, 'keyring' | 'armored'>, judging = {}): Promise<string> {
  const { verdict } = await verifyCommit(commitWith(armored), keyring, { now, ...judging })
  return `${verdict.verdict} ${verdict.reason}`
}

test('version 4 and version 6 keys verify, with the old and the new Ed25519, and Ed448', async () => {
  for (const options of [
    {},
    { v6: true },
    { type: 'ecc' },
    { type: 'curve448' },
    { v6: true, type: 'curve448' },
  ] as const) {
    const made = await make(options)
    assert.equal(await verdictOf(made), 'verified good', JSON.stringify(options))
    const other = await make(options)
    assert.equal(await verdictOf({ keyring: other.keyring, armored: made.armored }), 'untrusted unknown-key')
    const [key] = made.keyring.openpgp
    assert.equal(key?.fingerprint.length, 'v6' in options ? 64 : 40)
    const { verdict } = await verifyCommit(commitWith(made.armored), made.keyring, { now })
    assert.equal(verdict.fingerprint, key?.fingerprint)
    assert.equal(verdict.signer, 'Ann <ann@example.com>')
    assert.equal(verdict.signedAt, '2024-02-01T00:00:00Z')
  }
})

test('a key that expired since is refused, or judged at signing time where that is asked for', async () => {
  const made = await make({ expires: 60 * 24 * 3600 })
  assert.equal(await verdictOf(made), 'untrusted expired-key')
  assert.equal(await verdictOf(made, { keysAt: 'signing' }), 'verified good')
  const short = await make({ expires: 24 * 3600 }).catch(() => undefined)
  if (short !== undefined) assert.equal(await verdictOf(short, { keysAt: 'signing' }), 'untrusted expired-key')
})

test('a revoked key is refused; at signing time only what was superseded or retired later is left alone', async () => {
  const { armored, key } = await make({})
  const later = new Date('2024-06-01T00:00:00Z')
  const earlier = new Date('2024-01-15T00:00:00Z')
  const { noReason, keyCompromised, keySuperseded, keyRetired } = enums.reasonForRevocation
  for (const [flag, date, expected] of [
    [noReason, later, 'untrusted revoked-key'],
    [keyCompromised, later, 'untrusted revoked-key'],
    [keySuperseded, later, 'verified good'],
    [keyRetired, later, 'verified good'],
    [keyRetired, earlier, 'untrusted revoked-key'],
  ] as const) {
    const { publicKey } = await revokeKey({ key, reasonForRevocation: { flag }, date, format: 'object' })
    const keyring = await readKeyring([{ kind: 'openpgp', name: 'ann', bytes: publicKey.write() }])
    assert.equal(await verdictOf({ keyring, armored }), 'untrusted revoked-key')
    assert.equal(await verdictOf({ keyring, armored }, { keysAt: 'signing' }), expected)
  }
})

let made: Made
before(async () => {
  made = await make({})
})

test('binary signatures are judged like armored ones', async () => {
  const armor = readArmor(Buffer.from(made.armored.replaceAll('\r', '')))
  assert.equal(armor.kind, 'data')
  if (armor.kind !== 'data') return
  assert.equal((await verifyOpenPgp(payload, armor.data, made.keyring, { now })).reason, 'good')
  assert.equal((await verifyOpenPgp(Buffer.from('other'), armor.data, made.keyring, { now })).reason, 'bad-signature')
})

test('a verdict that will end says when', async () => {
  const expiring = await make({ expires: 10 * 365 * 24 * 3600 })
  const { holdsUntil } = await verifyCommit(commitWith(expiring.armored), expiring.keyring, { now })
  assert.equal(holdsUntil, created.getTime() + 10 * 365 * 24 * 3600 * 1000)
  assert.equal((await verifyCommit(commitWith(made.armored), made.keyring, { now })).holdsUntil, undefined)
})

test('keys with absurd numbers are not taken in', async () => {
  const key = made.key.toPublic()
  for (const [algorithm, numbers, why] of [
    [enums.publicKey.rsaEncryptSign, [bits(60_000), bits(17)], /key of 60000 bits/],
    [enums.publicKey.rsaEncryptSign, [bits(512), bits(17)], /key of 512 bits/],
    [enums.publicKey.rsaEncryptSign, [bits(4096), bits(4096)], /oversized exponent/],
    [enums.publicKey.dsa, [bits(15_000), bits(256), bits(15_000), bits(15_000)], /key of 15000 bits/],
  ] as const) {
    const body = Buffer.concat([Buffer.from([4, 0x65, 0, 0, 0, algorithm]), ...numbers])
    const size = Buffer.alloc(4)
    size.writeUInt32BE(body.length)
    const packets = Buffer.concat([
      Buffer.from([0xc6, 0xff]),
      size,
      body,
      key.users[0]?.userID === null ? Buffer.alloc(0) : Buffer.from([0xcd, 1, 0x61]),
    ])
    await assert.rejects(readOpenPgpKey(packets), why)
  }
})

/** A number of so many bits, as OpenPGP writes it. */
function bits(count: number): Buffer {
  const value = Buffer.alloc(2 + Math.ceil(count / 8), 0xff)
  value.writeUInt16BE(count)
  if (count % 8 !== 0) value[2] = (1 << (count % 8)) - 1
  return value
}
