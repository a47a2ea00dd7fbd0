import test from 'node:test'
import assert from 'node:assert/strict'
import { GitError } from '../../../shared/git/git-error.ts'
import { parseRemoteUrl, remoteKey } from '../../../shared/git/remote-url.ts'
import { linkParts, repoPath, stepInto } from '../../../shared/git/repo-path.ts'

test('the spellings of one repository have one key', () => {
  const groups: readonly (readonly string[])[] = [
    [
      'https://github.com/team/app',
      'https://GitHub.com/Team/App.git',
      'https://github.com/team/app/',
      'https://joe@github.com/team/app.git',
      'https://joe:pw@github.com:443/team/app.git',
      'http://github.com:80/team/app.git',
      'git@github.com:team/app.git',
      'github.com:team/app',
      'git@github.com:/team/app.git',
      'ssh://git@github.com/team/app.git',
      'ssh://git@github.com:22/team/app',
      'git+ssh://git@github.com/team/app',
      'ssh://git@ssh.github.com:443/team/app.git',
      'git://github.com/team/app.git',
      ' https://github.com/team//app.git ',
    ],
    ['https://github.com/team/app2', 'git@github.com:team/app2.git'],
    ['https://gitlab.example.com:8443/a/b/c.git', 'https://joe@GITLAB.example.com:8443/a/b/c'],
    ['https://gitlab.example.com/a/b/c.git', 'git@gitlab.example.com:a/b/c.git'],
    ['ssh://git@gitlab.example.com:2222/a/b/c.git'],
    ['https://org@dev.azure.com/org/project/_git/repo', 'git@ssh.dev.azure.com:v3/org/project/repo'],
    ['ssh://git@[::1]:2222/a', 'ssh://[::1]:2222/a.git'],
    ['https://host/with%20space', 'https://host/with space.git'],
  ]
  const keys = groups.map((group) => {
    const all = new Set(group.map((url) => remoteKey(url)))
    assert.equal(all.size, 1, [...all].join(' | '))
    return [...all][0]
  })
  assert.equal(new Set(keys).size, groups.length, 'different repositories have different keys')
})

test('local paths and file URLs are local', () => {
  const table: readonly (readonly [string, string])[] = [
    ['/srv/app.git', '/srv/app.git'],
    ['./app', './app'],
    ['.', '.'],
    ['../x', '../x'],
    ['file:///srv/app.git', '/srv/app.git'],
    ['file:///srv/a%20b', '/srv/a b'],
    ['C:\\repos\\app', 'C:\\repos\\app'],
    ['c:/repos/app', 'c:/repos/app'],
    ['/with:colon/app', '/with:colon/app'],
  ]
  for (const [url, path] of table) {
    assert.deepEqual(parseRemoteUrl(url), { kind: 'local', path })
    assert.equal(remoteKey(url), undefined)
  }
})

test('the parts of a URL come apart, and a password is in none that is handed on', () => {
  const closed = parseRemoteUrl('https://joe:p%40ss@Host:8443/a/b.git')
  assert.ok(closed.kind === 'remote')
  assert.deepEqual(
    [closed.url, closed.user, closed.password, closed.host, closed.port, closed.path],
    ['https://Host:8443/a/b.git', 'joe', 'p@ss', 'host', '8443', 'a/b'],
  )
  const ssh = parseRemoteUrl('ssh://git@host:2222/a/b.git')
  assert.ok(ssh.kind === 'remote')
  assert.deepEqual([ssh.url, ssh.user, ssh.port, ssh.protocol], ['ssh://git@host:2222/a/b.git', 'git', '2222', 'ssh'])
})

test('a URL that could run a program or an option is refused', () => {
  const bad = [
    'ext::sh -c id',
    'fd::17',
    '-oProxyCommand=id',
    '--upload-pack=id',
    'ssh://-oProxyCommand=id/x',
    'git@-host:x',
    'host:-x',
    'ssh://-x@host/a',
    'ftp://host/x',
    'javascript://x',
    'https://',
    '',
    'https://host/a\nb',
    'https://ho st:99999/x',
  ]
  for (const url of bad)
    assert.throws(
      () => parseRemoteUrl(url),
      (error) => GitError.is(error, 'unsupported'),
      url,
    )
})

test('paths stay inside', () => {
  const table: readonly (readonly [string, string])[] = [
    ['', ''],
    ['.', ''],
    ['./', ''],
    ['a/b/', 'a/b'],
    ['./a//b/../c', 'a/c'],
    ['...', '...'],
    ['.github/x', '.github/x'],
    ['.gitignore', '.gitignore'],
  ]
  for (const [path, expected] of table) assert.equal(repoPath(path), expected)
  for (const path of ['..', '../a', 'a/../..', '/a', '\\a', 'C:/a', 'a/.git/b', '.GIT', '.git. /x', 'GIT~1/x', 'a\0']) {
    assert.throws(
      () => repoPath(path),
      (error) => GitError.is(error, 'path-outside'),
      path,
    )
  }
  assert.deepEqual(linkParts('a/l', '../b/./c'), ['..', 'b', 'c'])
  for (const target of ['/etc', '', 'x/.git/y', 'C:\\x', 'a\0']) assert.throws(() => linkParts('l', target), GitError)
  assert.equal(stepInto('a/b', '..', 'x'), 'a')
  assert.equal(stepInto('a', '..', 'x'), '')
  assert.throws(() => stepInto('', '..', 'x'), GitError)
})
