import test from 'node:test'
import assert from 'node:assert/strict'
import { mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../shared/base/process.ts'
import { openRepository } from '../../shared/git/repository.ts'
import type { Repository } from '../../shared/git/repository.ts'
import type { TreeCheckout } from '../../shared/git/tree-checkout.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import { each, git, history, missing, rejectsWith } from './each-reader.ts'

async function onDisk(repository: Repository, overlay?: ReadonlyMap<string, string>): Promise<TreeCheckout> {
  return repository.checkout(await repository.resolve('WORKTREE'), { overlay })
}

async function text(checkout: TreeCheckout, path: string): Promise<string> {
  return Buffer.from(await checkout.read(path)).toString()
}

const paths = async (checkout: TreeCheckout, folder = ''): Promise<readonly string[]> =>
  (await checkout.list(folder)).map(({ path }) => path)

each(
  'a clean working tree has the ids of its commit, links and executables among them',
  async ({ made, open }) => {
    const repository = await open()
    const disk = await onDisk(repository)
    const commit = await repository.checkout(await repository.resolve('HEAD'))
    const withoutSize = (await disk.list('')).map(({ path, kind, id }) => ({ path, kind, id }))
    assert.deepEqual(withoutSize, await commit.list(''))
    for (const path of ['', 'apps', 'apps/web', 'README', 'a', 'linked', 'nope']) {
      assert.equal(await disk.treeId(path), await commit.treeId(path), path)
    }
    assert.equal(await disk.treeId('apps'), await made.git('rev-parse', 'HEAD:apps'))
    assert.equal((await repository.resolve('WORKTREE')).sha, await made.git('rev-parse', 'HEAD'))
  },
  {
    prepare: async (made) => {
      await history(made)
      // git sorts a folder as `a/`, between `a.b` and `a0`.
      await made.write({ 'a/x': '1', 'a.b': '2', a0: '3', 'ä/ö.yaml': '4', empty: '' })
      await made.write({ 'run.sh': '#!/bin/sh\n' }, { executable: true })
      await made.link('linked', 'apps/web')
      await made.commit('More')
    },
  },
)

each(
  'the disk shows what is changed, untracked and deleted, and hides what is ignored',
  async ({ made, open }) => {
    const disk = await onDisk(await open())
    const others = await made.git('ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate')
    const expected = others.split('\n').filter((path) => path !== 'apps/web/svc.yaml' && path !== 'nested/')
    assert.deepEqual([...(await paths(disk))].sort(), expected.sort())
    assert.equal(await text(disk, 'README'), 'changed\n')
    assert.equal(await text(disk, 'apps/new.yaml'), 'new\n')
    assert.equal(await text(disk, 'kept.log'), 'tracked though ignored\n')
    for (const path of ['apps/web/svc.yaml', 'apps/x.log', 'build/out.yaml', 'own.tmp', 'nested/inner.yaml']) {
      await rejectsWith(disk.read(path), 'path-missing')
    }
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.write({ 'kept.log': 'tracked though ignored\n' })
      await made.commit('Tracked')
      await made.write({
        '.gitignore': '*.log\n!important.log\nbuild/\n/rooted\n# comment\n',
        'apps/.gitignore': '!y.log\n',
        'apps/x.log': 'x',
        'apps/y.log': 'y',
        'important.log': 'i',
        'build/out.yaml': 'o',
        rooted: 'r',
        'apps/rooted': 'r',
        'own.tmp': 't',
        'apps/new.yaml': 'new\n',
        README: 'changed\n',
        '.git/info/exclude': '*.tmp\n',
      })
      await made.remove('apps/web/svc.yaml')
      await made.git('init', '--quiet', 'nested')
      await made.write({ 'nested/inner.yaml': 'n' })
    },
  },
)

