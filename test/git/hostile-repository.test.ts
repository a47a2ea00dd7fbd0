import assert from 'node:assert/strict'
import test from 'node:test'
import { lstat, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isCancelled } from '../../shared/base/abort.ts'
import { openRepository } from '../../shared/git/repository.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import type { Scaffold } from '../support/scaffold-repository.ts'
import { each, git, history, missing, rejectsWith } from './each-reader.ts'

/** Writes a tree that no git would make, and a commit of it on a branch. */
async function plantTree(
  made: Scaffold,
  branch: string,
  entries: readonly (readonly [mode: string, name: string, id: string])[],
): Promise<void> {
  const lines = entries.map(([mode, name, id]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  )
  await writeFile(made.beside('tree'), Buffer.concat(lines))
  const tree = await made.git('hash-object', '-t', 'tree', '-w', '--literally', made.beside('tree'))
  await made.git('branch', branch, await made.git('commit-tree', '-m', 'Planted', tree))
}

const names = ['..', '.', '.git', '.GIT', 'git~1', '.git ', 'a/b', '', '.g\u200Cit'] as const

each(
  'a tree with a name that no honest git writes is corrupt, and nothing of it becomes a path',
  async ({ open }) => {
    const repository = await open()
    for (const [index, name] of names.entries()) {
      const checkout = await repository.checkout(await repository.resolve(`planted${index}`))
      await rejectsWith(checkout.list(''), 'corrupt')
      await rejectsWith(checkout.materialize(['']), 'corrupt')
      if (name !== '') await assert.rejects(checkout.read(name))
    }
    for (const branch of ['twice', 'mode', 'cut']) {
      const checkout = await repository.checkout(await repository.resolve(branch))
      await rejectsWith(checkout.list(''), 'corrupt')
    }
  },
  {
    prepare: async (made) => {
      await history(made)
      const blob = await made.git('rev-parse', 'main:README')
      for (const [index, name] of names.entries()) await plantTree(made, `planted${index}`, [['100644', name, blob]])
      await plantTree(made, 'twice', [
        ['100644', 'a', blob],
        ['40000', 'a', await made.git('rev-parse', 'main:apps')],
      ])
      await plantTree(made, 'mode', [['777777', 'a', blob]])
      await plantTree(made, 'cut', [['100644', 'a', blob.slice(0, 20)]])
    },
  },
)

each(
  'links in a commit are followed inside the repository and never out of it',
  async ({ open }) => {
    const repository = await open()
    const checkout = await repository.checkout(await repository.resolve('HEAD'))
    const read = async (path: string): Promise<string> => Buffer.from(await checkout.read(path)).toString()
    assert.equal(await read('current/svc.yaml'), 'kind: Service\n')
    assert.equal(await read('chain'), 'kind: Service\n')
    assert.deepEqual(
      (await checkout.list('current')).map(({ path }) => path),
      ['current/deploy.yaml', 'current/svc.yaml'],
    )
    for (const path of ['etc/passwd', 'up', 'loop-a', 'deep/out', 'gitdir/config']) {
      await rejectsWith(checkout.read(path), 'path-outside')
      await rejectsWith(checkout.materialize([path]), 'path-outside')
    }
    await rejectsWith(checkout.read('dangling'), 'path-missing')
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.link('current', 'apps/web')
      await made.link('chain', 'current/../web/svc.yaml')
      await made.link('etc', '/etc')
      await made.link('up', '../../x')
      await made.link('loop-a', 'loop-b')
      await made.link('loop-b', 'loop-a')
      await made.link('deep/step', '..')
      await made.link('deep/out', 'step/step2')
      await made.link('step2', '../outside')
      await made.link('gitdir', '.git')
      await made.link('dangling', 'nowhere')
      await made.commit('Links')
    },
  },
)

each(
  'the id of a folder follows what its links lead to',
  async ({ open }) => {
    const repository = await open()
    const ids: (string | undefined)[] = []
    for (const name of ['one', 'two', 'three']) {
      ids.push(await (await repository.checkout(await repository.resolve(name))).treeId('apps/env'))
    }
    assert.notEqual(ids[0], ids[1], 'the target changed')
    assert.equal(ids[1], ids[2], 'something else changed')
  },
  {
    prepare: async (made) => {
      await made.write({ 'shared/base/a.yaml': 'a: 1\n', other: '1' })
      await made.link('apps/env/base', '../../shared/base')
      await made.link('shared/base/self', '../../apps/env')
      await made.commit('One')
      await made.git('tag', 'one')
      await made.write({ 'shared/base/a.yaml': 'a: 2\n' })
      await made.commit('Two')
      await made.git('tag', 'two')
      await made.write({ other: '2' })
      await made.commit('Three')
      await made.git('tag', 'three')
    },
  },
)

