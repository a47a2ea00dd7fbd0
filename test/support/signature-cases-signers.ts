import { type SignatureCase } from './signature-case.ts'
import { ssh } from './signature-cases-ssh.ts'
import { Repository, type Workshop } from './signature-workshop.ts'

const committed = { GIT_COMMITTER_DATE: '2024-06-01T12:00:00Z' }

/** What an `allowed_signers` file can say, about one ed25519 key and a commit of 2024-06-01T12:00Z. */
export function allowedSignersCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'ssh-signers')
  const key = workshop.sshKey('signer', 'ed25519')
  const other = workshop.sshKey('other', 'ed25519')
  const mine = keyOf(workshop, key)
  const foreign = keyOf(workshop, other)
  const sha = repository.commit(ssh(key), ['-m', 'dated'], committed)
  const files: readonly (readonly [string, string])[] = [
    ['a plain line', `ann@example.com ${mine}`],
    ['another key', `ann@example.com ${foreign}`],
    ['an empty file', ''],
    ['comments and blank lines', `# people\n\n   # more\n  ann@example.com ${mine} a comment\n`],
    ['several principals', `ann@example.com,bob@example.com ${mine}`],
    ['a wildcard', `*@example.com ${mine}`],
    ['a negated principal first', `!ann@example.com,*@example.com ${mine}`],
    ['only a negated principal', `!ann@example.com ${mine}`],
    ['a quoted principal', `"ann maker" ${mine}`],
    ['an unclosed quote', `"ann maker ${mine}`],
    ['namespace git', `ann@example.com namespaces="git" ${mine}`],
    ['namespace file', `ann@example.com namespaces="file" ${mine}`],
    ['namespaces by pattern', `ann@example.com namespaces="file,g*" ${mine}`],
    ['namespaces with a negation', `ann@example.com namespaces="*,!git" ${mine}`],
    ['an empty namespace list', `ann@example.com namespaces="" ${mine}`],
    [
      'another namespace, then git',
      `ann@example.com namespaces="file" ${mine}\nann@example.com namespaces="git" ${mine}`,
    ],
    [
      'another namespace for one, git for the other',
      `ann@example.com namespaces="file" ${mine}\nbob@example.com namespaces="git" ${mine}`,
    ],
    ['valid-after before', `ann@example.com valid-after="20240101" ${mine}`],
    ['valid-after later', `ann@example.com valid-after="20240701" ${mine}`],
    ['valid-before later', `ann@example.com valid-before="20240701Z" ${mine}`],
    ['valid-before earlier', `ann@example.com valid-before="20240501" ${mine}`],
    ['valid-before at the second', `ann@example.com valid-before="20240601120000Z" ${mine}`],
    ['valid-before a second earlier', `ann@example.com valid-before="20240601115959Z" ${mine}`],
    ['valid-after at the minute', `ann@example.com valid-after="202406011200Z" ${mine}`],
    ['valid-after a second later', `ann@example.com valid-after="20240601120001Z" ${mine}`],
    ['both bounds', `ann@example.com valid-after="20240101",valid-before="20250101" ${mine}`],
    ['bounds the wrong way round', `ann@example.com valid-after="20250101",valid-before="20240101" ${mine}`],
    ['an unreadable time', `ann@example.com valid-after="soon" ${mine}`],
    ['expired, then valid', `ann@example.com valid-before="20240101" ${mine}\nbob@example.com ${mine}`],
    ['options in capitals', `ann@example.com NAMESPACES="git" ${mine}`],
    ['an unknown option', `ann@example.com shiny ${mine}`],
    ['a doubled option', `ann@example.com namespaces="git",namespaces="git" ${mine}`],
    ['options that end in a comma', `ann@example.com namespaces="git", ${mine}`],
    ['cert-authority with a plain signature', `ann@example.com cert-authority ${mine}`],
    ['a broken line first', `ann@example.com ssh-ed25519 AAAA\nann@example.com ${mine}`],
    ['no key', 'ann@example.com\n'],
    ['tabs', `ann@example.com\tnamespaces="git"\t${mine}`],
    ['CRLF', `ann@example.com ${mine}\r\n`],
    ['type and key that differ', `ann@example.com ${mine.replace('ssh-ed25519', 'ssh-rsa')}`],
  ]
  return files.map(([name, content], index): SignatureCase => {
    const allowedSigners = workshop.file(
      `allowed-${index}`,
      content === '' || content.endsWith('\n') ? content : `${content}\n`,
    )
    return { name: `allowed_signers with ${name}`, kind: 'commit', repository, sha, allowedSigners }
  })
}

