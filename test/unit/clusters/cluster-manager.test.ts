import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { isCancelled, sleep } from '../../../shared/base/abort.ts'
import { ClusterManager } from '../../../shared/clusters/cluster-manager.ts'
import type { ToldEvent } from '../../../shared/clusters/cluster-operations.ts'
import { ClustersError } from '../../../shared/clusters/clusters-error.ts'
import type { FoundCluster, Provider } from '../../../shared/clusters/provider.ts'
import type { ClusterRow } from '../../../shared/model/cluster.ts'

/** A provider that keeps its clusters in a map, and does what a test tells it in between. */
class DoubleProvider implements Provider {
  readonly provider = 'kind'
  readonly clusters = new Map<string, FoundCluster['state']>()
  readonly calls: string[] = []
  during: (signal: AbortSignal | undefined) => Promise<void> = async () => undefined
  deleting: () => Promise<void> = async () => undefined
  listing: () => void = () => undefined

  async describe(): Promise<never> {
    throw new Error('not asked here')
  }

  async list(): Promise<readonly FoundCluster[]> {
    this.listing()
    return [...this.clusters].map(([name, state]) => this.#found(name, state))
  }

  async check(): Promise<void> {
    this.calls.push('check')
  }

  async create({ name }: { readonly name: string }, options: Parameters<Provider['create']>[1]): Promise<FoundCluster> {
    this.calls.push('create')
    this.clusters.set(name, 'stopped')
    options.onEvent({ kind: 'step', title: 'half', state: 'running' })
    await this.during(options.signal)
    this.clusters.set(name, 'running')
    return this.#found(name, 'running')
  }

  async start(name: string): Promise<FoundCluster> {
    this.clusters.set(name, 'running')
    return this.#found(name, 'running')
  }

  async stop(name: string): Promise<FoundCluster> {
    this.clusters.set(name, 'stopped')
    return this.#found(name, 'stopped')
  }

  async delete(name: string): Promise<void> {
    this.calls.push('delete')
    await this.deleting()
    this.clusters.delete(name)
  }

  #found(name: string, state: FoundCluster['state']): FoundCluster {
    return { name, state, context: `kind-${name}`, version: 'v1.36.2', nodes: 1, detail: '' }
  }
}

type Lab = {
  readonly manager: ClusterManager
  readonly provider: DoubleProvider
  readonly state: string
  readonly again: () => ClusterManager
}

function lab(t: TestContext): Lab {
  const state = mkdtempSync(path.join(tmpdir(), 'plumbline-clusters-'))
  t.after(() => rmSync(state, { recursive: true, force: true }))
  const provider = new DoubleProvider()
  const again = (): ClusterManager => new ClusterManager({ env: {}, state, cache: state }, [provider])
  return { manager: again(), provider, state, again }
}

const REF = { provider: 'kind', name: 'dev' } as const
const records = (state: string): readonly string[] => readdirSync(path.join(state, 'clusters', 'records'))

function short(row: ClusterRow | undefined): string {
  return row === undefined ? 'none' : `${row.state}${row.owned ? ', ours' : ''}: ${row.actions.join(' ')}`
}

test('a cluster is made, stopped, started and deleted, and is ours all the while', async (t) => {
  const { manager, state } = lab(t)
  assert.equal(short(await manager.create(REF)), 'running, ours: stop delete')
  assert.equal(short(await manager.stop(REF)), 'stopped, ours: start delete')
  assert.equal(short(await manager.start(REF)), 'running, ours: stop delete')
  await manager.delete(REF)
  assert.deepEqual(await manager.list(), [])
  assert.deepEqual(records(state), [])
})

test('a record is on the disk before anything is made', async (t) => {
  const { manager, provider, state } = lab(t)
  let seen = ''
  provider.during = async () => {
    seen = readFileSync(path.join(state, 'clusters', 'records', records(state)[0] ?? ''), 'utf8')
  }
  await manager.create(REF)
  assert.match(seen, /"phase":"creating"/)
})

test('a creation that fails leaves nothing, and says why', async (t) => {
  const { manager, provider, state } = lab(t)
  provider.during = async () => {
    throw new ClustersError('tool-failed', 'no room')
  }
  await assert.rejects(manager.create(REF), (error) => ClustersError.is(error, 'tool-failed'))
  assert.deepEqual(await manager.list(), [])
  assert.deepEqual(records(state), [])
})

test('a creation that fails and cannot be taken away shows as failed, and can be deleted later', async (t) => {
  const { manager, provider } = lab(t)
  provider.during = async () => Promise.reject(new ClustersError('tool-failed', 'no room'))
  provider.deleting = async () => Promise.reject(new ClustersError('engine-down', 'docker is gone'))
  await assert.rejects(manager.create(REF), (error) => ClustersError.is(error, 'tool-failed'))
  const [row] = await manager.list()
  assert.equal(short(row), 'failed, ours: create delete')
  assert.equal(row?.detail, 'its creation failed: no room')
  provider.deleting = async () => undefined
  await manager.delete(REF)
  assert.deepEqual(await manager.list(), [])
})

