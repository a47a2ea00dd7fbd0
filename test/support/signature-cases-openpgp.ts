import { type SignatureCase } from './signature-case.ts'
import { Repository, type Workshop } from './signature-workshop.ts'

const algorithms = [
  'rsa1024',
  'rsa2048',
  'rsa3072',
  'rsa4096',
  'dsa1024',
  'dsa2048',
  'dsa3072',
  'ed25519',
  'nistp256',
  'nistp384',
  'nistp521',
  'brainpoolP256r1',
  'brainpoolP384r1',
  'brainpoolP512r1',
  'secp256k1',
]

const digests = ['SHA224', 'SHA256', 'SHA384', 'SHA512', 'SHA1', 'RIPEMD160']

/** Every algorithm and hash that gpg signs with, on commits and tags. */
export function algorithmCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'openpgp-algorithms')
  const cases: SignatureCase[] = []
  for (const algorithm of algorithms) {
    const key = workshop.gpgKey(algorithm, algorithm)
    workshop.trust(key)
    const config = [`user.signingkey=${key}`]
    cases.push({ name: `commit by ${algorithm}`, kind: 'commit', repository, sha: repository.commit(config) })
    cases.push({ name: `tag by ${algorithm}`, kind: 'tag', repository, sha: repository.tag(`by-${algorithm}`, config) })
  }
  for (const algorithm of ['rsa2048', 'ed25519', 'nistp256', 'dsa2048', 'dsa1024']) {
    // gpg refuses a hash that is shorter than an ECDSA or DSA key's group.
    const isShortAllowed = algorithm === 'rsa2048' || algorithm === 'ed25519'
    for (const digest of isShortAllowed ? digests : digests.slice(1, 4)) {
      const program = workshop.gpgWith(
        `gpg-${algorithm}-${digest}`,
        `--allow-weak-digest-algos --digest-algo ${digest}`,
      )
      const config = [`user.signingkey=${workshop.fingerprintOf(algorithm)}`, `gpg.program=${program}`]
      cases.push({
        name: `commit by ${algorithm} over ${digest}`,
        kind: 'commit',
        repository,
        sha: repository.commit(config),
      })
    }
  }
  const textual = workshop.gpgWith('gpg-textmode', '--textmode')
  const config = [`user.signingkey=${workshop.fingerprintOf('rsa2048')}`, `gpg.program=${textual}`]
  cases.push({
    name: 'commit signed as text',
    kind: 'commit',
    repository,
    sha: repository.commit(config, ['-m', 'spaces  \n\nat ends \t\n']),
  })
  return cases
}

/** Keys and signatures that expired, were revoked, are subkeys, or are not known. */
export function standingCases(workshop: Workshop): readonly SignatureCase[] {
  return [...expiryCases(workshop), ...revocationCases(workshop), ...subkeyCases(workshop), ...oddCases(workshop)]
}

function expiryCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'openpgp-expiry')
  const cases: SignatureCase[] = []
  const in2020 = workshop.gpgWith('gpg-2020', '--faked-system-time 20200601T120000!')
  const expired = workshop.gpgKey('expired', 'ed25519', { at: '20200101T000000', expire: '1y' })
  workshop.trust(expired)
  const byExpired = repository.commit([`user.signingkey=${expired}`, `gpg.program=${in2020}`])
  cases.push({ name: 'key expired after signing', kind: 'commit', repository, sha: byExpired })
  const later = workshop.gpgKey('shortened', 'ed25519', { at: '20200101T000000' })
  const byLater = repository.commit([`user.signingkey=${later}`])
  workshop.gpg(['--faked-system-time', '20200301T000000!', '--quick-set-expire', later, '30d'])
  workshop.trust(later)
  cases.push({ name: 'key expired before signing', kind: 'commit', repository, sha: byLater })
  const extended = workshop.gpgKey('extended', 'ed25519', { at: '20200101T000000', expire: '1y' })
  workshop.gpg(['--quick-set-expire', extended, '5y'])
  workshop.trust(extended)
  cases.push({
    name: 'key whose expiry was extended',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${extended}`]),
  })
  const future = workshop.gpgKey('expires-later', 'ed25519', { expire: '1y' })
  workshop.trust(future)
  cases.push({
    name: 'key that expires next year',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${future}`]),
  })
  const old = workshop.gpgKey('old', 'ed25519', { at: '20200101T000000' })
  workshop.trust(old)
  const brief = workshop.gpgWith('gpg-brief', '--faked-system-time 20200601T120000! --default-sig-expire 1d')
  cases.push({
    name: 'signature expired',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${old}`, `gpg.program=${brief}`]),
  })
  const lasting = workshop.gpgWith('gpg-lasting', '--default-sig-expire 10y')
  cases.push({
    name: 'signature that expires later',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${old}`, `gpg.program=${lasting}`]),
  })
  const ahead = workshop.gpgWith('gpg-ahead', '--faked-system-time 20350101T000000!')
  cases.push({
    name: 'signature from the future',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${old}`, `gpg.program=${ahead}`]),
  })
  const young = workshop.gpgKey('young', 'ed25519')
  workshop.trust(young)
  const early = workshop.gpgWith(
    'gpg-early',
    '--ignore-time-conflict --ignore-valid-from --faked-system-time 20200601T120000!',
  )
  cases.push({
    name: 'signature older than its key',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${young}`, `gpg.program=${early}`]),
  })
  return cases
}

function revocationCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'openpgp-revocation')
  const cases: SignatureCase[] = []
  const reasons = [
    ['without reason', '0'],
    ['as compromised', '1'],
    ['as superseded', '2'],
    ['as retired', '3'],
  ] as const
  for (const [words, code] of reasons) {
    const key = workshop.gpgKey(`revoked${code}`, 'ed25519', { at: '20200101T000000' })
    const sha = repository.commit([`user.signingkey=${key}`])
    const certificate = workshop.gpg(['--command-fd', '0', '--no-batch', '--gen-revoke', key], `y\n${code}\n\ny\n`)
    workshop.gpg(['--import'], certificate)
    workshop.trust(key)
    cases.push({ name: `key revoked ${words}`, kind: 'commit', repository, sha })
  }
  const expired = workshop.gpgKey('revoked-and-expired', 'ed25519', { at: '20200101T000000', expire: '1y' })
  const in2020 = workshop.gpgWith('gpg-2020-06', '--faked-system-time 20200601T120000!')
  const sha = repository.commit([`user.signingkey=${expired}`, `gpg.program=${in2020}`])
  const certificate = workshop.gpg(
    ['--faked-system-time', '20200701T120000!', '--command-fd', '0', '--no-batch', '--gen-revoke', expired],
    'y\n1\n\ny\n',
  )
  workshop.gpg(['--import'], certificate)
  workshop.trust(expired)
  cases.push({ name: 'key revoked and expired', kind: 'commit', repository, sha })
  const names = workshop.gpgKey('two-names', 'ed25519', { at: '20200101T000000' })
  workshop.gpg(['--quick-add-uid', names, 'second <second@example.com>'])
  workshop.gpg(['--quick-revoke-uid', names, 'second <second@example.com>'])
  workshop.trust(names)
  cases.push({
    name: 'key with one user id revoked',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${names}`]),
  })
  return cases
}

function subkeyCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'openpgp-subkeys')
  const cases: SignatureCase[] = []
  for (const [primary, sub] of [
    ['rsa2048', 'ed25519'],
    ['ed25519', 'rsa2048'],
    ['ed25519', 'rsa4096'],
    ['dsa2048', 'dsa2048'],
  ] as const) {
    const name = `primary-${primary}-${sub}`
    const key = workshop.gpgKey(name, primary, { usage: 'cert' })
    workshop.gpg(['--quick-add-key', key, sub, 'sign', 'never'])
    workshop.trust(key)
    cases.push({
      name: `commit by ${sub} subkey of ${primary}`,
      kind: 'commit',
      repository,
      sha: repository.commit([`user.signingkey=${key}`]),
    })
    cases.push({
      name: `tag by ${sub} subkey of ${primary}`,
      kind: 'tag',
      repository,
      sha: repository.tag(name, [`user.signingkey=${key}`]),
    })
  }
  const expiring = workshop.gpgKey('subkey-expired', 'ed25519', { usage: 'cert', at: '20200101T000000' })
  workshop.gpg(['--faked-system-time', '20200101T000100!', '--quick-add-key', expiring, 'ed25519', 'sign', '1y'])
  workshop.trust(expiring)
  const in2020 = workshop.gpgWith('gpg-2020-sub', '--faked-system-time 20200601T120000!')
  cases.push({
    name: 'subkey expired',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${expiring}`, `gpg.program=${in2020}`]),
  })
  const primaryExpires = workshop.gpgKey('subkey-of-expired', 'ed25519', {
    usage: 'cert',
    at: '20200101T000000',
    expire: '1y',
  })
  workshop.gpg([
    '--faked-system-time',
    '20200101T000100!',
    '--quick-add-key',
    primaryExpires,
    'ed25519',
    'sign',
    'never',
  ])
  workshop.trust(primaryExpires)
  cases.push({
    name: 'subkey of an expired key',
    kind: 'commit',
    repository,
    sha: repository.commit([`user.signingkey=${primaryExpires}`, `gpg.program=${in2020}`]),
  })
  const revoking = workshop.gpgKey('subkey-revoked', 'ed25519', { usage: 'cert' })
  workshop.gpg(['--quick-add-key', revoking, 'ed25519', 'sign', 'never'])
  const sha = repository.commit([`user.signingkey=${revoking}`])
  workshop.gpg(['--command-fd', '0', '--no-batch', '--edit-key', revoking], 'key 1\nrevkey\ny\n1\n\ny\nsave\n')
  workshop.trust(revoking)
  cases.push({ name: 'subkey revoked', kind: 'commit', repository, sha })
  const whole = workshop.gpgKey('primary-revoked', 'ed25519', { usage: 'cert' })
  workshop.gpg(['--quick-add-key', whole, 'ed25519', 'sign', 'never'])
  const bySub = repository.commit([`user.signingkey=${whole}`])
  workshop.gpg(['--import'], workshop.gpg(['--command-fd', '0', '--no-batch', '--gen-revoke', whole], 'y\n1\n\ny\n'))
  workshop.trust(whole)
  cases.push({ name: 'subkey of a revoked key', kind: 'commit', repository, sha: bySub })
  return cases
}

function oddCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'openpgp-odd')
  const unknown = workshop.gpgKey('unknown', 'ed25519')
  const unknownRsa = workshop.gpgKey('unknown-rsa', 'rsa2048')
  return [
    { name: 'unknown ed25519 key', kind: 'commit', repository, sha: repository.commit([`user.signingkey=${unknown}`]) },
    { name: 'unknown RSA key', kind: 'commit', repository, sha: repository.commit([`user.signingkey=${unknownRsa}`]) },
    {
      name: 'tag by an unknown key',
      kind: 'tag',
      repository,
      sha: repository.tag('by-unknown', [`user.signingkey=${unknown}`]),
    },
    {
      name: 'unsigned commit',
      kind: 'commit',
      repository,
      sha: repository.git(['rev-list', '--max-parents=0', 'HEAD']),
    },
  ]
}
