import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKey } from 'openpgp'
import { readAllowedSigners } from '../../../shared/signature/allowed-signers.ts'
import { listKeys } from '../../../shared/signature/key-list.ts'
import { keyFilesOf, keySourceOf, keySourcesOf } from '../../../shared/signature/key-sources.ts'
import { keyringState, readKeyring } from '../../../shared/signature/keyring.ts'
import { parseAbsoluteTime } from '../../../shared/signature/signer-options.ts'
import { matchesPattern, matchesPatternList } from '../../../shared/signature/ssh-pattern.ts'
import { SshSigner } from '../../support/signature-factory.ts'

const date = new Date('2024-01-01T00:00:00Z')

async function openPgpKey(name: string, keyExpirationTime = 0) {
  const made = await generateKey({
    userIDs: [{ name, email: `${name.replaceAll(/\W/g, '')}@example.com` }],
    date,
    keyExpirationTime,
    format: 'armored',
  })
  return { publicKey: made.publicKey, privateKey: made.privateKey }
}

test('keys come from a ConfigMap as Argo CD keeps them, and from a Secret as Flux does', async () => {
  const [ann, bob] = [await openPgpKey('ann'), await openPgpKey('bob')]
  const signer = new SshSigner('cat@example.com')
  const configMap = { kind: 'ConfigMap', data: { '4AEE18F83AFDEB23': ann.publicKey } }
  const secret = {
    kind: 'Secret',
    data: {
      'bob.asc': Buffer.from(bob.publicKey).toString('base64'),
      allowed_signers: Buffer.from(signer.fingerprintLine).toString('base64'),
    },
  }
  const files = [...keyFilesOf(configMap), ...keyFilesOf(secret)]
  const keyring = await readKeyring(keySourcesOf(files))
  const names = listKeys(keyring).map((key) => key.names.join())
  assert.deepEqual(names.toSorted(), ['ann <ann@example.com>', 'bob <bob@example.com>', 'cat@example.com'])
  assert.deepEqual(keyring.problems, [])
})

function kindOf(name: string, content: string): string | undefined {
  return keySourceOf({ name, bytes: Buffer.from(content) })?.kind
}

test('a file tells by its content what it holds', async () => {
  const { publicKey, privateKey } = await openPgpKey('ann')
  const line = new SshSigner('ann@example.com').fingerprintLine
  const bare = line.split(' ').slice(1).join(' ').trim()
  assert.equal(kindOf('a.asc', publicKey), 'openpgp')
  assert.equal(kindOf('a.asc', privateKey), 'openpgp')
  assert.equal(kindOf('allowed_signers', line), 'allowed-signers')
  assert.equal(kindOf('id.pub', `${bare} ann@example.com`), 'allowed-signers')
  assert.equal(kindOf('revoked_keys', bare), 'revoked-ssh')
  assert.equal(kindOf('krl', 'SSHKRL\n\0'), 'revoked-ssh')
  assert.equal(kindOf('root.pem', '-----BEGIN CERTIFICATE-----\n'), 'x509-roots')
  assert.equal(kindOf('README.md', '# keys\n'), undefined)
  const source = keySourceOf({ name: 'id.pub', bytes: Buffer.from(`${bare} ann@example.com\n${bare}\n`) })
  const { signers } = readAllowedSigners(Buffer.from(source?.bytes ?? []).toString())
  assert.deepEqual(
    signers.map((signer) => signer.principals),
    ['ann@example.com', '*'],
  )
})

test('several keys in one file are read one by one, and what is no public key is reported', async () => {
  const [ann, bob] = [await openPgpKey('ann'), await openPgpKey('bob')]
  const broken = ann.publicKey.replace(/\n\n(.{30})/, '\n\n$1AAAA')
  const text = `people\n${ann.publicKey}\nand\n${bob.publicKey}\n${bob.privateKey}\n${broken}`
  const keyring = await readKeyring([{ kind: 'openpgp', name: 'team.asc', bytes: Buffer.from(text) }])
  assert.equal(listKeys(keyring).length, 2)
  assert.deepEqual(keyring.problems.map((problem) => problem.message).toSorted(), [
    'PGP PRIVATE KEY BLOCK, not a public key',
    'unreadable armor',
  ])
})

test('a key shows its fingerprint, names, algorithm and end before it is trusted', async () => {
  const { publicKey } = await openPgpKey('ann\u202e', 3600)
  const keyring = await readKeyring([{ kind: 'openpgp', name: 'ann', bytes: Buffer.from(publicKey) }])
  const [info] = listKeys(keyring)
  assert.match(info?.fingerprint ?? '', /^[0-9A-F]{40}$/)
  assert.equal(info?.keyId, info?.fingerprint.slice(-16))
  assert.deepEqual(info?.names, ['ann <ann@example.com>'])
  assert.match(info?.algorithm ?? '', /ed25519|eddsa/)
  assert.equal(info?.createdAt, date.getTime())
  assert.equal(info?.expiresAt, date.getTime() + 3_600_000)
})

test('a keyring changes its state with its content and when a key expires', async () => {
  const { publicKey } = await openPgpKey('ann', 3600)
  const source = { kind: 'openpgp', name: 'ann', bytes: Buffer.from(publicKey) } as const
  const [one, two] = [
    await readKeyring([source]),
    await readKeyring([source, { ...source, bytes: Buffer.from(`${publicKey}\n`) }]),
  ]
  assert.notEqual(one.hash, two.hash)
  assert.notEqual(keyringState(one, date.getTime()), keyringState(one, date.getTime() + 7_200_000))
  assert.equal(keyringState(one, date.getTime()), keyringState(one, date.getTime() + 1000))
})

test('a revocation list that cannot be read stops everything', async () => {
  for (const content of ['ssh-ed25519 AAAA\n', 'SSHKRL\n\0', 'nonsense']) {
    await assert.rejects(readKeyring([{ kind: 'revoked-ssh', name: 'revoked', bytes: Buffer.from(content) }]), {
      reason: 'unreadable-revocations',
    })
  }
})

test('patterns match as ssh_config says, in linear time', () => {
  for (const [text, pattern, expected] of [
    ['ann', 'ann', true],
    ['ann', 'a*', true],
    ['ann', '?nn', true],
    ['ann', '??', false],
    ['', '*', true],
    ['ann@x', '*@x', true],
    ['a[n]', 'a[n]', true],
  ] as const) {
    assert.equal(matchesPattern(text, pattern), expected, pattern)
  }
  assert.equal(matchesPatternList('ann@x', '*@x,!ann@x'), false)
  assert.equal(matchesPatternList('bob@x', '!ann@x,*@x'), true)
  assert.equal(matchesPatternList('bob@x', '!ann@x'), false)
  const start = performance.now()
  assert.equal(matchesPattern('a'.repeat(2000), `${'*a'.repeat(200)}b`), false)
  assert.ok(performance.now() - start < 500)
})

test('times of allowed_signers are read as OpenSSH reads them', () => {
  assert.equal(parseAbsoluteTime('20240601Z'), Date.UTC(2024, 5, 1) / 1000)
  assert.equal(parseAbsoluteTime('202406011230Z'), Date.UTC(2024, 5, 1, 12, 30) / 1000)
  assert.equal(parseAbsoluteTime('20240601123045Z'), Date.UTC(2024, 5, 1, 12, 30, 45) / 1000)
  assert.equal(parseAbsoluteTime('20240601'), new Date(2024, 5, 1).getTime() / 1000)
  for (const text of ['', '2024', '2024060112', '20241301', 'soon', '20240601z'])
    assert.equal(parseAbsoluteTime(text), undefined, text)
})
