import assert from 'node:assert/strict'
import test from 'node:test'
import { AgentError } from '../../../shared/agent/agent-error.ts'
import { METHODS } from '../../../shared/agent/contract.ts'
import { faultOf } from '../../../shared/agent/rehearsal-methods.ts'
import { openTour } from '../../support/agent-tour.ts'

test('a rehearsal tells its steps while it runs, is kept, and allows the sync that it was of', async (t) => {
  const { agent, session } = await openTour(t)
  const shop = { session, application: 'shop', prune: false }
  const sync = { ...shop, requireRehearsal: true }
  const asked = { ...shop, ticket: 'first', on: 'embedded', inject: [] }
  await assert.rejects(
    agent.client.ask(METHODS.sync, sync),
    (error) => AgentError.is(error, 'failed') && error.detail === 'not-rehearsed',
  )
  const shown = await agent.client.ask(METHODS.rehearse, asked)
  assert.equal(shown.passed, true, shown.summary)
  assert.match(shown.summary, /^would succeed: create \d+/)
  assert.ok(shown.timeline.steps.length > 0 && shown.timeline.health.length > 0)
  const told = agent.rehearsals.filter(({ ticket }) => ticket === 'first').map(({ event }) => event.kind)
  for (const kind of ['filling', 'filled', 'running', 'step', 'health'] as const) assert.ok(told.includes(kind), kind)
  const [kept] = await agent.client.ask(METHODS.rehearsals, { application: 'shop' })
  assert.equal(kept?.id, shown.id)
  const whole = await agent.client.ask(METHODS.rehearsal, { id: shown.id })
  assert.equal(whole?.plan, shown.planHash)
  assert.equal(await agent.client.ask(METHODS.rehearsal, { id: 'none' }), null)
  assert.equal((await agent.client.ask(METHODS.sync, sync)).outcome?.phase, 'Succeeded')
})

test('what a person asks to break breaks', async (t) => {
  const { agent, session } = await openTour(t)
  const inject = [{ kind: 'image-pull', on: '*' }] as const
  const asked = { session, application: 'shop', prune: false, ticket: 'broken', on: 'embedded', inject }
  const shown = await agent.client.ask(METHODS.rehearse, asked)
  assert.equal(shown.passed, false)
  assert.match(shown.summary, /^would fail: /)
})

test('each injection has its fault', () => {
  assert.deepEqual(
    (['image-pull', 'hook-fails', 'quota', 'webhook-down'] as const).map((kind) => faultOf({ kind, on: 'x' })),
    [
      { kind: 'image', pattern: 'x' },
      { kind: 'hook', name: 'x' },
      { kind: 'quota', namespace: 'x' },
      { kind: 'webhook', pattern: 'x' },
    ],
  )
  assert.deepEqual(faultOf({ kind: 'image-pull', on: '' }), { kind: 'image', pattern: '*' })
})
