import { type SignatureCase, signatureOf, withSignature } from './signature-case.ts'
import { ssh, withHeader } from './signature-cases-ssh.ts'
import { Repository, type Workshop } from './signature-workshop.ts'

/** What no git writes: made to be misread. */
export function hostileCases(workshop: Workshop): readonly SignatureCase[] {
  const repository = new Repository(workshop, 'hostile')
  const key = workshop.gpgKey('hostile', 'ed25519')
  workshop.trust(key)
  const sshKey = workshop.sshKey('hostile-ssh', 'ed25519')
  const allowedSigners = workshop.file('allowed-hostile', `hostile@example.com ${workshop.read(`${sshKey}.pub`)}`)
  const signed = repository.object('commit', repository.commit([`user.signingkey=${key}`], ['-m', 'sound']))
  const signedSsh = repository.object('commit', repository.commit(ssh(sshKey), ['-m', 'sound']))
  const tag = repository.object('tag', repository.tag('hostile', [`user.signingkey=${key}`]))
  const armor = signatureOf(signed)
  const armorSsh = signatureOf(signedSsh)
  const text = signed.toString('latin1')
  const of = (name: string, bytes: Buffer | string, stricter?: string): SignatureCase => ({
    name: `hostile: ${name}`,
    kind: 'commit',
    repository,
    allowedSigners,
    sha: repository.write('commit', bytes),
    ...(stricter !== undefined && { stricter }),
  })
  const edit = (change: (armor: string) => string) => withSignature(signed, change)
  const before = (line: string) => Buffer.from(text.replace('\ngpgsig ', `\n${line}\ngpgsig `), 'latin1')
  const after = (lines: string) => Buffer.from(text.replace('\n\nsound', `\n${lines}\n\nsound`), 'latin1')
  const doubts = 'two signature headers or an imitation: which one counts is a doubt'
  return [
    of('gpgsig twice, the same', after(`gpgsig ${fold(armor)}`), doubts),
    of('gpgsig twice, OpenPGP and SSH', after(`gpgsig ${fold(armorSsh)}`), doubts),
    of('gpgsig-sha256 beside gpgsig', after(`gpgsig-sha256 ${fold(armor)}`)),
    of('gpgsig-sha256 alone', text.replace('gpgsig ', 'gpgsig-sha256 ')),
    of('gpgsig-sha256 twice', after(`gpgsig-sha256 ${fold(armor)}\ngpgsig-sha256 ${fold(armor)}`), doubts),
    of('header gpgsigx, which git leaves unsigned', after('gpgsigx smuggled'), doubts),
    of('header gpgsig-', before('gpgsig- smuggled'), doubts),
    of('header gpgsig without a value', after('gpgsig'), doubts),
    of('header GPGSIG', text.replace('gpgsig ', 'GPGSIG ')),
    of(
      'two armors in one header',
      edit((found) => found + found),
    ),
    of(
      'OpenPGP and SSH in one header',
      edit((found) => found + armorSsh),
      'bytes after the armor are a doubt',
    ),
    of(
      'text before the armor',
      edit((found) => `hello\n${found}`),
    ),
    of(
      'text after the armor',
      edit((found) => `${found}hello\n`),
      'bytes after the armor are a doubt',
    ),
    of(
      'nested armor',
      edit((found) => found.replace('\n\n', `\n\n${armor}`)),
    ),
    of(
      'armor without its end',
      edit((found) => found.replace(/-----END.*\n/, '')),
      'an armor that does not end is cut off',
    ),
    of(
      'armor with a wrong checksum',
      edit((found) => found.replace(/^=.{4}$/m, '=AAAA')),
    ),
    of(
      'armor without a checksum',
      edit((found) => found.replace(/^=.{4}\n/m, '')),
    ),
    of(
      'armor with a comment',
      edit((found) => found.replace('SIGNATURE-----\n', 'SIGNATURE-----\nComment: fine\n')),
    ),
    of(
      'armor with CRLF',
      edit((found) => found.replaceAll('\n', '\r\n').replace(/\r\n$/, '\n')),
    ),
    of(
      'armor with blanks at line ends',
      edit((found) => found.replaceAll('\n', '  \n')),
    ),
    of(
      'armor without the blank line',
      edit((found) => found.replace('\n\n', '\n')),
    ),
    of(
      'empty armor',
      edit(() => '-----BEGIN PGP SIGNATURE-----\n\n-----END PGP SIGNATURE-----\n'),
    ),
    of(
      'armor of another kind',
      edit((found) => found.replaceAll('SIGNATURE', 'PUBLIC KEY BLOCK')),
    ),
    of(
      'armor named PGP MESSAGE',
      edit((found) => found.replaceAll('SIGNATURE', 'MESSAGE')),
    ),
    of(
      'two signature packets',
      edit((found) => repack(found, (packets) => Buffer.concat([packets, packets]))),
    ),
    of(
      'binary instead of armor',
      edit(() => 'not armor at all\n'),
    ),
    of(
      'signature of 100 KB',
      edit(() => `-----BEGIN PGP SIGNATURE-----\n\n${'A'.repeat(100_000)}\n-----END PGP SIGNATURE-----\n`),
    ),
    of(
      'a key in place of the signature',
      edit(() => workshop.gpg(['--armor', '--export', key]).toString()),
    ),
    of(
      'an attached message',
      edit(() => workshop.gpg(['--armor', '--sign', '-u', key], 'hello').toString()),
    ),
    of(
      'a clear-signed message',
      edit(() => workshop.gpg(['--clear-sign', '-u', key], 'hello').toString()),
    ),
    of('two trees', Buffer.from(text.replace('\nauthor', `\ntree ${'0'.repeat(40)}\nauthor`), 'latin1')),
    of('a NUL in a header', Buffer.from(text.replace('author Ann', 'author A\0n'), 'latin1')),
    of(
      'ssh armor with CRLF',
      withSignature(signedSsh, (found) => found.replaceAll('\n', '\r\n').replace(/\r\n$/, '\n')),
    ),
    of(
      'ssh armor with text after it',
      withSignature(signedSsh, (found) => `${found}hello\n`),
      'bytes after the armor are a doubt',
    ),
    of(
      'ssh armor twice',
      withSignature(signedSsh, (found) => found + found),
      'bytes after the armor are a doubt',
    ),
    {
      ...of('', text),
      name: 'hostile: tag with its signature twice',
      kind: 'tag',
      sha: repository.write('tag', Buffer.concat([tag, tag.subarray(tag.indexOf('-----BEGIN'))])),
    },
    {
      ...of('', text),
      name: 'hostile: tag with text after it',
      kind: 'tag',
      sha: repository.write('tag', `${tag.toString('latin1')}more\n`),
      stricter: 'bytes after the armor are a doubt',
    },
    of('signature by the right key on a foreign header', withHeader(Buffer.from('tree x\n\nx\n'), armor)),
  ]
}

/** A value with its continuation lines. */
function fold(value: string): string {
  return value.trimEnd().replaceAll('\n', '\n ')
}

/** Changes the packets inside an armor. */
function repack(armor: string, change: (packets: Buffer) => Buffer): string {
  const body =
    armor
      .split('\n\n')[1]
      ?.replace(/^=.{4}\n/m, '')
      .replace(/-----END[^]*/, '') ?? ''
  const changed =
    change(Buffer.from(body, 'base64'))
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN PGP SIGNATURE-----\n\n${changed.join('\n')}\n-----END PGP SIGNATURE-----\n`
}
