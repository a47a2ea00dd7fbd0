import test from 'node:test'
import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FileReader } from '../../shared/git/file-reader.ts'
import { GitError } from '../../shared/git/git-error.ts'
import { objectId } from '../../shared/git/object-id.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import type { Scaffold } from '../support/scaffold-repository.ts'
import { each, missing } from './each-reader.ts'

/** Versions of one long file, so that packs hold chains of deltas. */
async function versions(made: Scaffold): Promise<void> {
  const lines = Array.from({ length: 400 }, (_, index) => `key-${index}: ${(index * 7919) % 1000}`)
  for (let version = 0; version < 25; version += 1) {
    lines[(version * 37) % 400] = `changed: ${version}`
    lines.splice((version * 53) % 300, 1)
    await made.write({ 'long.yaml': `${lines.join('\n')}\n`, [`small-${version}`]: '' })
    await made.commit(`Version ${version}`)
  }
  await made.write({ 'copy.bin': Buffer.alloc(200_000, 'abcdefgh') })
  await made.commit('Long copies')
}

async function packNames(made: Scaffold): Promise<readonly string[]> {
  return readdir(join(made.folder, '.git/objects/pack'))
}

for (const objectFormat of ['sha1', 'sha256'] as const) {
  each(
    `packs of every shape give the bytes that git gives, ${objectFormat}`,
    async ({ made, open }) => {
      const repository = await open()
      const all = await made.git('cat-file', '--batch-all-objects', '--batch-check')
      const deltas = await made.git('cat-file', '--batch-all-objects', '--batch-check=%(deltabase)')
      assert.ok(deltas.split('\n').filter((base) => !/^0+$/.test(base)).length > 15, 'there are deltas to read')
      for (const line of all.split('\n')) {
        const [id = '', type = '', size] = line.split(' ')
        const found = await repository.readObject(id)
        assert.deepEqual([found.type, found.bytes.length], [type, Number(size)])
        assert.equal(objectId(found.type, found.bytes, objectFormat), id)
      }
    },
    {
      objectFormat,
      prepare: async (made) => {
        await versions(made)
        await made.git('-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq', '--depth=20', '--window=30')
        // An index whose offsets are all of the long kind.
        const folder = join(made.folder, '.git/objects/pack')
        const pack = (await packNames(made)).find((name) => name.endsWith('.pack')) ?? ''
        await rename(join(folder, pack), made.beside('moved.pack'))
        for (const name of await packNames(made)) await rm(join(folder, name), { force: true })
        const idx = pack.replace(/pack$/, 'idx')
        await made.git('index-pack', '--index-version=2,0x40', '-o', join(folder, idx), made.beside('moved.pack'))
        await rename(made.beside('moved.pack'), join(folder, pack))
        // A second pack, with deltas by distance, beside loose objects.
        for (const round of ['a', 'b']) {
          await made.write({ 'long.yaml': `${await readFile(join(made.folder, 'long.yaml'), 'utf8')}${round}\n` })
          await made.commit(round)
          if (round === 'a') await made.git('repack', '-dq')
        }
      },
    },
  )
}

test(
  'a damaged pack or index is a clear error, quickly, whatever byte is wrong',
  { skip: missing ?? false },
  async () => {
    const made = await scaffoldRepository()
    await versions(made)
    await made.git('repack', '-adfq', '--depth=20')
    const ids = (await made.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)')).split('\n')
    const names = (await packNames(made)).filter((name) => /\.(?:pack|idx)$/.test(name))
    const source = join(made.folder, '.git/objects/pack')
    const originals = new Map<string, Buffer>()
    for (const name of names) originals.set(name, await readFile(join(source, name)))
    const pack = made.beside('damaged/objects/pack')
    await mkdir(pack, { recursive: true })
    let wrong = 0
    let slowest = 0
    for (let round = 0; round < 400; round += 1) {
      for (const [name, bytes] of originals) {
        const copy = Buffer.from(bytes)
        const target = round % 2 === 0 ? '.pack' : '.idx'
        // A fixed sequence that looks random, so that a failure comes back.
        for (let flip = 0; name.endsWith(target) && flip <= round % 3; flip += 1) {
          const at = Math.imul(round * 31 + flip, 2_654_435_761) >>> 0
          copy[at % copy.length] = (copy[at % copy.length] ?? 0) ^ (1 << (at % 8))
        }
        await writeFile(join(pack, name), name.endsWith(target) && round % 10 === 9 ? copy.subarray(0, -round) : copy)
        await chmod(join(pack, name), 0o644)
      }
      const reader = new FileReader(made.beside('damaged'), 'sha1')
      const began = performance.now()
      for (const id of ids) {
        try {
          const [found] = await reader.readMany([id], { maxBytes: 1_000_000 })
          if (found?.kind !== 'object' || objectId(found.type, found.bytes, 'sha1') !== id) wrong += 1
        } catch (error) {
          assert.ok(GitError.is(error), `round ${round}: ${String(error)}`)
          wrong += 1
        }
      }
      slowest = Math.max(slowest, performance.now() - began)
      await reader.dispose()
    }
    assert.ok(wrong > 0, 'some damage was met')
    assert.ok(slowest < 5000, `${slowest} ms for one damaged pack`)
    await made.dispose()
  },
)
