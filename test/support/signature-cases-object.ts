import { type SignatureCase, flipMiddle, withSignature } from './signature-case.ts'
import { ssh } from './signature-cases-ssh.ts'
import { Repository, type Workshop } from './signature-workshop.ts'

/** Commits and tags of every shape, signed as git signs them. */
export function shapeCases(workshop: Workshop): readonly SignatureCase[] {
  const keys = signers(workshop)
  return (['sha1', 'sha256'] as const).flatMap((format) =>
    keys.flatMap(([word, config, allowedSigners]) => {
      const repository = new Repository(workshop, `shapes-${format}-${word}`, format)
      const label = (name: string) => `${format} ${word}: ${name}`
      const commit = (name: string, sha: string): SignatureCase => ({
        name: label(name),
        kind: 'commit',
        repository,
        sha,
        allowedSigners,
      })
      const tag = (name: string, sha: string): SignatureCase => ({
        name: label(name),
        kind: 'tag',
        repository,
        sha,
        allowedSigners,
      })
      const cases = [
        commit('plain', repository.commit(config)),
        commit('empty message', repository.commit(config, ['--allow-empty-message', '-m', ''])),
        commit(
          'message in latin-1',
          repository.commit([...config, 'i18n.commitEncoding=ISO-8859-1'], ['-m', 'Gr\u00fc\u00dfe']),
        ),
        commit('message with CRLF', repository.commit(config, ['--cleanup=verbatim', '-m', 'one\r\n\r\ntwo\r\n'])),
        commit(
          'message with blanks at line ends',
          repository.commit(config, ['--cleanup=verbatim', '-m', 'one  \n\ntwo\t\n\n\n']),
        ),
        commit('message that holds a signature', repository.commit(config, ['-m', `quote\n\n${fakeArmor}`])),
        commit(
          'message that holds a signature header',
          repository.commit(config, ['-m', `quote\n\ngpgsig ${fakeArmor.replaceAll('\n', '\n ')}`]),
        ),
        commit(
          'other author and zone',
          repository.commit(config, [
            '--author',
            'Bj\u00f6rn O\u2019Neil <b@example.com>',
            '--date',
            '2001-02-03T04:05:06-0730',
            '-m',
            'x',
          ]),
        ),
        commit('unsigned', repository.git(['rev-list', '--max-parents=0', 'HEAD'])),
        tag('tag', repository.tag('plain', config)),
        tag('tag with CRLF', repository.tag('crlf', config, ['--cleanup=verbatim', '-m', 'one\r\ntwo\r\n'])),
        tag(
          'tag whose message quotes a signature',
          repository.tag('quoting', config, ['--cleanup=verbatim', '-m', `see\n${fakeArmor}\nabove`]),
        ),
      ]
      repository.git(['tag', '-a', '-m', 'unsigned', 'unsigned'])
      cases.push(tag('unsigned tag', repository.git(['rev-parse', 'unsigned'])))
      repository.git([
        ...config.flatMap((setting) => ['-c', setting]),
        'tag',
        '-s',
        '-m',
        'of a tag',
        'nested',
        'plain',
      ])
      cases.push(tag('tag of a tag', repository.git(['rev-parse', 'nested'])))
      return [...cases, ...mergeCases(repository, config, commit), ...tamperedCases(repository, config, commit, tag)]
    }),
  )
}

const fakeArmor = '-----BEGIN PGP SIGNATURE-----\n\niQEz\n=AAAA\n-----END PGP SIGNATURE-----'

type Make = (name: string, sha: string) => SignatureCase

function signers(workshop: Workshop): readonly (readonly ['openpgp' | 'ssh', readonly string[], string])[] {
  const openpgp = workshop.gpgKey('shaper', 'ed25519')
  workshop.trust(openpgp)
  const key = workshop.sshKey('shaper-ssh', 'ed25519')
  const allowed = workshop.file('allowed-shaper', `shaper@example.com ${workshop.read(`${key}.pub`)}`)
  return [
    ['openpgp', [`user.signingkey=${openpgp}`], allowed],
    ['ssh', ssh(key), allowed],
  ]
}

