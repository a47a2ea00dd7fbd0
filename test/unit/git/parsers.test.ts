import test from 'node:test'
import assert from 'node:assert/strict'
import { BatchParser } from '../../../shared/git/batch-parser.ts'
import { classifyStderr } from '../../../shared/git/classify-stderr.ts'
import { parseCommit, parseTag } from '../../../shared/git/commit-parser.ts'
import { configValue, configuredRemotes, parseConfig } from '../../../shared/git/git-config.ts'
import { GitError } from '../../../shared/git/git-error.ts'
import { parseAdvertised } from '../../../shared/git/git-transport.ts'
import type { Found } from '../../../shared/git/objects.ts'
import { isSafeRefName, parsePackedRefs } from '../../../shared/git/refs.ts'
import { kindOfMode, parseTree } from '../../../shared/git/tree-parser.ts'

const id = 'a'.repeat(40)

test('the stream of cat-file reads the same, wherever it is cut', () => {
  const stream = Buffer.from(
    `${id} blob 5\nab\ncd\n${id} missing\n${id} tree 0\n\n${id} blob 9\ntoo large\n${id} blob 1\nx\n`,
  )
  const expected = ['blob:ab\ncd', 'missing', 'tree:', 'too-large:9', 'blob:x']
  for (let first = 0; first <= stream.length; first += 1) {
    for (const second of [first, Math.min(first + 3, stream.length)]) {
      const found: string[] = []
      const parser = new BatchParser(
        (record) => found.push(shown(record)),
        () => 6,
      )
      for (const part of [stream.subarray(0, first), stream.subarray(first, second), stream.subarray(second)])
        parser.push(part)
      assert.deepEqual(found, expected)
    }
  }
})

function shown(record: Found): string {
  if (record.kind === 'object') return `${record.type}:${record.bytes.toString()}`
  return record.kind === 'too-large' ? `too-large:${record.size}` : 'missing'
}

test('a stream that is not cat-file’s is refused', () => {
  for (const text of ['hello\n', `${id} blob x\n`, `${id} blob 1\nxy`, 'x'.repeat(5000)]) {
    const parser = new BatchParser(
      () => undefined,
      () => 100,
    )
    assert.throws(() => parser.push(Buffer.from(text)), GitError)
  }
})

test('what git, curl and ssh print becomes one reason', () => {
  const table: readonly (readonly [string, string])[] = [
    ['fatal: not a git repository: /x', 'not-a-repository'],
    ["fatal: detected dubious ownership in repository at '/x'", 'forbidden'],
    ["remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://h/x.git/'", 'auth-failed'],
    ["fatal: could not read Username for 'https://h': terminal prompts disabled", 'auth-failed'],
    ["fatal: unable to access 'https://h/': The requested URL returned error: 403", 'forbidden'],
    ["fatal: repository 'https://h/x.git/' not found", 'repository-not-found'],
    ["fatal: unable to access 'https://h/': SSL certificate problem: self-signed certificate", 'certificate'],
    ["fatal: unable to access 'https://h/': server certificate verification failed. CAfile: none", 'certificate'],
    ["fatal: unable to access 'https://h/': Could not resolve host: h", 'unreachable'],
    ["fatal: unable to access 'https://h/': Failed to connect to h port 443: Connection refused", 'unreachable'],
    ["fatal: unable to access 'https://h/': The requested URL returned error: 502", 'unreachable'],
    [
      'ssh: Could not resolve hostname h: Name or service not known\nfatal: Could not read from remote repository.',
      'unreachable',
    ],
    ['git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.', 'auth-failed'],
    ['Host key verification failed.\nfatal: Could not read from remote repository.', 'host-key'],
    [
      'ssh: connect to host h port 22: Connection timed out\nfatal: Could not read from remote repository.',
      'timed-out',
    ],
    ["fatal: couldn't find remote ref refs/pull/9/head", 'unknown-revision'],
    ['fatal: remote error: upload-pack: not our ref 0000', 'unknown-revision'],
    ["fatal: transport 'ext' not allowed", 'unsupported'],
    ["fatal: Unable to create '/x/packed-refs.lock': File exists.", 'locked'],
    ['error: inflate: data stream error', 'corrupt'],
    ['something new', 'unusable'],
  ]
  for (const [stderr, reason] of table) assert.equal(classifyStderr(stderr, 'x').reason, reason, stderr)
  const ssh = classifyStderr(
    'git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.\n\nPlease',
    'x',
  )
  assert.equal(ssh.message, 'git@h: Permission denied (publickey).')
  assert.equal(classifyStderr("fatal: unable to access 'https://joe:pw@h/': no", 'x').message.includes('pw'), false)
  assert.equal(classifyStderr('', 'git x ended with code 1').message, 'git x ended with code 1')
})

