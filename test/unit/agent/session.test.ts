import assert from 'node:assert/strict'
import test from 'node:test'
import { AgentError } from '../../../shared/agent/agent-error.ts'
import { METHODS } from '../../../shared/agent/contract.ts'
import { resourceKey } from '../../../shared/model/kubernetes.ts'
import { planWords } from '../../../shared/view/plan-rows.ts'
import type { TestAgent } from '../../support/agent-client.ts'
import { editByHand, latest, openTour } from '../../support/agent-tour.ts'

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