each(
  'unsaved text stands for its file, also for one that is not saved yet',
  async ({ made, open }) => {
    const repository = await open()
    const at = (path: string): string => join(made.folder, path)
    const clean = await onDisk(repository)
    const overlay = new Map([
      [at('README'), 'typed ☃\n'],
      [at('apps/draft/new.yaml'), 'draft\n'],
      ['/elsewhere/x.yaml', 'no'],
      [at('.git/config'), 'no'],
      [at('notes.tmp'), 'ignored'],
    ])
    const edited = await onDisk(repository, overlay)
    assert.equal(await text(edited, 'README'), 'typed ☃\n')
    assert.deepEqual(await paths(edited, 'apps/draft'), ['apps/draft/new.yaml'])
    assert.notEqual(await edited.treeId(''), await clean.treeId(''))
    assert.equal(await edited.treeId('apps/web'), await clean.treeId('apps/web'))
    await rejectsWith(edited.read('.git/config'), 'path-outside')
    assert.deepEqual(await paths(edited), [...(await paths(clean)), 'apps/draft/new.yaml'].sort())
    const folder = await edited.materialize(['apps', 'README'])
    const cat = await run('cat', [join(folder.folder, 'README'), join(folder.folder, 'apps/draft/new.yaml')])
    assert.equal(cat.kind === 'exited' && cat.stdout.toString(), 'typed ☃\ndraft\n')
    await folder.dispose()
    const same = await onDisk(repository, new Map([[at('README'), 'hi\n']]))
    assert.equal(await same.treeId(''), await clean.treeId(''), 'text equal to the file is no change')
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.write({ '.git/info/exclude': '*.tmp\n', 'notes.tmp': 'ignored on the disk' })
    },
  },
)

test('a change of any file changes the id of its folders, and only of those', { skip: missing ?? false }, async () => {
  const made = await scaffoldRepository()
  await history(made)
  const repository = await openRepository(made.folder, { git })
  const ids = async (): Promise<readonly (string | undefined)[]> => {
    const disk = await onDisk(repository)
    return [await disk.treeId(''), await disk.treeId('apps/web'), await disk.treeId('apps/api')]
  }
  const before = await ids()
  assert.deepEqual(await ids(), before)
  // Same length, same time stamp: what a stat alone would miss.
  const file = join(made.folder, 'apps/web/svc.yaml')
  const past = new Date(Date.now() - 60_000)
  await utimes(file, past, past)
  await ids()
  await writeFile(file, 'kind: sERVICE\n')
  await utimes(file, past, past)
  const after = await ids()
  assert.notEqual(after[0], before[0])
  assert.notEqual(after[1], before[1])
  assert.equal(after[2], before[2])
  await writeFile(file, 'kind: Service\n')
  assert.deepEqual(await ids(), before)
  await repository.dispose()
  await made.dispose()
})

test('what was listed is what is read, though the file has moved on', { skip: missing ?? false }, async () => {
  const made = await scaffoldRepository()
  await made.write({ 'a.yaml': 'old\n' })
  const repository = await openRepository(made.folder, { git })
  const disk = await onDisk(repository)
  await disk.treeId('')
  await made.write({ 'a.yaml': 'new\n' })
  assert.equal(await text(disk, 'a.yaml'), 'old\n')
  assert.equal(await text(await onDisk(repository), 'a.yaml'), 'new\n')
  await repository.dispose()
  await made.dispose()
})

each(
  'no link of the working tree leads out, whatever way it takes',
  async ({ open }) => {
    const disk = await onDisk(await open())
    assert.equal(await text(disk, 'good/svc.yaml'), 'kind: Service\n')
    assert.equal(await text(disk, 'chain/svc.yaml'), 'kind: Service\n')
    assert.deepEqual(await paths(disk, 'chain'), ['chain/deploy.yaml', 'chain/svc.yaml'])
    for (const path of ['absolute', 'up/secret', 'twice', 'circle', 'config']) {
      await rejectsWith(disk.read(path), 'path-outside')
    }
    await rejectsWith(disk.read('dangling'), 'path-missing')
    // Tracked below a folder that was swapped for a link: gone, not what the link leads to.
    await rejectsWith(disk.read('swapped/secret'), 'path-outside')
    assert.equal((await paths(disk)).includes('swapped/secret'), false)
    await rejectsWith(disk.read('pipe'), 'path-missing')
    const folder = await disk.materialize(['good', 'up', 'dangling-folder'].slice(0, 1))
    await folder.dispose()
    await rejectsWith(disk.materialize(['up']), 'path-outside')
  },
  {
    prepare: async (made) => {
      await history(made)
      await mkdir(made.beside('outside'))
      await writeFile(join(made.beside('outside'), 'secret'), 'secret\n')
      await made.write({ 'swapped/secret': 'tracked\n' })
      await made.commit('Tracked')
      await rm(join(made.folder, 'swapped'), { recursive: true })
      await symlink(made.beside('outside'), join(made.folder, 'swapped'))
      await made.link('good', 'apps/web')
      await made.link('chain', './apps/../good')
      await made.link('absolute', join(made.beside('outside'), 'secret'))
      await made.link('up', '../outside')
      await made.link('twice', 'up/secret')
      await made.link('circle', 'circle')
      await made.link('config', '.git/config')
      await made.link('dangling', 'nowhere')
      await run('mkfifo', [join(made.folder, 'pipe')])
    },
  },
)

