import test from 'node:test'
import assert from 'node:assert/strict'
import { appendFile, chmod, copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openRepository } from '../../shared/git/repository.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import { each, git, history, missing, rejectsWith } from './each-reader.ts'

each(
  'linked worktrees, detached heads, alternates, bare clones and folders inside all open',
  async ({ made, open }) => {
    const head = await made.git('rev-parse', 'main')
    const linked = await open(made.beside('linked/apps'))
    assert.equal(linked.layout.root, made.beside('linked'))
    assert.equal((await linked.resolve('HEAD')).sha, await made.git('rev-parse', 'v1^{commit}'))
    assert.equal(await linked.currentBranch(), undefined)
    assert.equal((await linked.resolve('main')).sha, head)
    assert.equal((await (await linked.checkout(await linked.resolve('WORKTREE'))).list('')).length, 3)
    for (const folder of ['bare.git', 'shared']) {
      const repository = await open(made.beside(folder))
      const checkout = await repository.checkout(await repository.resolve('main'))
      assert.equal((await checkout.list('')).length, 4, folder)
    }
    const bare = await open(made.beside('bare.git'))
    await rejectsWith(bare.resolve('WORKTREE'), 'unknown-revision', /bare/)
    const shared = await open(made.beside('shared'))
    assert.equal((await shared.resolve('origin/feature/x')).sha, await made.git('rev-parse', 'feature/x'))
    assert.equal((await shared.resolve('feature/x')).sha, await made.git('rev-parse', 'feature/x'))
    assert.equal((await shared.resolve('origin')).sha, head)
    assert.deepEqual(await shared.remotes(), [{ name: 'origin', urls: [made.folder] }])
    const inside = await open(join(made.folder, '.git'))
    assert.equal(inside.layout.root, made.folder)
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.git('worktree', 'add', '--quiet', '--detach', made.beside('linked'), 'v1')
      await made.git('clone', '--quiet', '--bare', made.folder, made.beside('bare.git'))
      await made.git('clone', '--quiet', '--shared', made.folder, made.beside('shared'))
    },
  },
)

each(
  'a repository without commits says so, and its working tree can be read',
  async ({ open }) => {
    const repository = await open()
    await rejectsWith(repository.resolve('HEAD'), 'unknown-revision', /no commit yet/)
    await rejectsWith(repository.resolve('main'), 'unknown-revision')
    const revision = await repository.resolve('WORKTREE')
    assert.deepEqual([revision.sha, revision.kind], ['', 'worktree'])
    const checkout = await repository.checkout(revision)
    assert.deepEqual(
      (await checkout.list('')).map(({ path }) => path),
      ['new.yaml'],
    )
  },
  { prepare: (made) => made.write({ 'new.yaml': 'a: 1\n' }) },
)

each(
  'a SHA-256 repository reads like any other',
  async ({ made, open }) => {
    const repository = await open()
    assert.equal((await repository.resolve('v1')).sha, await made.git('rev-parse', 'v1^{commit}'))
    const checkout = await repository.checkout(await repository.resolve('HEAD'))
    assert.equal(await checkout.treeId('apps'), await made.git('rev-parse', 'HEAD:apps'))
    const disk = await repository.checkout(await repository.resolve('WORKTREE'))
    assert.equal(await disk.treeId(''), await made.git('rev-parse', 'HEAD^{tree}'))
    assert.equal((await checkout.read('README')).length, 3)
  },
  { prepare: history, objectFormat: 'sha256' },
)

each(
  'a shallow clone ends where it was cut, and says so',
  async ({ made, open }) => {
    const repository = await open(made.beside('shallow'))
    const { sha } = await repository.resolve('HEAD')
    assert.deepEqual(await repository.log({ to: sha }), [sha])
    await rejectsWith(repository.resolve('HEAD~1'), 'unknown-revision', /shallow/)
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.git('clone', '--quiet', '--depth=1', `file://${made.folder}`, made.beside('shallow'))
    },
  },
)

each(
  'a partial clone is read as far as it goes, and never fetched into',
  async ({ made, open }) => {
    const repository = await open(made.beside('partial'))
    const checkout = await repository.checkout(await repository.resolve('HEAD'))
    assert.equal((await checkout.list('')).length, 4)
    await rejectsWith(checkout.read('README'), 'missing-object', /partial clone/)
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.git('config', 'uploadpack.allowFilter', 'true')
      await made.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
      const flags = ['--quiet', '--filter=blob:none', '--no-checkout']
      await made.git('clone', ...flags, `file://${made.folder}`, made.beside('partial'))
    },
  },
)

each(
  'a replaced object is read as its id says, not as refs/replace says',
  async ({ open }) => {
    const repository = await open()
    const checkout = await repository.checkout(await repository.resolve('main'))
    assert.equal(Buffer.from(await checkout.read('README')).toString(), 'hi\n')
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.write({ other: 'replaced\n' })
      const other = await made.git('hash-object', '-w', 'other')
      await made.git('replace', await made.git('rev-parse', 'main:README'), other)
    },
  },
)

each(
  'a damaged object is corrupt, not silently something else',
  async ({ open }) => {
    const repository = await open()
    const checkout = await repository.checkout(await repository.resolve('main'))
    await rejectsWith(checkout.read('README'), 'corrupt')
  },
  {
    prepare: async (made) => {
      await history(made)
      const id = await made.git('rev-parse', 'main:README')
      const other = await made.git('rev-parse', 'main:apps/web/svc.yaml')
      const objects = join(made.folder, '.git', 'objects')
      const place = (sha: string): string => join(objects, sha.slice(0, 2), sha.slice(2))
      await chmod(place(id), 0o644)
      await copyFile(place(other), place(id))
    },
  },
)

test('what is no repository is told so', { skip: missing ?? false }, async () => {
  const made = await scaffoldRepository()
  await mkdir(made.beside('plain'))
  await rejectsWith(openRepository(made.beside('plain'), { git }), 'not-a-repository')
  await rejectsWith(openRepository(made.beside('absent'), { git }), 'not-a-repository', /does not exist/)
  await writeFile(join(made.beside('plain'), '.git'), 'gitdir: ../nowhere\n')
  await rejectsWith(openRepository(made.beside('plain'), { git }), 'not-a-repository', /nowhere/)
  await appendFile(join(made.folder, '.git', 'config'), '[extensions]\n\trefStorage = reftable\n')
  await rejectsWith(openRepository(made.folder, { git }), 'unsupported', /reftable/)
  await made.dispose()
})
