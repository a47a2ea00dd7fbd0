import assert from 'node:assert/strict'
import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { DamagedDataError, openDataFolder } from '../../../../shared/simulator/storage/data-folder.ts'
import { FolderInUseError } from '../../../../shared/simulator/storage/folder-lock.ts'
import type { MemoryStore } from '../../../../shared/simulator/storage/memory-store.ts'

const configMaps = { group: '', resource: 'configmaps' }

async function folderOf(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'plumbline-data-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

function put(store: MemoryStore, name: string, value = '1'): void {
  store.put(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n' }, data: { value } })
}

function names(store: MemoryStore): (string | undefined)[] {
  return store.list(configMaps).map(({ metadata }) => metadata.name)
}

async function lastLog(path: string): Promise<string> {
  const logs = (await readdir(path)).filter((name) => name.startsWith('log-')).sort()
  return join(path, logs.at(-1) ?? '')
}

test('what was written is there after a restart, counter and identity included', async (t) => {
  const path = await folderOf(t)
  const first = await openDataFolder(path)
  put(first.store, 'a')
  put(first.store, 'b')
  put(first.store, 'a', '2')
  first.store.remove(configMaps, 'n', 'b')
  await first.close()
  const second = await openDataFolder(path)
  assert.deepEqual(names(second.store), ['a'])
  assert.deepEqual(second.store.get(configMaps, 'n', 'a')?.['data'], { value: '2' })
  assert.equal(second.store.resourceVersion, 4)
  assert.deepEqual(second.identity, first.identity)
  await second.close()
})

test('a line that a crash cut off is dropped, and what follows is kept', async (t) => {
  const path = await folderOf(t)
  const first = await openDataFolder(path)
  put(first.store, 'a')
  await first.close()
  await appendFile(await lastLog(path), '0a1b2c3d {"v":2,"g":"","r":"configm')
  const second = await openDataFolder(path)
  assert.deepEqual(names(second.store), ['a'])
  put(second.store, 'b')
  await second.close()
  const third = await openDataFolder(path)
  assert.deepEqual(names(third.store), ['a', 'b'])
  await third.close()
})

test('a first log that holds nothing but a torn line can be written on', async (t) => {
  const path = await folderOf(t)
  const first = await openDataFolder(path)
  await first.close()
  await appendFile(await lastLog(path), 'ffff')
  const second = await openDataFolder(path)
  put(second.store, 'a')
  await second.close()
  const third = await openDataFolder(path)
  assert.deepEqual(names(third.store), ['a'])
  await third.close()
})

test('damage before the last log is refused', async (t) => {
  const path = await folderOf(t)
  const first = await openDataFolder(path)
  put(first.store, 'a')
  await first.close()
  const log = await lastLog(path)
  const second = await openDataFolder(path)
  put(second.store, 'b')
  await second.close()
  await writeFile(log, '00000000 {"v":1}\n')
  await assert.rejects(openDataFolder(path), (error) => DamagedDataError.is(error))
})

test('a folder has one server at a time', async (t) => {
  const path = await folderOf(t)
  const first = await openDataFolder(path)
  await assert.rejects(openDataFolder(path), (error) => FolderInUseError.is(error) && error.pid === process.pid)
  await first.close()
  await (await openDataFolder(path)).close()
})

test('a lock that a dead process left is taken over', async (t) => {
  const path = await folderOf(t)
  await writeFile(join(path, 'lock'), '999999999')
  await (await openDataFolder(path)).close()
})

test('a long log is folded into a snapshot and the old files go', async (t) => {
  const path = await folderOf(t)
  const first = await openDataFolder(path)
  for (let i = 0; i < 40; i++) put(first.store, `c${i % 10}`, 'x'.repeat(500_000))
  await first.close()
  const files = await readdir(path)
  assert.ok(
    files.some((name) => name.startsWith('snapshot-')),
    files.join(' '),
  )
  const second = await openDataFolder(path)
  assert.equal(names(second.store).length, 10)
  assert.equal(second.store.resourceVersion, 40)
  await second.close()
})

test(
  'only the owner can read the folder',
  { skip: process.platform === 'win32' && 'no modes on Windows' },
  async (t) => {
    const path = join(await folderOf(t), 'data')
    const first = await openDataFolder(path)
    put(first.store, 'a')
    await first.close()
    assert.equal((await stat(path)).mode & 0o077, 0)
    for (const name of await readdir(path)) assert.equal((await stat(join(path, name))).mode & 0o077, 0, name)
  },
)
