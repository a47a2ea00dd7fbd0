import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test, { type TestContext } from 'node:test'
import { METHODS, sessionEvent } from '../../shared/agent/contract.ts'
import { connectWire } from '../../shared/agent/wire.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'
import type { StartedServer } from '../support/test-servers.ts'

const MAIN = path.resolve(import.meta.dirname, '../../shared/agent/main.ts')
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/plumbline/leases/agent'
/** What the lease says of itself, and one look of whoever waits for it. */
const LEASE_MS = 15_000
const LOOK_MS = 2500

for (const server of syncServers) {
  test(`two agents on ${server.name}: one acts, the other watches and takes over when the first is killed`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const lab = await openLab(t, running, 'agents')
    const automated = { automated: { selfHeal: true, prune: true }, syncOptions: ['CreateNamespace=true'] }
    await lab.commit([configMap('a', { v: '1' })], { syncPolicy: automated })

    const one = await startAgent(t, lab, running)
    await until('the first sync', async () => (await valueOf(lab)) === '1')
    await until('its end to be told', async () => one.syncs() > 0)
    assert.equal(await holderOf(lab), one.child.pid)

    const two = await startAgent(t, lab, running)
    await until('two to tell of its first look', async () => two.told() > 1)
    await edit(lab)
    await until('the edit to be healed', async () => (await valueOf(lab)) === '1')
    assert.equal(await holderOf(lab), one.child.pid)
    assert.equal(two.syncs(), 0, 'who watches syncs nothing')

    const killed = Date.now()
    one.child.kill('SIGKILL')
    await until('two to hold the lease', async () => (await holderOf(lab)) === two.child.pid)
    const tookMs = Date.now() - killed
    t.diagnostic(`taken over after ${tookMs} ms`)
    assert.ok(tookMs <= LEASE_MS + LOOK_MS, `${tookMs} ms`)

    await lab.commit([configMap('a', { v: '2' })], { syncPolicy: automated })
    await until('two to sync the new commit', async () => (await valueOf(lab)) === '2')
    const { history } = (await lab.look()).snapshot
    assert.deepEqual(
      history.map(({ automated: byItself }) => byItself),
      [true, true],
    )
  })
}

type Agent = { readonly child: ChildProcess; readonly told: () => number; readonly syncs: () => number }

/** The agent's own process, as a front starts it, watching the lab's repository. */
async function startAgent(t: TestContext, lab: Lab, { kubeconfig, context }: StartedServer): Promise<Agent> {
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-agent-'))
  const env = { PATH: process.env['PATH'], HOME: home, XDG_STATE_HOME: home }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })
  const connection = connectWire(child.stdout, child.stdin)
  const kinds: string[] = []
  connection.onNotification(sessionEvent, ({ event }) => {
    kinds.push(event.kind === 'sync' ? event.event.kind : event.kind)
  })
  connection.listen()
  const opened = await connection.sendRequest(METHODS.open, {
    workspace: lab.scaffold.folder,
    context,
    kubeconfig,
    trusted: [],
  })
  await connection.sendRequest(METHODS.subscribe, { session: opened.session })
  return { child, told: () => kinds.length, syncs: () => kinds.filter((kind) => kind === 'ended').length }
}

async function valueOf(lab: Lab): Promise<string | undefined> {
  const found = await lab.http.send('GET', `/api/v1/namespaces/${lab.name}/configmaps/a`)
  return (found as { readonly data: { readonly v: string } } | undefined)?.data.v
}

async function edit(lab: Lab): Promise<void> {
  const place = `/api/v1/namespaces/${lab.name}/configmaps/a?fieldManager=hand`
  await lab.http.send('PATCH', place, { data: { v: 'hand' } }, 'application/merge-patch+json')
}

/** The process that holds the lease; its name is `host_pid_run`. */
async function holderOf(lab: Lab): Promise<number | undefined> {
  const lease = (await lab.http.send('GET', LEASE)) as
    | { readonly spec: { readonly holderIdentity: string } }
    | undefined
  return lease === undefined ? undefined : Number(lease.spec.holderIdentity.split('_').at(-2))
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited too long for ${what}`)
    await setTimeout(100)
  }
}