each(
  'a link that leaves and comes back is still a link that leaves',
  async ({ open }) => {
    const disk = await onDisk(await open())
    await rejectsWith(disk.read('back'), 'path-outside')
  },
  {
    prepare: async (made) => {
      await made.write({ 'a.yaml': 'a\n' })
      await made.link('back', '../repository/a.yaml')
    },
  },
)

each(
  'index versions 2 to 4 are read alike',
  async ({ made, open }) => {
    for (const folder of ['v2', 'v3', 'v4']) {
      const disk = await onDisk(await open(made.beside(folder)))
      const expected = await made.git('-C', made.beside(folder), 'ls-files', '--cached', '--others')
      assert.deepEqual([...(await paths(disk))].sort(), expected.split('\n').sort(), folder)
    }
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.write({ 'apps/webs/deploy.yaml': 'x\n', 'apps/web/deploy.yaml.bak': 'y\n' })
      await made.commit('More')
      for (const version of ['2', '3', '4']) {
        const folder = made.beside(`v${version}`)
        await made.git('clone', '--quiet', made.folder, folder)
        await made.git('-C', folder, 'update-index', '--index-version', version)
        if (version !== '3') continue
        await writeFile(join(folder, 'intended.yaml'), 'i\n')
        await made.git('-C', folder, 'add', '--intent-to-add', 'intended.yaml')
      }
    },
  },
)

test(
  'split and sparse indexes are read by git, and refused in words without it',
  { skip: missing ?? false },
  async () => {
    const made = await scaffoldRepository()
    await history(made)
    await made.git('update-index', '--split-index')
    const withGit = await openRepository(made.folder, { git })
    assert.equal((await paths(await onDisk(withGit))).length, 4)
    const without = await openRepository(made.folder, { git: undefined })
    await rejectsWith(onDisk(without), 'unsupported', /split/)
    await withGit.dispose()
    await made.dispose()
  },
)

each(
  'a submodule is named with its commit and not followed',
  async ({ made, open }) => {
    const repository = await open()
    const id = await made.git('rev-parse', 'HEAD:lib')
    for (const name of ['HEAD', 'WORKTREE']) {
      const checkout = await repository.checkout(await repository.resolve(name))
      assert.deepEqual(
        (await checkout.list('')).filter(({ kind }) => kind === 'submodule'),
        [{ path: 'lib', kind: 'submodule', id }],
      )
      await rejectsWith(checkout.read('lib'), 'path-missing', /submodule/)
      await rejectsWith(checkout.read('lib/inner.yaml'), 'path-missing')
      assert.equal(await checkout.treeId(''), await made.git('rev-parse', 'HEAD^{tree}'))
    }
    const inner = await open(join(made.folder, 'lib'))
    assert.equal(inner.layout.root, join(made.folder, 'lib'))
    assert.equal((await inner.resolve('HEAD')).sha, id)
  },
  {
    prepare: async (made) => {
      const library = await made.sibling('library')
      await library.write({ 'inner.yaml': 'i\n' })
      await library.commit('Inner')
      await made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.folder, 'lib')
      await made.commit('With a submodule')
    },
  },
)
