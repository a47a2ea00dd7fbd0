import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { each, history, rejectsWith } from './each-reader.ts'

each(
  'every name of a commit means what git rev-parse says',
  async ({ made, open }) => {
    const repository = await open()
    const head = await made.git('rev-parse', 'HEAD')
    const names = [
      'HEAD',
      '@',
      'main',
      'feature/x',
      'heads/main',
      'refs/heads/main',
      'light',
      'v1',
      'nested',
      'tags/v1',
      head,
    ]
    names.push(
      head.slice(0, 9),
      head.toUpperCase(),
      'HEAD~1',
      'HEAD^',
      'HEAD^2',
      'HEAD~1^1',
      'v1^{}',
      'v1^{commit}',
      'main~2',
      'HEAD^0',
    )
    for (const name of names) {
      const { sha } = await repository.resolve(name)
      assert.equal(sha, await made.git('rev-parse', `${name}^{commit}`), name)
    }
    for (const name of [
      'nope',
      'HEAD~9',
      'HEAD^3',
      'config',
      'main@{1}',
      '../HEAD',
      '-h',
      'a b',
      '0'.repeat(40),
      'HEAD~999999999',
      '',
    ]) {
      if (name !== '') await rejectsWith(repository.resolve(name), 'unknown-revision')
    }
  },
  { prepare: history },
)

each(
  'a range of versions means the newest tag in it, unless a ref has that very name',
  async ({ made, open }) => {
    const repository = await open()
    for (const [range, tag] of [
      ['1.*', 'v1.9.0'],
      ['^1', 'v1.9.0'],
      ['~1', 'v1.9.0'],
      ['~1.2', '1.2.1'],
      ['>=1.2.0 <1.9.0', '1.2.1'],
    ]) {
      assert.equal((await repository.resolve(range ?? '')).sha, await made.git('rev-parse', `${tag}^{commit}`), range)
    }
    assert.equal((await repository.resolve('2.x')).sha, await made.git('rev-parse', 'heads/2.x'))
    await rejectsWith(repository.resolve('3.x'), 'unknown-revision')
    await rejectsWith(repository.resolve('>=3'), 'unknown-revision')
  },
  {
    prepare: async (made) => {
      for (const tag of ['1.2.0', '1.2.1', 'v1.9.0', 'v2.0.0']) {
        await made.commit(tag)
        await made.git('tag', '--annotate', '--message=x', tag)
      }
      await made.commit('Branch')
      await made.git('branch', '2.x')
    },
  },
)

each(
  'a revision tells what its commit says, and a commit its raw bytes',
  async ({ made, open }) => {
    const repository = await open()
    const revision = await repository.resolve('main^1')
    assert.deepEqual(revision, {
      sha: await made.git('rev-parse', 'main^1'),
      name: 'main^1',
      kind: 'commit',
      subject: 'Second',
      author: 'Ada Example',
      authorEmail: 'ada@example.com',
      committedAt: '2026-01-01T00:02:00Z',
    })
    const commit = await repository.readCommit(revision.sha)
    assert.equal(commit.raw.toString().trimEnd(), (await made.git('cat-file', 'commit', revision.sha)).trimEnd())
    assert.equal(await repository.currentBranch(), 'main')
    assert.deepEqual(
      (await repository.refs('refs/heads/')).map(({ name }) => name),
      ['refs/heads/feature/x', 'refs/heads/main'],
    )
  },
  { prepare: history },
)