/** Certificates of an authority, and every way to revoke a key. */
export function certificateCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'ssh-certificates')
  const authority = workshop.sshKey('authority', 'ed25519')
  const rsaAuthority = workshop.sshKey('authority-rsa', 'rsa', 2048)
  const stranger = workshop.sshKey('authority-stranger', 'ecdsa', 256)
  const allowed = workshop.file(
    'allowed-authority',
    `*@example.com cert-authority ${keyOf(workshop, authority)}\nrsa@example.com cert-authority,namespaces="git" ${keyOf(workshop, rsaAuthority)}\n`,
  )
  const certificates: readonly (readonly [string, string, readonly string[]])[] = [
    ['a matching principal', authority, ['-n', 'ann@example.com']],
    ['several principals', authority, ['-n', 'root,ann@example.com,bob@example.com']],
    ['a principal that no pattern matches', authority, ['-n', 'ann@elsewhere.org']],
    ['no principals', authority, []],
    ['a validity that covers the commit', authority, ['-n', 'ann@example.com', '-V', '20240101:20250101']],
    ['a validity that ended', authority, ['-n', 'ann@example.com', '-V', '20230101:20240101']],
    ['a validity that begins later', authority, ['-n', 'ann@example.com', '-V', '20250101:20260101']],
    ['a host type', authority, ['-h', '-n', 'ann@example.com']],
    ['a forced command', authority, ['-n', 'ann@example.com', '-O', 'force-command=/bin/true']],
    ['a source address', authority, ['-n', 'ann@example.com', '-O', 'source-address=10.0.0.0/8']],
    ['an RSA authority', rsaAuthority, ['-n', 'rsa@example.com']],
    ['an RSA authority and another principal', rsaAuthority, ['-n', 'ann@example.com']],
    ['a strange authority', stranger, ['-n', 'ann@example.com']],
  ]
  const cases = certificates.map(([name, by, options], index): SignatureCase => {
    const key = workshop.sshKey(`certified-${index}`, index % 2 === 0 ? 'ed25519' : 'ecdsa')
    workshop.run('ssh-keygen', [
      '-q',
      '-s',
      by,
      '-I',
      `id ${index}`,
      '-z',
      String(100 + index),
      ...options,
      `${key}.pub`,
    ])
    const sha = repository.commit(ssh(`${key}-cert.pub`), ['-m', 'certified'], committed)
    return { name: `certificate with ${name}`, kind: 'commit', repository, sha, allowedSigners: allowed }
  })
  const [first] = cases
  const unknownOption = workshop.sshKey('certified-unknown', 'ed25519')
  workshop.run('ssh-keygen', [
    '-q',
    '-s',
    authority,
    '-I',
    'odd',
    '-n',
    'ann@example.com',
    '-O',
    'critical:odd@example.com=1',
    `${unknownOption}.pub`,
  ])
  cases.push({
    name: 'certificate with a critical option that nobody knows',
    kind: 'commit',
    repository,
    sha: repository.commit(ssh(`${unknownOption}-cert.pub`), ['-m', 'certified'], committed),
    allowedSigners: allowed,
    stricter:
      'PROTOCOL.certkeys: a critical option that is not understood refuses the certificate; ssh-keygen -Y ignores it',
  })
  const plain = workshop.file(
    'allowed-certified-key',
    `ann@example.com ${keyOf(workshop, workshop.path('certified-0'))}\n`,
  )
  const whole = workshop.file('allowed-certificate', `ann@example.com ${workshop.read('certified-0-cert.pub')}`)
  if (first !== undefined) {
    cases.push({ ...first, name: 'certificate whose plain key alone is allowed', allowedSigners: plain })
    cases.push({ ...first, name: 'certificate that is allowed itself', allowedSigners: whole })
  }
  return [...cases, ...revocationListCases(workshop, repository, cases, allowed)]
}

