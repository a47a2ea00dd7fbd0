import assert from 'node:assert/strict'
import test from 'node:test'
import { hostEventOf, hostFailureOf, panelAnswers, type PanelPort } from '../../../shared/agent/panel-answers.ts'
import { openHostChannel } from '../../../shared/view/host-channel.ts'
import type { FromHost } from '../../../shared/view/host.ts'
import { latest, openTour, type TourWorld } from '../../support/agent-tour.ts'
import { METHODS } from '../../../shared/agent/contract.ts'

type Page = {
  /** Asks as a page does. @returns the answer, and whether it was one */
  ask(method: string, params: unknown): Promise<{ readonly ok: boolean; readonly value: unknown }>
  /** Asks for what goes on until it is cancelled. @returns its first part */
  firstPart(method: string, params: unknown): Promise<unknown>
  readonly told: readonly FromHost[]
}

/** A panel's page over the real agent, without the page. */
function openPage({ agent, session }: TourWorld, production: boolean): Page {
  const watched = new Set<string>()
  const told: FromHost[] = []
  const waiting = new Map<number, (message: FromHost) => void>()
  const port: PanelPort = {
    ask: agent.client.ask.bind(agent.client),
    abilities: { front: 'vscode', openFiles: true, editFiles: true, pickFolders: true, version: '0' },
    session: () => session,
    contextOf: () => 'embedded',
    isProduction: () => production,
    lastSnapshot: (application) => latest(agent, application),
  }
  const post = (text: string): void => {
    const message = JSON.parse(text) as FromHost
    told.push(message)
    if ('id' in message) waiting.get(message.id)?.(message)
  }
  const channel = openHostChannel(panelAnswers(port, watched), post, hostFailureOf)
  let count = 0
  const send = async (method: string, params: unknown): Promise<FromHost> => {
    count += 1
    const id = count
    const { promise, resolve } = Promise.withResolvers<FromHost>()
    waiting.set(id, resolve)
    channel.receive(JSON.stringify({ kind: 'request', id, method, params }))
    return promise
  }
  return {
    told,
    ask: async (method, params) => {
      const message = await send(method, params)
      return message.kind === 'result'
        ? { ok: true, value: message.result }
        : { ok: false, value: message.kind === 'failure' ? message.failure.reason : message }
    },
    firstPart: async (method, params) => {
      const message = await send(method, params)
      channel.receive(JSON.stringify({ kind: 'cancel', id: count }))
      return message.kind === 'part' ? message.part : message
    },
  }
}

test('a panel watches, plans, syncs, reads the history and follows events', async (t) => {
  const world = await openTour(t)
  await world.agent.client.ask(METHODS.subscribe, { session: world.session })
  await world.agent.until('a pass', () => latest(world.agent, 'shop') !== undefined)
  const page = openPage(world, false)
  const shop = { application: 'shop' }
  const seen = await page.ask('application/watch', shop)
  assert.equal((seen.value as { readonly snapshot: { readonly sync: string } }).snapshot.sync, 'OutOfSync')
  const planned = await page.ask('application/plan', { ...shop, prune: false })
  assert.equal((planned.value as { readonly production: boolean }).production, false)
  const synced = await page.ask('application/sync', { ...shop, prune: false })
  assert.equal((synced.value as { readonly phase: string }).phase, 'Succeeded')
  const history = await page.ask('application/history', shop)
  assert.equal((history.value as readonly { readonly subject: string }[])[0]?.subject, 'Put up a notice board')
  const events = await page.firstPart('application/events', shop)
  assert.ok(Array.isArray(events))
  assert.deepEqual(await page.ask('open/place', {}), { ok: false, value: 'unsupported' })
})

test('nothing is written to a production context before its name is typed', async (t) => {
  const world = await openTour(t)
  const page = openPage(world, true)
  const shop = { application: 'shop', prune: false }
  assert.deepEqual(await page.ask('application/sync', shop), { ok: false, value: 'production' })
  assert.deepEqual(await page.ask('application/sync', { ...shop, typedName: 'embeded' }), {
    ok: false,
    value: 'production',
  })
  const id = { group: '', kind: 'Service', namespace: 'shop', name: 'shop' }
  assert.deepEqual(await page.ask('resource/delete', { application: 'shop', id, version: 'v1', uid: '' }), {
    ok: false,
    value: 'production',
  })
  assert.deepEqual(await page.ask('application/rollback', { ...shop, id: 0, dryRun: false }), {
    ok: false,
    value: 'production',
  })
  const done = await page.ask('application/sync', { ...shop, typedName: 'embedded' })
  assert.equal((done.value as { readonly phase: string }).phase, 'Succeeded')
})

test('a panel is told of what it watches, and of nothing else', () => {
  const event = { kind: 'failed', application: 'shop', message: 'gone' } as const
  assert.deepEqual(hostEventOf(event, new Set(['shop'])), event)
  assert.equal(hostEventOf(event, new Set(['board'])), undefined)
})