test('a cancelled creation ends at once, leaves nothing, and is no failure', async (t) => {
  const { manager, provider } = lab(t)
  provider.during = async (signal) => sleep(60_000, { signal })
  const abort = new AbortController()
  const byCaller = manager.create(REF, { signal: abort.signal, onEvent: () => abort.abort() })
  await assert.rejects(byCaller, isCancelled)
  const told: ToldEvent[] = []
  manager.listen((one) => {
    told.push(one)
    if (one.event.kind === 'step') assert.ok(manager.cancel(REF))
  })
  await assert.rejects(manager.create(REF), isCancelled)
  assert.equal(told.at(-1)?.event.kind, 'ended')
  assert.equal(manager.cancel(REF), false)
  assert.deepEqual(await manager.list(), [])
})

test('a creation that was cut off by a crash shows as failed to the next process, which can make it again', async (t) => {
  const { provider, state, again } = lab(t)
  await again().create(REF)
  provider.clusters.set('dev', 'stopped')
  const file = path.join(state, 'clusters', 'records', records(state)[0] ?? '')
  const record = JSON.parse(readFileSync(file, 'utf8')) as object
  // As a process that was killed leaves it: with the number of one that is gone.
  const dead = { pid: 2 ** 22 + 1, started: '1', run: 'another' }
  writeFileSync(file, JSON.stringify({ ...record, phase: 'creating', by: dead }))
  const manager = again()
  const [row] = await manager.list()
  assert.equal(short(row), 'failed, ours: create delete')
  assert.match(row?.detail ?? '', /cut off/)
  await assert.rejects(manager.start(REF), (error) => ClustersError.is(error, 'not-ready'))
  provider.calls.length = 0
  assert.equal((await manager.create(REF)).state, 'running')
  assert.deepEqual(provider.calls, ['check', 'delete', 'create'])
})

test('what another process works on is left alone, and shown as it is', async (t) => {
  const { manager, provider, state } = lab(t)
  await manager.create(REF)
  const file = path.join(state, 'clusters', 'records', records(state)[0] ?? '')
  const record = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(
    file,
    JSON.stringify({ ...record, phase: 'deleting', by: { pid: process.ppid, started: '', run: 'another' } }),
  )
  assert.equal(short((await manager.list())[0]), 'deleting, ours: cancel')
  await assert.rejects(manager.stop(REF), (error) => ClustersError.is(error, 'busy'))
  await assert.rejects(manager.create(REF), (error) => ClustersError.is(error, 'busy'))
  assert.equal(provider.clusters.get('dev'), 'running')
})

test('two at once on one cluster: one works, the other is told so', async (t) => {
  const { manager, provider, again } = lab(t)
  provider.during = async () => sleep(50)
  const both = await Promise.allSettled([manager.create(REF), manager.create(REF), again().create(REF)])
  assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const one of both)
    if (one.status === 'rejected') assert.ok(ClustersError.is(one.reason, 'busy'), String(one.reason))
})

test("somebody else's cluster is deleted only when its name is typed", async (t) => {
  const { manager, provider } = lab(t)
  provider.clusters.set('theirs', 'running')
  const ref = { provider: 'kind', name: 'theirs' } as const
  assert.equal(short(await manager.find(ref)), 'running: stop delete')
  for (const confirmName of [undefined, '', 'their', 'kind/theirs']) {
    await assert.rejects(manager.delete(ref, { confirmName }), (error) => ClustersError.is(error, 'not-owned'))
  }
  assert.ok(provider.clusters.has('theirs'))
  await manager.delete(ref, { confirmName: 'theirs' })
  assert.ok(!provider.clusters.has('theirs'))
})

test('an engine that is down makes its clusters unknown, and hides nobody', async (t) => {
  const { manager, provider } = lab(t)
  await manager.create(REF)
  provider.listing = () => {
    throw new ClustersError('engine-down', 'docker does not run', 'start it')
  }
  const [row] = await manager.list()
  assert.equal(row?.state, 'unknown')
  assert.equal(row?.detail, 'docker does not run: start it')
})

test('a name that is taken or impossible is refused before anything is made', async (t) => {
  const { manager, provider } = lab(t)
  await manager.create(REF)
  await assert.rejects(manager.create(REF), (error) => ClustersError.is(error, 'exists'))
  for (const name of ['', 'Dev', '-a', 'a-', '../up', 'a/b', 'x'.repeat(41), '--help', 'a b']) {
    await assert.rejects(manager.create({ provider: 'kind', name }), (error) => ClustersError.is(error, 'name'), name)
  }
  assert.deepEqual([...provider.clusters.keys()], ['dev'])
})

test('a record that was cut off in the middle owns nothing and stops nothing', async (t) => {
  const { manager, state } = lab(t)
  await manager.create(REF)
  writeFileSync(path.join(state, 'clusters', 'records', 'kind--torn.json'), '{"ref":{"provider":"ki')
  assert.deepEqual(
    (await manager.list()).map(({ id }) => id),
    ['kind/dev'],
  )
})
