import { readFileSync } from 'node:fs'
import { type SignatureCase, withSignature } from './signature-case.ts'
import { signedBy } from './signature-cases-ssh.ts'
import { Repository, type Workshop, missingProgram } from './signature-workshop.ts'

const authority = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n'
const person =
  'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=emailProtection\n'

type Issue = {
  readonly by: string
  readonly extensions?: string
  readonly key?: readonly string[]
  readonly from?: string
  readonly to?: string
}

/** Certificates by openssl, signatures by gpgsm, who judges them too. None where one of the two is missing. */
export function x509Cases(workshop: Workshop): readonly SignatureCase[] {
  if (missingProgram(['gpgsm', 'openssl']) !== undefined) return []
  prepare(workshop)
  const repository = new Repository(workshop, 'x509')
  const roots = workshop.path('root.pem')
  selfSigned(workshop, 'root')
  selfSigned(workshop, 'stranger')
  workshop.file(
    'maker/trustlist.txt',
    ['root', 'stranger'].map((name) => `${fingerprintOf(workshop, name)} S relax\n`).join(''),
  )
  workshop.file('judge/trustlist.txt', `${fingerprintOf(workshop, 'root')} S relax\n`)
  for (const home of [workshop.makerHome, workshop.judgeHome]) {
    for (const name of ['root', 'stranger']) gpgsm(workshop, home, ['--import', workshop.path(`${name}.pem`)])
  }
  issue(workshop, 'intermediate', { by: 'root', extensions: authority })
  const people: readonly (readonly [string, Issue])[] = [
    ['an RSA certificate', { by: 'root' }],
    ['a certificate by an intermediate authority', { by: 'intermediate' }],
    ['a certificate by a strange authority', { by: 'stranger' }],
  ]
  const cases = people.map(([name, how], index): SignatureCase => {
    const certificate = `person-${index}`
    issue(workshop, certificate, how)
    importPerson(workshop, certificate, how.by)
    const config = ['gpg.format=x509', `user.signingkey=${fingerprintOf(workshop, certificate).replaceAll(':', '')}`]
    return { name: `x509 commit by ${name}`, kind: 'commit', repository, roots, sha: repository.commit(config) }
  })
  const [good] = cases
  if (good === undefined) return []
  const bytes = repository.object('commit', good.sha)
  const write = (name: string, changed: Buffer | string): SignatureCase => ({
    ...good,
    name: `x509: ${name}`,
    sha: repository.write('commit', changed),
  })
  return [
    ...cases,
    ...handmadeCases(workshop, repository, roots),
    write('changed message', bytes.toString('latin1').replace('change', 'chance')),
    write(
      'armor without its content',
      withSignature(bytes, () => '-----BEGIN SIGNED MESSAGE-----\n-----END SIGNED MESSAGE-----\n'),
    ),
    write(
      'truncated content',
      withSignature(bytes, (armor) => armor.split('\n').toSpliced(8, 4).join('\n')),
    ),
  ]
}

/** gpgsm 2.2 crashes on importing ECDSA keys and will not sign with some certificates, so openssl signs these. */
function handmadeCases(workshop: Workshop, repository: Repository, roots: string): readonly SignatureCase[] {
  const ecdsa = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  const encryption = person.replace('digitalSignature', 'keyEncipherment')
  const made: readonly (readonly [string, Issue, readonly string[], string?])[] = [
    ['an ECDSA certificate', { by: 'root', key: ecdsa }, ['-md', 'sha256']],
    ['a certificate for encryption', { by: 'root', extensions: encryption }, ['-md', 'sha256'], 'gpgsm only warns'],
    ['a certificate by somebody who is no authority', { by: 'person-0' }, ['-md', 'sha256']],
    ['an RSA certificate over SHA-1', { by: 'root' }, ['-md', 'sha1'], 'SHA-1 is weak'],
    ['a certificate that expired', { by: 'root', from: '20200101000000Z', to: '20210101000000Z' }, ['-md', 'sha256']],
    [
      'a certificate that begins later',
      { by: 'root', from: '20400101000000Z', to: '20410101000000Z' },
      ['-md', 'sha256'],
    ],
    ['a message inside', { by: 'root' }, ['-md', 'sha256', '-nodetach']],
  ]
  return made.map(([name, how, options, stricter], index): SignatureCase => {
    const certificate = `handmade-${index}`
    issue(workshop, certificate, how)
    gpgsm(workshop, workshop.judgeHome, ['--import', workshop.path(`${how.by}.pem`)])
    const sha = signedBy(repository, (payload) => {
      const files = ['-signer', `${certificate}.pem`, '-inkey', `${certificate}.key`, '-certfile', `${how.by}.pem`]
      const pem = workshop.run('openssl', ['cms', '-sign', '-binary', '-outform', 'PEM', ...files, ...options], {
        input: payload,
      })
      return pem.toString().replaceAll('CMS-----', 'SIGNED MESSAGE-----')
    })
    return {
      name: `x509 commit by ${name}`,
      kind: 'commit',
      repository,
      roots,
      sha,
      ...(stricter !== undefined && { stricter }),
    }
  })
}

