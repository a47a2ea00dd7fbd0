import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GitPolicy, readPolicies } from '../../../shared/signature/policy.ts'
import { coversRepository, matchesGlob, plainUrl } from '../../../shared/signature/repo-glob.ts'
import { isSeal } from '../../../shared/signature/seal.ts'

const gpg = { mode: 'head', keys: ['4AEE18F83AFDEB23'] } as const

function check(spec: unknown, expected: readonly GitPolicy[]): void {
  assert.deepEqual(readPolicies(spec), expected)
}

function withPolicies(...policies: readonly unknown[]): unknown {
  return { sourceIntegrity: { git: { policies } } }
}

test('policies are read as Argo CD writes them', () => {
  const read = { kind: 'policy', repos: ['https://a/*'], gpg: { ...gpg, keysAt: 'now' } } as const
  check({}, [])
  check(undefined, [])
  check({ signatureKeys: [] }, [])
  check({ sourceIntegrity: null }, [])
  check({ sourceIntegrity: {} }, [])
  check(withPolicies(), [])
  check(withPolicies({ repos: ['https://a/*'], gpg }), [read])
  check(withPolicies({ repos: [{ url: 'https://a/*' }], gpg }), [read])
})

test('signatureKeys mean head for every repository, unless sourceIntegrity is there', () => {
  const signatureKeys = [{ keyID: '4AEE18F83AFDEB23' }]
  check({ signatureKeys }, [{ kind: 'policy', repos: ['*'], gpg: { ...gpg, mode: 'head', keysAt: 'now' } }])
  check({ signatureKeys, sourceIntegrity: { git: { policies: [] } } }, [])
})

test('ssh and range extend them', () => {
  const ssh = { mode: 'range', keys: ['SHA256:x'], principals: ['*@example.com'], securityKey: 'touched' } as const
  check(withPolicies({ repos: ['*'], ssh, since: 'abc' }), [{ kind: 'policy', repos: ['*'], ssh, since: 'abc' }])
})

test('what cannot be understood refuses and is never left out', () => {
  const brokenOnes: readonly (readonly [unknown, string])[] = [
    [
      withPolicies({ repos: ['*'], gpg: { mode: 'deep', keys: [] } }),
      'unknown GPG mode "deep" configured for GIT source integrity',
    ],
    [withPolicies({ repos: ['*'], gpg: { keys: [] } }), 'unknown GPG mode "" configured for GIT source integrity'],
    [withPolicies({ repos: ['*'], ssh: { mode: 'on' } }), 'unknown SSH mode "on" configured for GIT source integrity'],
    [withPolicies({ repos: ['*'], gpg: { mode: 'head', keys: [7] } }), 'gpg.keys is not a list of key ids'],
    [
      withPolicies({ repos: ['*'], ssh: { mode: 'head', principals: 'x' } }),
      'ssh.principals is not a list of patterns',
    ],
    [withPolicies({ repos: ['*'] }), 'a policy names neither gpg nor ssh'],
    [withPolicies({ gpg }), 'a policy has no readable repos'],
    [withPolicies('strict'), 'a policy has no readable repos'],
    [{ sourceIntegrity: 'strict' }, 'sourceIntegrity is not an object'],
    [{ sourceIntegrity: { git: { policies: {} } } }, 'sourceIntegrity.git.policies is not a list'],
    [{ signatureKeys: 'all' }, 'signatureKeys is not a list'],
    [{ signatureKeys: [{}] }, 'signatureKeys has an entry without keyID'],
  ]
  for (const [spec, message] of brokenOnes) check(spec, [{ kind: 'broken', repos: ['*'], message }])
})

test('globs match as gobwas does without separators', () => {
  const url = 'https://github.com/org/app'
  for (const glob of [
    '*',
    '**',
    'https://github.com/*',
    'https://github.com/org/app',
    'https://*/org/???',
    '*{foo,app}',
    '*{x,{y,app}}',
    'https://[f-h]ithub*',
    '*/[!b]pp',
  ]) {
    assert.equal(matchesGlob(url, glob), true, glob)
  }
  for (const glob of [
    '',
    'https://github.com/org',
    'github.com/*',
    '*{foo,bar}',
    'https://[a-c]ithub*',
    '*/[!a]pp',
    'https://github.com/org/ap?p',
    '\\*',
  ]) {
    assert.equal(matchesGlob(url, glob), false, glob)
  }
  assert.equal(matchesGlob(url, '{a,b}'.repeat(20)), undefined)
})

test('another spelling of a repository does not slip past its policy', () => {
  const globs = ['https://github.com/org/app']
  for (const url of [
    'https://github.com/org/app.git',
    'https://GitHub.com/org/app',
    'https://me:secret@github.com/org/app/',
  ]) {
    assert.equal(coversRepository(globs, url), true, url)
  }
  assert.equal(plainUrl('git@github.com:org/app.git'), 'ssh://github.com/org/app')
  assert.equal(coversRepository(['ssh://git@github.com/org/*'], 'git@github.com:org/app.git'), true)
  assert.equal(coversRepository(globs, 'https://github.com/org/apple'), false)
  assert.equal(coversRepository(['*', '!https://github.com/org/*'], 'https://github.com/org/app'), false)
  assert.equal(coversRepository(['!https://github.com/org/*'], 'https://github.com/other'), false)
  assert.equal(coversRepository(['{a,b}'.repeat(20)], 'https://github.com/org/app'), true)
})

test('matching takes linear time, whatever the pattern', () => {
  const start = performance.now()
  assert.equal(matchesGlob('a'.repeat(2000), `${'*a'.repeat(200)}b`), false)
  assert.ok(performance.now() - start < 500)
})

test('a seal is a trailer and nothing else', () => {
  const seals = [
    'x\n\nArgocd-gpg-seal: reviewed\n',
    'x\n\nbody\n\nSigned-off-by: A <a@b>\nArgocd-GPG-Seal : reviewed\r\n',
    'x\n\nArgocd-gpg-seal: long\n  words\n\n\n',
  ]
  const others = [
    'Argocd-gpg-seal: in the subject\n',
    'x\nArgocd-gpg-seal: in the first paragraph\n',
    'x\n\nArgocd-gpg-seal:\n',
    'x\n\nwe write Argocd-gpg-seal: x in seals\n',
    'x\n\nArgocd-gpg-seal: x\nand more text\n',
    'x\n\nArgocd-gpg-seal: quoted\n\nSigned-off-by: A <a@b>\n',
    'x\n\n> Argocd-gpg-seal: x\n',
    '',
  ]
  for (const message of seals) assert.equal(isSeal(Buffer.from(message)), true, message)
  for (const message of others) assert.equal(isSeal(Buffer.from(message)), false, message)
})
