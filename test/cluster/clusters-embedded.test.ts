import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { AgentClient } from '../../shared/agent/client.ts'
import { CLUSTER_METHODS, INSTALL_METHODS } from '../../shared/agent/cluster-contract.ts'
import { METHODS } from '../../shared/agent/contract.ts'
import { openEmbedded } from '../../shared/clusters/embedded.ts'
import { ClustersError } from '../../shared/clusters/clusters-error.ts'
import type { ToldEvent } from '../../shared/clusters/cluster-operations.ts'
import { endProcesses, processesNaming } from '../../shared/clusters/process-identity.ts'
import { probeContext } from '../../shared/session/kube-contexts.ts'
import { clustersLab, kubeconfigText } from '../support/clusters-lab.ts'
import { plumbline } from '../support/line-cli.ts'
import { applicationFile, configMap } from '../support/line-workspace.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'

const REF = { provider: 'embedded', name: 'try' } as const

test('an embedded cluster runs by itself, keeps its port and what is in it, and is gone when it is deleted', async (t) => {
  const lab = clustersLab(t)
  const clusters = lab.open()
  const row = await clusters.create(REF)
  assert.deepEqual([row.state, row.simulated, row.owned, row.context], ['running', true, true, 'embedded-try'])
  lab.kubectl('--context', 'embedded-try', 'create', 'configmap', 'kept', '--from-literal=a=b')
  const before = kubeconfigText(lab)
  assert.equal((await clusters.stop(REF)).state, 'stopped')
  assert.equal((await probeContext('embedded-try', { env: lab.env })).state, 'unreachable')
  assert.equal((await clusters.start(REF)).state, 'running')
  assert.equal(kubeconfigText(lab), before)
  assert.equal(lab.kubectl('--context', 'embedded-try', 'get', 'configmap', 'kept', '-o', 'jsonpath={.data.a}'), 'b')
  assert.equal((await probeContext('embedded-try', { env: lab.env })).state, 'reachable')
  await clusters.delete(REF)
  assert.deepEqual(await processesNaming(path.join(lab.state, 'clusters', 'embedded')), [])
  assert.ok(!kubeconfigText(lab).includes('embedded-try'))
})

test('the embedded cluster of everyday is the one that sessions use, and one inside another process is not stopped', async (t) => {
  const lab = clustersLab(t)
  const clusters = lab.open()
  const everyday = { provider: 'embedded', name: 'embedded' } as const
  assert.equal((await clusters.find(everyday))?.state, 'stopped')
  const inside = await openEmbedded(path.join(lab.state, 'embedded'))
  const row = await clusters.find(everyday)
  assert.equal(row?.state, 'running')
  assert.match(row?.detail ?? '', /runs inside process \d+, and ends with it/)
  await assert.rejects(clusters.stop(everyday), (error) => ClustersError.is(error, 'busy'))
  await inside.dispose()
  assert.equal((await clusters.start(everyday)).state, 'running')
  const found = await openEmbedded(path.join(lab.state, 'embedded'))
  assert.equal(found.started, false, 'a session takes the one that runs')
  assert.equal((await clusters.stop(everyday)).state, 'stopped')
  await clusters.delete(everyday)
  assert.equal((await clusters.find(everyday))?.createdAt, undefined)
})

type Window = { readonly client: AgentClient; readonly told: ToldEvent[] }

/** A window with an agent of its own over one state. */
async function openWindow(t: TestContext, home: string): Promise<Window> {
  const told: ToldEvent[] = []
  const main = path.resolve(import.meta.dirname, '../../shared/agent/main.ts')
  const { promise, resolve } = Promise.withResolvers<void>()
  const env = { ...process.env, XDG_STATE_HOME: path.join(home, 'state'), KUBECONFIG: path.join(home, 'kubeconfig') }
  const client = new AgentClient({
    node: process.execPath,
    main,
    env,
    share: true,
    onState: (state) => (state.kind === 'running' ? resolve() : undefined),
    onEvent: () => undefined,
    onClusterEvent: (one) => told.push(one),
  })
  t.after(() => client.dispose())
  client.start()
  await promise
  return { client, told }
}

function homeOf(t: TestContext): string {
  const home = mkdtempSync(path.join(tmpdir(), 'plumbline-window-'))
  t.after(async () => {
    await endProcesses(await processesNaming(home), 2000)
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })
  return home
}