/** Two parents, three parents, and a merge that carries the tag it merged. */
function mergeCases(repository: Repository, config: readonly string[], commit: Make): readonly SignatureCase[] {
  const settings = config.flatMap((setting) => ['-c', setting])
  const main = repository.git(['rev-parse', '--abbrev-ref', 'HEAD'])
  for (const side of ['left', 'right', 'third']) {
    repository.git(['checkout', '-q', '-b', side, main])
    repository.commit(config, ['-m', side])
  }
  repository.git([...settings, 'tag', '-s', '-m', 'merge me', 'merged', 'third'])
  repository.git(['checkout', '-q', main])
  repository.git([...settings, 'merge', '-q', '--no-ff', '-S', '-m', 'merge', 'left'])
  const merge = repository.git(['rev-parse', 'HEAD'])
  repository.git([...settings, 'merge', '-q', '--no-ff', '-S', '-m', 'merge a tag', 'merged'])
  const tagged = repository.git(['rev-parse', 'HEAD'])
  const tree = `${merge}^{tree}`
  const parents = [merge, repository.git(['rev-parse', 'right']), repository.git(['rev-parse', 'third'])]
  const octopus = repository.git([
    ...settings,
    'commit-tree',
    '-S',
    ...parents.flatMap((parent) => ['-p', parent]),
    '-m',
    'octopus',
    tree,
  ])
  const root = repository.git([...settings, 'commit-tree', '-S', '-m', 'no parents', tree])
  return [commit('merge', merge), commit('merge of a tag', tagged), commit('octopus', octopus), commit('root', root)]
}

/** Signed objects that somebody changed afterwards. */
function tamperedCases(
  repository: Repository,
  config: readonly string[],
  commit: Make,
  tag: Make,
): readonly SignatureCase[] {
  const signed = repository.object('commit', repository.commit(config, ['-m', 'sound']))
  const other = repository.object('commit', repository.commit(config, ['-m', 'other']))
  const signedTag = repository.object('tag', repository.tag('sound', config))
  const otherTag = repository.object('tag', repository.tag('other', config, ['-m', 'other']))
  const header = repository.git(['rev-parse', '--show-object-format']) === 'sha256' ? 'gpgsig-sha256' : 'gpgsig'
  const write = (bytes: Buffer | string) => repository.write('commit', bytes)
  const edit = (from: string | RegExp, to: string) =>
    write(Buffer.from(signed.toString('latin1').replace(from, to), 'latin1'))
  const armorOf = (bytes: Buffer) => {
    let found = ''
    withSignature(bytes, (armor) => (found = armor), header)
    return found
  }
  const tagText = signedTag.toString('latin1')
  const swapped =
    tagText.slice(0, tagText.indexOf('-----BEGIN')) + otherTag.toString('latin1').slice(otherTag.indexOf('-----BEGIN'))
  return [
    commit('changed message', edit('sound', 'unsound')),
    commit('changed author', edit('author Ann', 'author Eve')),
    commit('added byte at the end', write(Buffer.concat([signed, Buffer.from('\n')]))),
    commit('missing last line feed', write(signed.subarray(0, -1))),
    commit('signature of another commit', write(withSignature(signed, () => armorOf(other), header))),
    commit(
      'signature of a tag',
      write(withSignature(signed, () => tagText.slice(tagText.indexOf('-----BEGIN')), header)),
    ),
    commit('flipped signature', write(withSignature(signed, flipMiddle, header))),
    commit('signature removed', edit(new RegExp(`^${header} .*\\n(?: .*\\n)*`, 'm'), '')),
    commit('signature header renamed', edit(new RegExp(`^${header} `, 'm'), 'gpgsogx ')),
    commit('signature moved into the message', write(movedIntoMessage(signed, header))),
    tag('changed tag', repository.write('tag', tagText.replace('release', 'surprise'))),
    tag('tag with the signature of another', repository.write('tag', swapped)),
    tag(
      'tag with the signature of a commit',
      repository.write('tag', tagText.slice(0, tagText.indexOf('-----BEGIN')) + armorOf(signed)),
    ),
    {
      ...tag('tag with the signature cut off', repository.write('tag', tagText.slice(0, tagText.indexOf('-----END')))),
      stricter: 'an armor that does not end is cut off; gpg reads on',
    },
  ]
}

function movedIntoMessage(signed: Buffer, header: string): Buffer {
  let armor = ''
  withSignature(signed, (found) => (armor = found), header)
  const bare = signed.toString('latin1').replace(new RegExp(`^${header} .*\\n(?: .*\\n)*`, 'm'), '')
  return Buffer.from(`${bare}\n${armor}`, 'latin1')
}