each(
  'files, ids and content of a commit are git’s',
  async ({ made, open }) => {
    const repository = await open(join(made.folder, 'apps', 'web'))
    const checkout = await repository.checkout(await repository.resolve('main'))
    const expected = (await made.git('ls-tree', '-r', 'main')).split('\n').map((line) => {
      const [, , id = '', path = ''] = line.split(/[ \t]/)
      return { path, kind: 'file', id }
    })
    assert.deepEqual(await checkout.list(''), expected)
    assert.deepEqual(
      (await checkout.list('apps/web/')).map(({ path }) => path),
      ['apps/web/deploy.yaml', 'apps/web/svc.yaml'],
    )
    assert.equal(await checkout.treeId('apps'), await made.git('rev-parse', 'main:apps'))
    assert.equal(await checkout.treeId('.'), await made.git('rev-parse', 'main^{tree}'))
    assert.equal(await checkout.treeId('apps/web/svc.yaml'), await made.git('rev-parse', 'main:apps/web/svc.yaml'))
    assert.equal(await checkout.treeId('no/such'), undefined)
    assert.equal(Buffer.from(await checkout.read('./apps/../README')).toString(), 'hi\n')
    await rejectsWith(checkout.read('apps'), 'path-missing', /folder/)
    await rejectsWith(checkout.read('apps/nope.yaml'), 'path-missing')
    await rejectsWith(checkout.list('nope'), 'path-missing')
    for (const path of ['../x', 'apps/../../x', '/etc/passwd', '.git/config', 'a/.GIT/x', 'C:\\x', 'a\0b']) {
      await rejectsWith(checkout.read(path), 'path-outside')
    }
  },
  { prepare: history },
)

each(
  'ranges and changed paths are those of git rev-list and git diff-tree',
  async ({ made, open }) => {
    const repository = await open()
    const sha = (name: string): Promise<string> => made.git('rev-parse', `${name}^{commit}`)
    const [head, first, branch] = await Promise.all([sha('main'), sha('v1'), sha('feature/x')])
    for (const range of [
      { to: head },
      { from: first, to: head },
      { from: branch, to: head },
      { from: head, to: first },
    ]) {
      const expected = await made.git('rev-list', range.to, ...(range.from === undefined ? [] : [`^${range.from}`]))
      const log = await repository.log(range)
      assert.deepEqual([...log].sort(), expected.split('\n').filter(Boolean).sort())
      assert.equal(log[0] ?? '', expected === '' ? '' : range.to)
    }
    assert.equal((await repository.log({ to: head, limit: 2 })).length, 2)
    for (const [from, to] of [
      [first, head],
      [head, first],
      [branch, head],
      [head, head],
    ] as const) {
      const expected = await made.git('diff-tree', '-r', '--name-only', from, to)
      assert.deepEqual(await repository.changedPaths(from, to), expected.split('\n').filter(Boolean))
    }
  },
  { prepare: history },
)

each(
  'packed refs and packed objects read like loose ones',
  async ({ made, open }) => {
    const repository = await open()
    for (const name of ['main', 'v1', 'nested', 'feature/x']) {
      assert.equal((await repository.resolve(name)).sha, await made.git('rev-parse', `${name}^{commit}`))
    }
    const checkout = await repository.checkout(await repository.resolve('v1'))
    assert.equal((await checkout.list('apps')).length, 2)
    const abbreviated = await made.git('rev-parse', '--short', 'v1^{commit}')
    assert.equal((await repository.resolve(abbreviated)).sha, await made.git('rev-parse', 'v1^{commit}'))
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.git('gc', '--quiet', '--prune=now')
    },
  },
)

each(
  'a short sha that begins several commits is ambiguous, one that begins other objects too is not',
  async ({ made, open }) => {
    const repository = await open()
    const shas = (await made.git('rev-list', '--all')).split('\n')
    const groups = Map.groupBy(shas, (sha) => sha.slice(0, 4))
    const twins = [...groups].find(([, group]) => group.length > 1)
    assert.ok(twins, 'the fixed history holds two commits with one beginning')
    await rejectsWith(repository.resolve(twins[0]), 'ambiguous-revision', /begins 2 commits/)
    const [single] = [...groups].filter(([, group]) => group.length === 1)
    assert.equal((await repository.resolve(single?.[0] ?? '')).sha, single?.[1][0])
    await rejectsWith(repository.resolve('abc'), 'unknown-revision')
  },
  {
    // Enough commits that two begin alike (birthdays among 65,536), all in one process of git.
    prepare: async (made) => {
      const commits = Array.from({ length: 900 }, (_, index) => {
        const who = `Ada <ada@example.com> ${1_767_225_600 + index} +0000`
        return `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata 1\nx\n`
      })
      await writeFile(made.beside('stream'), commits.join(''))
      await made.git('-c', 'alias.load=!git fast-import --quiet < ../stream', 'load')
    },
  },
)
