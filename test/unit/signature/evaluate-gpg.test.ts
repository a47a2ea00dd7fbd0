import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Integrity, evaluateIntegrity } from '../../../shared/signature/evaluate.ts'
import { readKeyring } from '../../../shared/signature/keyring.ts'
import { readPolicies } from '../../../shared/signature/policy.ts'
import type { Recorded } from '../../support/signature-matrix.ts'
import { readMatrix } from '../../support/signature-record.ts'

process.env['TZ'] = 'UTC'

const { recordedAt, cases } = readMatrix()

function named(name: string): Recorded {
  const item = cases.find((candidate) => candidate.name === name)
  if (item === undefined) throw new Error(`no case ${name}`)
  return item
}

async function judge(item: Recorded, spec: unknown): Promise<Integrity> {
  const keyring = await readKeyring(item.sources)
  const reader = {
    readCommit: async (sha: string) => (item.kind === 'commit' && sha === item.sha ? item.bytes : undefined),
    readTag: async () => undefined,
  }
  const request = {
    policies: readPolicies(spec),
    repoUrl: 'https://x/y',
    target: { kind: 'commit', sha: item.sha },
  } as const
  return evaluateIntegrity(request, { reader, keyring, judging: { now: recordedAt } })
}

function messageOf(integrity: Integrity): string {
  return integrity.kind === 'refused' ? integrity.condition.message : integrity.kind
}

function gpgHead(...keys: readonly string[]): unknown {
  return { sourceIntegrity: { git: { policies: [{ repos: ['*'], gpg: { mode: 'head', keys } }] } } }
}

test('a key counts by primary or subkey, long id or fingerprint, however it is written, and never by a short id', async () => {
  const item = named('commit by ed25519 subkey of rsa2048')
  const { fingerprint = '', primaryFingerprint = '', keyId = '' } = item.git
  assert.notEqual(fingerprint, primaryFingerprint)
  for (const key of [
    fingerprint,
    primaryFingerprint,
    keyId,
    primaryFingerprint.slice(-16),
    keyId.toLowerCase(),
    `0x${keyId}`,
    fingerprint.replace(/(.{4})/g, '$1 '),
  ]) {
    assert.equal(messageOf(await judge(item, gpgHead(key))), 'passed', key)
  }
  const refusal = `GIT/GPG: Failed verifying revision ${item.sha} by 'Ann Maker <ann@example.com>': signed with unallowed key (key_id=${keyId})`
  const otherEnd = `${'0'.repeat(24)}${keyId}`
  for (const key of [keyId.slice(-8), `${keyId.slice(0, 15)}G`, otherEnd, '*', '']) {
    const keys = key === '' ? [] : [key]
    assert.equal(messageOf(await judge(item, gpgHead(...keys))), refusal, key)
  }
})

test('the words of a condition are those of Argo CD', async () => {
  const words: readonly (readonly [string, string])[] = [
    ['unsigned commit', 'unsigned (key_id=)'],
    ['key expired after signing', 'signed with expired key'],
    ['signature expired', 'expired signature'],
    ['key revoked as compromised', 'signed with revoked key'],
    ['unknown ed25519 key', 'signed with key not in keyring'],
    ['sha1 openpgp: changed message', 'bad signature'],
  ]
  for (const [name, phrase] of words) {
    const item = named(name)
    const keyId = item.git.keyId === undefined ? '' : ` (key_id=${item.git.keyId})`
    const author = 'Ann Maker <ann@example.com>'
    const expected = `GIT/GPG: Failed verifying revision ${item.sha} by '${author}': ${phrase}${keyId}`
    assert.equal(messageOf(await judge(item, gpgHead(item.git.keyId ?? 'AAAAAAAAAAAAAAAA'))), expected)
  }
})

test('signatureKeys alone are mode head', async () => {
  const item = named('commit by ed25519')
  const keyID = item.git.keyId ?? ''
  assert.equal(messageOf(await judge(item, { signatureKeys: [{ keyID }] })), 'passed')
  assert.match(
    messageOf(await judge(named('unsigned commit'), { signatureKeys: [{ keyID }] })),
    /^GIT\/GPG: .*: unsigned \(key_id=\)$/,
  )
})

test('an SSH signature does not satisfy a policy for GPG, nor the other way round', async () => {
  const ssh = { mode: 'head', principals: ['*'] }
  const sshOnly = { sourceIntegrity: { git: { policies: [{ repos: ['*'], ssh }] } } }
  const both = {
    sourceIntegrity: {
      git: { policies: [{ repos: ['*'], ssh, gpg: { mode: 'head', keys: [named('commit by ed25519').git.keyId] } }] },
    },
  }
  assert.match(
    messageOf(await judge(named('ssh commit by ed'), gpgHead('AAAAAAAAAAAAAAAA'))),
    /^GIT\/GPG: .*unallowed key/,
  )
  assert.match(messageOf(await judge(named('commit by ed25519'), sshOnly)), /^GIT\/SSH: .*unallowed key/)
  assert.equal(messageOf(await judge(named('ssh commit by ed'), both)), 'passed')
  assert.equal(messageOf(await judge(named('commit by ed25519'), both)), 'passed')
  assert.match(messageOf(await judge(named('unsigned commit'), both)), /^GIT\/GPG\+SSH: .*unsigned/)
})