each(
  'a materialized folder holds the files asked for, links made safe',
  async ({ open }) => {
    const repository = await open()
    for (const name of ['HEAD', 'WORKTREE']) {
      const checkout = await repository.checkout(await repository.resolve(name))
      const made = await checkout.materialize(['apps', 'run.sh'])
      const at = (path: string): string => join(made.folder, path)
      assert.equal(await readFile(at('apps/web/svc.yaml'), 'utf8'), 'kind: Service\n')
      assert.equal((await lstat(at('run.sh'))).mode & 0o111, 0o111)
      // A link to a file is the file, a link to a folder leads to a folder inside.
      assert.equal((await lstat(at('apps/copy.yaml'))).isFile(), true)
      assert.equal(await readFile(at('apps/copy.yaml'), 'utf8'), 'hi\n')
      assert.equal(await readlink(at('apps/base')), '../common/base')
      assert.equal(await readFile(at('apps/base/kustomization.yaml'), 'utf8'), 'resources: []\n')
      for (const absent of ['apps/out', 'apps/nowhere', 'README', 'other', 'apps/absolute']) {
        await assert.rejects(lstat(at(absent)), absent)
      }
      await made.dispose()
      await assert.rejects(lstat(made.folder))
      const whole = await checkout.materialize([''])
      assert.equal(await readFile(join(whole.folder, 'current/svc.yaml'), 'utf8'), 'kind: Service\n')
      await whole.dispose()
      const behind = await checkout.materialize(['current/svc.yaml', 'current'])
      assert.equal(await readFile(join(behind.folder, 'current/svc.yaml'), 'utf8'), 'kind: Service\n')
      await behind.dispose()
      await rejectsWith(checkout.materialize(['nope']), 'path-missing')
    }
  },
  {
    prepare: async (made) => {
      await history(made)
      await made.write({ 'run.sh': '#!/bin/sh\n' }, { executable: true })
      await made.write({ 'common/base/kustomization.yaml': 'resources: []\n', other: 'o' })
      await made.link('apps/copy.yaml', '../README')
      await made.link('apps/base', '../common/base')
      await made.link('common/base/round', '..')
      await made.link('apps/out', '../../outside')
      await made.link('apps/absolute', '/etc/hostname')
      await made.link('apps/nowhere', 'missing')
      await made.link('current', 'apps/web')
      await made.commit('Links')
    },
  },
)

each(
  'a file above the limit is named with its size and never read whole',
  async ({ open }) => {
    const repository = await open()
    for (const name of ['HEAD', 'WORKTREE']) {
      const checkout = await repository.checkout(await repository.resolve(name))
      await rejectsWith(checkout.read('big.yaml'), 'too-large', /big\.yaml.*11000000/)
      assert.equal((await checkout.read('ok.yaml')).length, 10_000_000)
    }
  },
  {
    prepare: async (made) => {
      await made.write({ 'big.yaml': Buffer.alloc(11_000_000), 'ok.yaml': Buffer.alloc(10_000_000) })
      await made.commit('Big')
    },
  },
)

each(
  'everything ends at once when its signal has fired',
  async ({ open }) => {
    const repository = await open()
    const checkout = await repository.checkout(await repository.resolve('HEAD'))
    const signal = AbortSignal.abort()
    await assert.rejects(repository.resolve('HEAD~1', { signal }), isCancelled)
    await assert.rejects(checkout.list('', { signal }), isCancelled)
    await assert.rejects(repository.checkout(await repository.resolve('WORKTREE'), { signal }), isCancelled)
    await assert.rejects(repository.log({ to: (await repository.resolve('HEAD')).sha }, { signal }), isCancelled)
    assert.equal((await checkout.list('')).length, 4, 'a cancelled call spoils nothing for the next')
  },
  { prepare: history },
)

test('a configuration that would run a program runs none', { skip: missing ?? false }, async () => {
  const made = await scaffoldRepository()
  await history(made)
  const trap = `touch ${made.beside('trapped')}`
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.editor',
    'core.askPass',
    'core.sshCommand',
    'diff.external',
  ]) {
    await made.git('config', key, trap)
  }
  await made.git('config', 'filter.evil.clean', trap)
  await made.git('config', 'filter.evil.smudge', trap)
  await made.write({ '.gitattributes': '* filter=evil diff=evil\n', 'new.yaml': 'x' })
  const repository = await openRepository(made.folder, { git })
  for (const name of ['HEAD', 'WORKTREE']) {
    const revision = await repository.resolve(name)
    const checkout = await repository.checkout(revision)
    await checkout.treeId('')
    await (await checkout.materialize([''])).dispose()
    await repository.log({ to: revision.sha })
  }
  await repository.dispose()
  await assert.rejects(lstat(made.beside('trapped')))
  await made.dispose()
})
