import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { METHODS } from '../../../shared/agent/contract.ts'
import { makeTourRepository, type TourRepository } from '../../../shared/session/tour-repository.ts'
import { startServer } from '../../../shared/simulator/server.ts'
import { startTestAgent, type TestAgent } from '../../support/agent-client.ts'
import { latest } from '../../support/agent-tour.ts'

const examples = path.resolve(import.meta.dirname, '../../../examples/tour')

type World = {
  readonly agent: TestAgent
  readonly repository: TourRepository
  readonly kubeconfig: string
  readonly session: string
  stopServer(): Promise<void>
  startServer(): Promise<void>
}

/** The tour on a server that is not the agent's own, so that it can be lost. */
async function openOnServer(t: TestContext): Promise<World> {
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-trouble-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const repository = await makeTourRepository(examples, path.join(home, 'gitops'))
  const dataDir = path.join(home, 'data')
  let server = await startServer({ dataDir, token: 'secret', controllers: true })
  const { port } = new URL(server.url)
  let running = true
  t.after(async () => (running ? server.close() : undefined))
  const kubeconfig = path.join(home, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const agent = await startTestAgent(t)
  await agent.untilRunning()
  const params = { workspace: repository.folder, context: '', kubeconfig, trusted: [] }
  const { session } = await agent.client.ask(METHODS.open, params)
  return {
    agent,
    repository,
    kubeconfig,
    session,
    stopServer: async () => {
      running = false
      await server.close()
    },
    startServer: async () => {
      server = await startServer({ dataDir, token: 'secret', controllers: true, port: Number(port) })
      running = true
    },
  }
}

async function syncedShop({ agent, session }: World): Promise<void> {
  await agent.client.ask(METHODS.subscribe, { session })
  await agent.client.ask(METHODS.sync, { session, application: 'shop', prune: false })
  await agent.until('Synced', () => latest(agent, 'shop')?.snapshot.sync === 'Synced')
}

/** What the views say of the shop when it cannot be compared. */
function trouble({ events }: TestAgent): string {
  const last = events.findLast(
    (event) =>
      (event.kind === 'failed' && event.application === 'shop') ||
      (event.kind === 'snapshot' && event.snapshot.application.name === 'shop'),
  )
  if (last?.kind === 'failed') return last.message
  return last?.kind === 'snapshot' ? (last.snapshot.failure?.message ?? '') : ''
}

test('a cluster that is lost is said to be, and seen again when it is back', async (t) => {
  const world = await openOnServer(t)
  const { agent } = world
  await syncedShop(world)
  await world.stopServer()
  await agent.until('the trouble', () => trouble(agent) !== '')
  assert.match(trouble(agent), /^embedded does not answer since .*; what is shown was true then$/)
  await world.startServer()
  await agent.until('the recovery', () => trouble(agent) === '' && latest(agent, 'shop')?.snapshot.sync === 'Synced')
})

test('a kubeconfig that cannot be read is said to be, and read when it can', async (t) => {
  const world = await openOnServer(t)
  const { agent, kubeconfig, session } = world
  const text = await readFile(kubeconfig, 'utf8')
  await writeFile(kubeconfig, `${text.slice(0, text.length / 2)}\n  - [`)
  await agent.client.ask(METHODS.subscribe, { session })
  await agent.until('the trouble', () => trouble(agent) !== '')
  assert.match(trouble(agent), /kubeconfig/)
  await writeFile(kubeconfig, text)
  await agent.until('the recovery', () => latest(agent, 'shop')?.snapshot.sync === 'OutOfSync')
})

test('another branch that is checked out is compared without being asked', async (t) => {
  const world = await openOnServer(t)
  const { agent, repository } = world
  const app = path.join('apps', 'shop.yaml')
  await repository.edit(app, 'targetRevision: main', 'targetRevision: HEAD', 'Follow what is checked out')
  await syncedShop(world)
  const git = path.join(repository.folder, '.git')
  await cp(path.join(git, 'refs', 'heads', 'main'), path.join(git, 'refs', 'heads', 'other'))
  await writeFile(path.join(git, 'HEAD'), 'ref: refs/heads/other\n')
  await repository.edit('shop/deployment.yaml', 'replicas: 2', 'replicas: 3', 'Three on the other branch')
  await agent.until(
    'the branch',
    () => latest(agent, 'shop')?.snapshot.revision?.subject === 'Three on the other branch',
  )
  assert.equal(latest(agent, 'shop')?.snapshot.sync, 'OutOfSync')
  await writeFile(path.join(git, 'HEAD'), 'ref: refs/heads/main\n')
  await agent.until('the way back', () => latest(agent, 'shop')?.snapshot.sync === 'Synced')
})

test('a history that is rewritten is followed', async (t) => {
  const world = await openOnServer(t)
  const { agent, repository } = world
  await syncedShop(world)
  const ref = path.join(repository.folder, '.git', 'refs', 'heads', 'main')
  const before = await readFile(ref, 'utf8')
  await repository.edit('shop/deployment.yaml', 'replicas: 2', 'replicas: 4', 'Too many')
  await agent.until('the commit', () => latest(agent, 'shop')?.snapshot.revision?.subject === 'Too many')
  await writeFile(ref, before)
  await agent.until('the commit before it', () => latest(agent, 'shop')?.snapshot.revision?.subject !== 'Too many')
  await agent.until('Synced', () => latest(agent, 'shop')?.snapshot.sync === 'Synced')
})

test('a repository that is deleted is said to be gone, and seen again when it is back', async (t) => {
  const world = await openOnServer(t)
  const { agent, repository } = world
  await syncedShop(world)
  const away = `${repository.folder}-away`
  await rename(repository.folder, away)
  await agent.until('the trouble', () => trouble(agent) !== '' || isEmpty(agent))
  await rename(away, repository.folder)
  await agent.until('the recovery', () => trouble(agent) === '' && !isEmpty(agent))
  await agent.until('Synced', () => latest(agent, 'shop')?.snapshot.sync === 'Synced')
})

function isEmpty({ events }: TestAgent): boolean {
  const last = events.findLast((event) => event.kind === 'applications')
  return last?.kind === 'applications' && last.applications.length === 0
}

test('an agent that is killed tells its next clients everything again', async (t) => {
  const world = await openOnServer(t)
  const { agent, repository, kubeconfig } = world
  await syncedShop(world)
  const state = agent.states.at(-1)
  assert.ok(state?.kind === 'running')
  process.kill(state.pid, 'SIGKILL')
  await agent.until('its end', () => agent.states.at(-1)?.kind === 'waiting')
  await agent.untilRunning()
  const told = agent.events.length
  const params = { workspace: repository.folder, context: '', kubeconfig, trusted: [] }
  const { session } = await agent.client.ask(METHODS.open, params)
  await agent.client.ask(METHODS.subscribe, { session })
  await agent.until('the shop', () =>
    agent.events
      .slice(told)
      .some(
        (event) =>
          event.kind === 'snapshot' && event.snapshot.application.name === 'shop' && event.snapshot.sync === 'Synced',
      ),
  )
})
