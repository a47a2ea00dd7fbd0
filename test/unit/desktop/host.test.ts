import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { specOf } from '../../../desktop/host/cluster-form.ts'
import { HostError } from '../../../desktop/host/host-error.ts'
import { PARAMS } from '../../../desktop/host/params.ts'
import { SettingsStore, settingsOf } from '../../../desktop/host/settings.ts'
import { readableFolder, WorkspaceStore } from '../../../desktop/host/workspaces.ts'
import type { HostMethod } from '../../../shared/view/host.ts'

function check(method: HostMethod, params: unknown, fits: boolean): void {
  assert.equal(PARAMS[method](params), fits, `${method} ${JSON.stringify(params)?.slice(0, 80)}`)
}

test('parameters are taken as they are typed, and nothing beside them', () => {
  check('hello', null, true)
  check('hello', {}, false)
  check('application/sync', { application: 'shop', prune: true }, true)
  check('application/sync', { application: 'shop', prune: true, only: ['a'], typedName: 'prod' }, true)
  check('application/sync', { application: 'shop' }, false)
  check('application/sync', { application: 'shop', prune: true, dryRun: false }, false)
  check('application/sync', { application: '', prune: true }, false)
  check('application/sync', JSON.parse('{"application":"shop","prune":true,"__proto__":{}}'), false)
  check('application/sync', [], false)
  check(
    'application/logs',
    { application: 'a', pod: { group: '', kind: 'Pod', namespace: 'n', name: 'p' }, tail: -1 },
    false,
  )
  check('workspace/open', {}, true)
  check('workspace/open', { folder: 'a\u0007b' }, false)
  check('clusters/act', { name: 'a', provider: 'kind', action: 'explode' }, false)
  check(
    'applications/save-views',
    { views: Array.from({ length: 101 }, () => ({ name: 'a', filter: '', sort: '', group: '' })) },
    false,
  )
  check('keys/add', { text: 'x'.repeat(900_001), name: '' }, false)
})

test('the answers of the form describe a cluster, or say what they do not mean', () => {
  assert.deepEqual(
    specOf('kind', {
      name: ' dev ',
      nodes: 3,
      version: '',
      ports: ['8080:30080', ' '],
      registryMirrors: ['docker.io=https://mirror.example'],
    }),
    {
      provider: 'kind',
      name: 'dev',
      nodes: 3,
      ports: [{ host: 8080, container: 30080, protocol: 'TCP' }],
      registryMirrors: [{ registry: 'docker.io', mirror: 'https://mirror.example' }],
    },
  )
  for (const [provider, answers] of [
    ['podman', {}],
    ['kind', { name: 'dev', ports: ['8080'] }],
    ['kind', { name: 'dev', registryMirrors: ['docker.io=ftp://x'] }],
  ] as const)
    assert.throws(
      () => specOf(provider, answers),
      (error) => HostError.is(error),
    )
})

test('settings outlive the program, and what does not fit is the default', async (t) => {
  const file = path.join(await folder(t), 'settings.json')
  const store = new SettingsStore(file)
  assert.equal(await store.set('notifications', false), true)
  assert.equal(await store.set('notifications', 'yes'), false)
  assert.equal(await store.set('__proto__', 'x'), false)
  assert.equal((await stat(file)).mode & 0o077, 0, "nobody else's business")
  assert.equal((await new SettingsStore(file).get()).notifications, false)
  assert.equal(settingsOf({ notifications: 1, tray: false }).notifications, true)
  assert.equal(settingsOf({ notifications: 1, tray: false }).tray, false)
  await writeFile(file, '{ broken')
  assert.equal((await new SettingsStore(file).get()).notifications, true)
  assert.equal((await new SettingsStore(file).get()).updateFeed, '', 'nobody looks for updates unasked')
})

test('folders are remembered, the last one first, each with its context', async (t) => {
  const file = path.join(await folder(t), 'workspaces.json')
  const store = new WorkspaceStore(file)
  await store.opened('/code/a')
  await store.choose('/code/a', 'kind-dev')
  await store.opened('/code/b')
  assert.deepEqual(
    (await store.recent('/code/a')).map(({ name, current }) => [name, current]),
    [
      ['b', false],
      ['a', true],
    ],
  )
  assert.equal((await new WorkspaceStore(file).find('/code/a'))?.context, 'kind-dev')
  assert.match(await readFile(file, 'utf8'), /code\/b/)
})

test('a folder that is none is refused in words', async (t) => {
  const real = await folder(t)
  assert.deepEqual(await readableFolder(real), { folder: real })
  for (const name of ['relative', `${real}/nothing`, import.meta.filename])
    assert.ok('problem' in (await readableFolder(name)), name)
})

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'plumbline-host-'))
  t.after(() => rm(made, { recursive: true, force: true }))
  return made
}