function prepare(workshop: Workshop): void {
  for (const home of ['maker', 'judge']) {
    workshop.file(`${home}/gpgsm.conf`, 'batch\nno-tty\ndisable-crl-checks\ndisable-dirmngr\n')
    workshop.file(`${home}/gpg-agent.conf`, 'allow-loopback-pinentry\n')
  }
  workshop.file('x509.index', '')
  workshop.file(
    'x509.cnf',
    '[ca]\ndefault_ca=d\n[d]\ndatabase=x509.index\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nunique_subject=no\n[p]\ncommonName=supplied\nemailAddress=optional\n',
  )
}

function selfSigned(workshop: Workshop, name: string): void {
  workshop.run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '3650',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.pem`,
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'keyUsage=critical,keyCertSign,cRLSign',
  ])
}

function issue(
  workshop: Workshop,
  name: string,
  { by, extensions = person, key = ['-newkey', 'rsa:2048'], from, to }: Issue,
): void {
  workshop.run('openssl', [
    'req',
    ...key,
    '-nodes',
    '-subj',
    `/CN=${name}/emailAddress=${name}@example.com`,
    '-keyout',
    `${name}.key`,
    '-out',
    `${name}.csr`,
  ])
  workshop.file(`${name}.ext`, extensions)
  const validity = from === undefined || to === undefined ? ['-days', '3000'] : ['-startdate', from, '-enddate', to]
  workshop.run('openssl', [
    'ca',
    '-batch',
    '-notext',
    '-config',
    'x509.cnf',
    '-cert',
    `${by}.pem`,
    '-keyfile',
    `${by}.key`,
    '-extfile',
    `${name}.ext`,
    '-in',
    `${name}.csr`,
    '-out',
    `${name}.pem`,
    ...validity,
  ])
}

function importPerson(workshop: Workshop, name: string, by: string): void {
  workshop.run('openssl', [
    'pkcs12',
    '-export',
    '-legacy',
    '-in',
    `${name}.pem`,
    '-inkey',
    `${name}.key`,
    '-certfile',
    `${by}.pem`,
    '-out',
    `${name}.p12`,
    '-passout',
    'pass:',
  ])
  gpgsm(
    workshop,
    workshop.makerHome,
    ['--pinentry-mode', 'loopback', '--passphrase-fd', '0', '--import', workshop.path(`${name}.p12`)],
    '\n',
  )
  gpgsm(workshop, workshop.judgeHome, ['--import', workshop.path(`${by}.pem`)])
}

function gpgsm(workshop: Workshop, home: string, args: readonly string[], input = ''): void {
  workshop.run('gpgsm', args, { input, env: { GNUPGHOME: home } })
}

/** SHA-1, as gpgsm names certificates. */
function fingerprintOf(workshop: Workshop, name: string): string {
  const line = workshop.run('openssl', ['x509', '-noout', '-fingerprint', '-sha1', '-in', `${name}.pem`]).toString()
  return line.trim().split('=')[1] ?? readFileSync(workshop.path(`${name}.pem`), 'latin1')
}