function revocationListCases(
  workshop: Workshop,
  repository: Repository,
  certified: readonly SignatureCase[],
  allowed: string,
): readonly SignatureCase[] {
  const [certificate] = certified
  const key = workshop.sshKey('revocable', 'ed25519')
  const sha = repository.commit(ssh(key), ['-m', 'plain'], committed)
  const plainAllowed = workshop.file('allowed-revocable', `ann@example.com ${keyOf(workshop, key)}\n`)
  const plain: SignatureCase = { name: '', kind: 'commit', repository, sha, allowedSigners: plainAllowed }
  const authority = workshop.path('authority.pub')
  const list = (name: string, content: string) => workshop.file(name, content)
  const krl = (name: string, spec: string, options: readonly string[] = []) => {
    const path = workshop.path(name)
    workshop.run('ssh-keygen', ['-q', '-k', '-f', path, ...options, workshop.file(`${name}.spec`, spec)])
    return path
  }
  const print =
    workshop
      .run('ssh-keygen', ['-l', '-f', `${key}.pub`])
      .toString()
      .split(' ')[1] ?? ''
  const many = Array.from({ length: 40 }, (_, index) => `serial: ${90 + index * 2}`).join('\n')
  return [
    { ...plain, name: 'revocation list that is empty', revoked: list('revoked-empty', '') },
    {
      ...plain,
      name: 'revocation list with the key',
      revoked: list('revoked-key', `# gone\n${workshop.read('revocable.pub')}`),
    },
    {
      ...plain,
      name: 'revocation list with another key',
      revoked: list('revoked-other', workshop.read('authority.pub')),
    },
    { ...plain, name: 'revocation list that is damaged', revoked: list('revoked-damaged', 'ssh-ed25519 AAAA\n') },
    {
      ...plain,
      name: 'revocation list in binary with the key',
      revoked: krl('krl-key', workshop.read('revocable.pub')),
    },
    {
      ...plain,
      name: 'revocation list in binary with its SHA-256',
      revoked: krl('krl-sha256', `sha256: ${workshop.read('revocable.pub')}`),
    },
    {
      ...plain,
      name: 'revocation list in binary with its SHA-1',
      revoked: krl('krl-sha1', `sha1: ${workshop.read('revocable.pub')}`),
    },
    { ...plain, name: 'revocation list in binary with its fingerprint', revoked: krl('krl-hash', `hash: ${print}\n`) },
    {
      ...plain,
      name: 'revocation list in binary with another key',
      revoked: krl('krl-other', workshop.read('authority.pub')),
    },
    ...(certificate === undefined
      ? []
      : certificateRevocations(workshop, { ...certificate, allowedSigners: allowed }, { authority, krl, many })),
  ]
}

type Lists = {
  readonly authority: string
  readonly krl: (name: string, spec: string, options?: readonly string[]) => string
  readonly many: string
}

function certificateRevocations(
  workshop: Workshop,
  certificate: SignatureCase,
  { authority, krl, many }: Lists,
): readonly SignatureCase[] {
  const of = ['-s', authority]
  return [
    { ...certificate, name: 'certificate revoked by serial', revoked: krl('krl-serial', 'serial: 100\n', of) },
    {
      ...certificate,
      name: 'certificate not revoked by another serial',
      revoked: krl('krl-serial2', 'serial: 99\n', of),
    },
    { ...certificate, name: 'certificate revoked by a range', revoked: krl('krl-range', 'serial: 50-5000\n', of) },
    { ...certificate, name: 'certificate revoked by a bitmap', revoked: krl('krl-bitmap', `${many}\n`, of) },
    { ...certificate, name: 'certificate revoked by key id', revoked: krl('krl-id', 'id: id 0\n', of) },
    { ...certificate, name: 'certificate not revoked by another key id', revoked: krl('krl-id2', 'id: id 1\n', of) },
    {
      ...certificate,
      name: 'certificate revoked with its key',
      revoked: krl('krl-cert-key', workshop.read('certified-0.pub')),
    },
    {
      ...certificate,
      name: 'certificate revoked with its authority',
      revoked: krl('krl-ca', workshop.read('authority.pub')),
    },
    {
      ...certificate,
      name: 'certificate revoked by a plain list of its key',
      revoked: workshop.file('plain-cert-key', workshop.read('certified-0.pub')),
    },
    {
      ...certificate,
      name: 'certificate revoked by a plain list of its authority',
      revoked: workshop.file('plain-ca', workshop.read('authority.pub')),
    },
    {
      ...certificate,
      name: 'certificate revoked by every authority',
      revoked: krl('krl-any', 'serial: 100\n', ['-s', 'NONE']),
    },
  ]
}

function keyOf(workshop: Workshop, key: string): string {
  return workshop.read(`${key}.pub`).split(' ').slice(0, 2).join(' ').trim()
}
