import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { makeRepository, type TourRepository } from '../../../cli/tour/repository.ts'
import { AgentError } from '../../../shared/agent/agent-error.ts'
import { METHODS, type SentSnapshot } from '../../../shared/agent/contract.ts'
import { connectCluster } from '../../../shared/kube/cluster.ts'
import { resourceKey } from '../../../shared/model/kubernetes.ts'
import { planWords } from '../../../shared/view/plan-rows.ts'
import { startTestAgent, type TestAgent } from '../../support/agent-client.ts'

const examples = path.resolve(import.meta.dirname, '../../../examples/tour')

type World = { readonly agent: TestAgent; readonly repository: TourRepository; readonly session: string }

async function openTour(t: TestContext): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-agent-tour-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const repository = await makeRepository(examples, folder)
  await writeFile(path.join(folder, 'shop', 'secret.yaml'), secret)
  const agent = await startTestAgent(t)
  await agent.untilRunning()
  const opened = await agent.client.ask(METHODS.open, { workspace: folder, context: 'embedded', trusted: [] })
  assert.equal(opened.isRepository, true)
  return { agent, repository, session: opened.session }
}

const secret = `apiVersion: v1
kind: Secret
metadata:
  name: shop
stringData:
  password: correct-horse
`

function latest(agent: TestAgent, name: string): SentSnapshot | undefined {
  return agent.events.findLast((event) => event.kind === 'snapshot' && event.snapshot.application.name === name) as
    | SentSnapshot
    | undefined
}

async function editByHand({ home }: TestAgent, manager: string, replicas: number): Promise<void> {
  const cluster = await connectCluster({
    kubeconfig: path.join(home, 'plumbline', 'embedded', 'kubeconfig'),
    watch: false,
  })
  try {
    await cluster.send(
      {
        method: 'PATCH',
        path: `/apis/apps/v1/namespaces/shop/deployments/shop?fieldManager=${manager}`,
        body: JSON.stringify({ spec: { replicas } }),
        contentType: 'application/merge-patch+json',
      },
      {},
    )
  } finally {
    await cluster.dispose()
  }
}

test('a subscriber sees the applications, a sync, a hand edit with its line, and the heal', async (t) => {
  const { agent, session } = await openTour(t)
  const { client } = agent
  const until: TestAgent['until'] = async (what, holds) => agent.until(what, holds)
  await client.ask(METHODS.subscribe, { session })
  await until('the first passes', () =>
    ['board', 'guestbook', 'shop'].every((name) => latest(agent, name) !== undefined),
  )
  const [first] = agent.events
  assert.ok(first?.kind === 'applications')
  assert.deepEqual(
    first.applications.map(({ name, file, context }) => [name, file, context]),
    [
      ['board', 'apps/board.yaml', 'embedded'],
      ['guestbook', 'apps/guestbook.yaml', 'embedded'],
      ['shop', 'apps/shop.yaml', 'embedded'],
    ],
  )
  assert.equal(latest(agent, 'shop')?.local, true)

  const shop = { session, application: 'shop' }
  const { plan } = await client.ask(METHODS.plan, { ...shop, prune: false })
  assert.ok(plan !== undefined)
  assert.match(planWords(plan), /^create \d+$/)
  const synced = await client.ask(METHODS.sync, { ...shop, prune: false })
  assert.equal(synced.outcome?.phase, 'Succeeded')
  assert.ok(agent.events.some((event) => event.kind === 'sync' && event.event.kind === 'step-ended'))
  await until('Synced', () => latest(agent, 'shop')?.snapshot.sync === 'Synced')

  await editByHand(agent, 'kubectl-edit', 4)
  await until('the drift', () => latest(agent, 'shop')?.snapshot.sync === 'OutOfSync')
  const drifted = latest(agent, 'shop')?.snapshot.resources.filter(({ drift }) => drift.state === 'changed') ?? []
  assert.deepEqual(
    drifted.flatMap(({ drift }) => drift.fields.map(({ path, place, blame }) => [path, place, blame?.manager])),
    [['/spec/replicas', { file: 'shop/deployment.yaml', line: 8, column: 3 }, 'kubectl-edit']],
  )
  const [sides] = await client.ask(METHODS.sides, shop)
  assert.match(sides?.live ?? '', /replicas: 4/)
  assert.match(sides?.desired ?? '', /replicas: 2/)

  const only = drifted.map(({ id }) => resourceKey(id))
  await client.ask(METHODS.sync, { ...shop, prune: false, only })
  await until('the heal', () => latest(agent, 'shop')?.snapshot.sync === 'Synced')
})

test('no value of a Secret crosses the wire (invariant 4)', async (t) => {
  const { agent, session } = await openTour(t)
  const shop = { session, application: 'shop' }
  const revision = 'WORKTREE'
  await agent.client.ask(METHODS.subscribe, { session })
  const answers: unknown[] = [await agent.client.ask(METHODS.sync, { ...shop, revision, prune: false })]
  await agent.until('a pass', () => latest(agent, 'shop') !== undefined)
  const id = { group: '', kind: 'Secret', namespace: 'shop', name: 'shop' }
  const live = await agent.client.ask(METHODS.live, { ...shop, id, version: 'v1' })
  assert.match(live, /password: \+{8}/)
  answers.push(live, await agent.client.ask(METHODS.sides, { ...shop, keys: [resourceKey(id)] }))
  for (const source of ['git', 'live'] as const)
    answers.push(await agent.client.ask(METHODS.manifests, { ...shop, source }))
  const told = JSON.stringify([answers, agent.events])
  assert.ok(!told.includes('correct-horse'))
  assert.ok(!told.includes(Buffer.from('correct-horse').toString('base64')))
})

test('a commit is seen without being asked for, and what it defines anew too', async (t) => {
  const { agent, repository, session } = await openTour(t)
  await agent.client.ask(METHODS.subscribe, { session })
  await agent.until('a pass', () => latest(agent, 'shop') !== undefined)
  const before = latest(agent, 'shop')?.snapshot.revision?.sha
  await repository.edit('shop/deployment.yaml', 'shop:1.27', 'shop:1.28', 'Move the shop to 1.28')
  await agent.until('the commit', () => latest(agent, 'shop')?.snapshot.revision?.sha !== before)
  assert.equal(latest(agent, 'shop')?.snapshot.revision?.subject, 'Move the shop to 1.28')
  await repository.remove('apps/board.yaml', 'Close the board')
  await agent.until('its absence', () => {
    const last = agent.events.findLast((event) => event.kind === 'applications')
    return last?.kind === 'applications' && last.applications.length === 2
  })
})

test('a request about no application names it', async (t) => {
  const { agent, session } = await openTour(t)
  await assert.rejects(
    agent.client.ask(METHODS.plan, { session, application: 'nobody', prune: false }),
    (error) => AgentError.is(error, 'no-application') && /no application nobody/.test(error.message),
  )
})
