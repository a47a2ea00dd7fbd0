import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { plumbline } from '../support/line-cli.ts'
import { applicationFile, configMap, workspace } from '../support/line-workspace.ts'

test('on a context that is production nothing is deleted before its name is typed', async (t) => {
  const { scaffold, server } = await workspace(t, {
    'app.yaml': applicationFile({ name: 'shop' }),
    'shop/a.yaml': configMap('a'),
    'shop/b.yaml': configMap('b'),
  })
  const home = mkdtempSync(path.join(tmpdir(), 'plumbline-production-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const kubeconfig = path.join(home, 'kubeconfig')
  copyFileSync(server.kubeconfig, kubeconfig)
  const env = { XDG_STATE_HOME: path.join(home, 'state'), KUBECONFIG: kubeconfig }
  const run = async (...words: readonly string[]): Promise<Awaited<ReturnType<typeof plumbline>>> =>
    plumbline(words, { cwd: scaffold.folder, env })
  const renamed = await run('context', 'rename', 'embedded', 'eu')
  assert.equal(renamed.code, 0, renamed.stderr)
  const inEu = ['--context', 'eu'] as const
  assert.equal((await run('app', 'sync', 'shop', '--prune', ...inEu)).code, 0, 'not marked yet')
  assert.equal((await run('context', 'production', 'eu')).code, 0)
  await scaffold.remove('shop/b.yaml')
  await scaffold.commit('Drop b')

  assert.equal((await run('app', 'sync', 'shop', ...inEu)).code, 0, 'a sync that deletes nothing needs no name')
  for (const words of [
    ['app', 'sync', 'shop', '--prune'],
    ['app', 'delete', 'shop', '--yes'],
    ['app', 'rollback', 'shop', '--prune'],
  ]) {
    const refused = await run(...words, ...inEu)
    assert.deepEqual(
      [refused.code, refused.stderr.split('\n').slice(-3, -1)],
      [2, ['error: eu is a production context', '       say --confirm-context eu']],
      refused.stderr,
    )
  }
  const wrong = await run('app', 'delete', 'shop', '--yes', ...inEu, '--confirm-context', 'us')
  assert.match(wrong.stderr, /eu is a production context, and "us" is not its name/)
  const pruned = await run('app', 'sync', 'shop', '--prune', ...inEu, '--confirm-context', 'eu')
  assert.equal(pruned.code, 0, pruned.stderr)
  assert.match(pruned.stderr, /shop\/b pruned/)
})