test('a window makes a cluster through its agent, and another window sees each step and may end it', async (t) => {
  const home = homeOf(t)
  const one = await openWindow(t, home)
  const other = await openWindow(t, home)
  await other.client.ask(CLUSTER_METHODS.watch, null)
  const row = await one.client.ask(CLUSTER_METHODS.create, { ...REF, setCurrent: true })
  assert.equal(row.state, 'running')
  await until(() => other.told.some(({ event }) => event.kind === 'ended'))
  assert.deepEqual(
    other.told.map(({ operation, event }) => `${operation} ${event.kind}`),
    ['create step', 'create step', 'create ended'],
  )
  assert.deepEqual(one.told, [], 'who does not watch is told nothing')
  assert.equal(await other.client.ask(CLUSTER_METHODS.cancel, REF), false)

  const rows = await one.client.ask(CLUSTER_METHODS.contextRows, {})
  assert.deepEqual(
    rows.map(({ name, current, clusterId }) => [name, current, clusterId]),
    [
      ['embedded', false, 'embedded/embedded'],
      ['embedded-try', true, 'embedded/try'],
    ],
  )
  assert.equal((await one.client.ask(CLUSTER_METHODS.probeContext, { context: 'embedded-try' })).state, 'reachable')
  const edit = await one.client.ask(CLUSTER_METHODS.setNamespace, { context: 'embedded-try', namespace: 'shop' })
  assert.match(readFileSync(path.join(home, 'kubeconfig'), 'utf8'), /namespace: shop/)
  await one.client.ask(CLUSTER_METHODS.undoEdit, { undo: edit.undo })
  assert.ok(!readFileSync(path.join(home, 'kubeconfig'), 'utf8').includes('shop'))
  await assert.rejects(one.client.ask(CLUSTER_METHODS.useContext, { context: 'none' }), {
    reason: 'failed',
    detail: 'not-found',
  })
  await assert.rejects(one.client.ask(CLUSTER_METHODS.create, REF), {
    detail: 'exists',
    message: /already\nchoose another name/,
  })
  const providers = await one.client.ask(CLUSTER_METHODS.providers, null)
  assert.deepEqual(
    providers.map(({ provider }) => provider),
    ['embedded', 'control-plane', 'kind', 'minikube'],
  )
  await one.client.ask(CLUSTER_METHODS.delete, REF)
  assert.ok(!(await one.client.ask(CLUSTER_METHODS.list, null)).some(({ id }) => id === 'embedded/try'))
})

test('a window installs the agent in its cluster after looking at what that would be, and takes it away again', async (t) => {
  const home = homeOf(t)
  const { client } = await openWindow(t, home)
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  await scaffold.write({ 'app.yaml': applicationFile({ name: 'shop' }), 'shop/a.yaml': configMap('a') })
  await scaffold.commit('Begin')
  await client.ask(CLUSTER_METHODS.create, REF)
  const { session } = await client.ask(METHODS.open, {
    workspace: scaffold.folder,
    context: 'embedded-try',
    trusted: [],
  })
  const wish = { session, image: 'plumbline-agent:test', pullPolicy: 'Never', replicas: 1, access: 'least' } as const
  const shown = await client.ask(INSTALL_METHODS.install, { ...wish, dryRun: true })
  assert.match(shown.yaml, /kind: ClusterRole\n/)
  assert.match(shown.warnings.join(), /a pod cannot reach/)
  assert.equal((await client.ask(INSTALL_METHODS.status, { session })).installed, false)
  await client.ask(INSTALL_METHODS.install, { ...wish, dryRun: false })
  const status = await client.ask(INSTALL_METHODS.status, { session })
  assert.deepEqual([status.installed, status.image, status.wanted], [true, 'plumbline-agent:test', 1])
  const deleted = await client.ask(INSTALL_METHODS.uninstall, { session, keepRecords: false })
  assert.ok(deleted.includes('Namespace plumbline'))
  await client.ask(CLUSTER_METHODS.delete, REF)
})

test('the command line tells a cluster’s life in every form', async (t) => {
  const home = homeOf(t)
  const env = { HOME: home, XDG_STATE_HOME: path.join(home, 'state'), KUBECONFIG: path.join(home, 'kubeconfig') }
  const run = async (...words: readonly string[]): Promise<Awaited<ReturnType<typeof plumbline>>> =>
    plumbline(words, { cwd: home, env })
  const created = await run('cluster', 'create', 'embedded/try', '-o', 'json')
  assert.equal(created.code, 0, created.stderr)
  assert.equal((JSON.parse(created.stdout) as { state: string }).state, 'running')
  assert.match(created.stderr, /✓ Starting the API server/)
  assert.equal((await run('cluster', 'list', '-o', 'name')).stdout, 'embedded/embedded\nembedded/try\n')
  assert.match((await run('cluster', 'list')).stdout, /^NAME +PROVIDER +STATE/)
  assert.equal((await run('cluster', 'stop', 'try')).code, 0)
  assert.equal((await run('cluster', 'start', 'try', '--provider', 'embedded')).code, 0)
  assert.equal((await run('context', 'namespace', 'embedded-try', 'shop')).code, 0)
  assert.match((await run('context', 'list', '--probe')).stdout, /embedded-try .* shop .* yes, \d+ ms +v1\.36/)
  const unasked = await run('cluster', 'delete', 'try')
  assert.deepEqual([unasked.code, /there is no terminal to ask on/.test(unasked.stderr)], [2, true])
  assert.equal((await run('cluster', 'delete', 'try', '--yes')).code, 0)
  const gone = await run('cluster', 'stop', 'try')
  assert.deepEqual(
    [gone.code, gone.stderr],
    [2, 'error: there is no cluster try\n       there are: embedded/embedded\n'],
  )
})

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!holds()) {
    if (Date.now() > end) throw new Error('waited too long')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