test('a commit’s headers, subject and people are read, whatever stands beside them', () => {
  const raw = [
    `tree ${id}`,
    `parent ${'b'.repeat(40)}`,
    `parent ${'c'.repeat(40)}`,
    'author Ada É <ada@example.com> 1700000000 +0100',
    'committer Carl <carl@example.com> 1700000060 +0000',
    'gpgsig -----BEGIN PGP SIGNATURE-----',
    ' ',
    ' tree not-a-header',
    ' -----END PGP SIGNATURE-----',
    '',
    'A subject',
    'in two lines',
    '',
    'tree in the body',
  ].join('\n')
  const commit = parseCommit('x', Buffer.from(raw))
  assert.equal(commit.tree, id)
  assert.deepEqual(commit.parents, ['b'.repeat(40), 'c'.repeat(40)])
  assert.deepEqual(commit.author, { name: 'Ada É', email: 'ada@example.com', time: 1_700_000_000 })
  assert.equal(commit.subject, 'A subject in two lines')
  const latin = Buffer.concat([
    Buffer.from(`tree ${id}\nencoding ISO-8859-1\n\nGr`),
    Buffer.from([0xfc]),
    Buffer.from('n'),
  ])
  assert.equal(parseCommit('x', latin).subject, 'Grün')
  assert.equal(parseCommit('x', Buffer.from(`tree ${id}`)).subject, '')
  assert.throws(() => parseCommit('x', Buffer.from('parent x\n\n')), GitError)
  assert.equal(parseTag('x', Buffer.from(`object ${id}\ntype commit\ntag v1\n\nm`)).target, id)
  assert.throws(() => parseTag('x', Buffer.from('type commit\n\n')), GitError)
})

test('a tree’s modes mean what git means, and a cut tree is corrupt', () => {
  const table = [
    ['100644', 'file'],
    ['100664', 'file'],
    ['100755', 'executable'],
    ['120000', 'link'],
    ['40000', 'folder'],
    ['040000', 'folder'],
    ['160000', 'submodule'],
    ['0', undefined],
    ['x', undefined],
  ] as const
  for (const [mode, kind] of table) assert.equal(kindOfMode(mode), kind, mode)
  const tree = Buffer.concat([Buffer.from('100644 a b\0'), Buffer.from(id, 'hex')])
  assert.deepEqual(parseTree(tree, 'sha1', 'x'), [{ name: 'a b', kind: 'file', id }])
  for (let end = 1; end < tree.length; end += 1) {
    assert.throws(() => parseTree(tree.subarray(0, end), 'sha1', 'x'), GitError)
  }
})

test('a configuration is read as git reads it', () => {
  const text = `[core]\n\tbare = false ; why\n\trepositoryFormatVersion=1\n[remote "up \\"stream\\""]
    url = "https://host/a b.git" # c\n\turl = ssh://host/\\\n  c.git\n[extensions] objectFormat = sha256\n[flag]\n\ton\n garbage [ line`
  const entries = parseConfig(text)
  assert.equal(configValue(entries, 'core', 'bare'), 'false')
  assert.equal(configValue(entries, 'extensions', 'objectformat'), 'sha256')
  assert.equal(configValue(entries, 'flag', 'on'), 'true')
  const [remote] = configuredRemotes(entries)
  assert.equal(remote?.name, 'up "stream"')
  assert.deepEqual(remote?.urls, ['https://host/a b.git', 'ssh://host/  c.git'])
})

test('ref names that are paths to elsewhere are no refs', () => {
  for (const name of ['main', 'feature/x', 'refs/heads/a.b', 'v1.0-rc', '@', 'ä']) assert.ok(isSafeRefName(name), name)
  const bad = [
    '',
    '/a',
    'a/',
    'a//b',
    '../x',
    'a/../b',
    '.git',
    'a/.b',
    'a.lock',
    'a b',
    'a:b',
    'a\\b',
    'a\0',
    'a@{1}',
    'a~1',
    'a*',
    'x'.repeat(2000),
  ]
  for (const name of bad) assert.equal(isSafeRefName(name), false, name)
  const packed = parsePackedRefs(`# pack-refs with: peeled\n${id} refs/tags/v1\n^${id}\nrubbish\n${id} refs/heads/a`)
  assert.deepEqual([...packed.keys()], ['refs/tags/v1', 'refs/heads/a'])
})

test('what a remote advertises is branches, tags and where HEAD points', () => {
  const text = `ref: refs/heads/main\tHEAD\n${id}\tHEAD\n${id}\trefs/heads/main\n${id}\trefs/tags/v1\n${id}\trefs/tags/v1^{}\n${id}\trefs/pull/1/head\n`
  assert.deepEqual(parseAdvertised(text), {
    head: 'refs/heads/main',
    refs: [
      { name: 'refs/heads/main', id },
      { name: 'refs/tags/v1', id },
    ],
  })
})
