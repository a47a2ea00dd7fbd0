import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { AgentError } from '../../../shared/agent/agent-error.ts'
import { METHODS } from '../../../shared/agent/contract.ts'
import type { ApplicationForm } from '../../../shared/agent/application-contract.ts'
import { resourceKey } from '../../../shared/model/kubernetes.ts'
import { latest, openTour, type TourWorld } from '../../support/agent-tour.ts'

async function synced(world: TourWorld): Promise<{ readonly session: string; readonly application: string }> {
  const { agent, session } = world
  const shop = { session, application: 'shop' }
  await agent.client.ask(METHODS.subscribe, { session })
  await agent.client.ask(METHODS.sync, { ...shop, prune: false })
  await agent.until('Synced', () => latest(agent, 'shop')?.snapshot.sync === 'Synced')
  return shop
}

test('the history tells commits, and a rollback goes back to one of them and says so', async (t) => {
  const world = await openTour(t)
  const { agent, repository } = world
  const shop = await synced(world)
  await repository.edit('shop/deployment.yaml', 'shop:1.27', 'shop:1.28', 'Move the shop to 1.28')
  await agent.client.ask(METHODS.sync, { ...shop, prune: false })
  const history = await agent.client.ask(METHODS.history, shop)
  assert.deepEqual(
    history.map(({ subject, author, verdict }) => [subject, author, verdict?.verdict]),
    [
      ['Move the shop to 1.28', 'Grace', 'unsigned'],
      ['Put up a notice board', 'Grace', 'unsigned'],
    ],
  )
  const first = history[1]?.entry.id ?? -1
  const planned = await agent.client.ask(METHODS.rollback, { ...shop, id: first, prune: false, dryRun: true })
  assert.deepEqual(
    planned.plan?.steps.filter(({ action }) => action !== 'none').map(({ id, action }) => [id.kind, action]),
    [['Deployment', 'update']],
  )
  const done = await agent.client.ask(METHODS.rollback, { ...shop, id: first, prune: false, dryRun: false })
  assert.equal(done.outcome?.phase, 'Succeeded')
  assert.equal(done.entry.id, first)
  // The cluster is behind Git now, and nobody hides it.
  await agent.until('the drift', () => latest(agent, 'shop')?.snapshot.sync === 'OutOfSync')
  await assert.rejects(
    agent.client.ask(METHODS.rollback, { ...shop, id: 99, prune: false, dryRun: true }),
    (error) => AgentError.is(error, 'failed') && error.detail === 'no-entry',
  )
})

test('an object of the tree can be deleted, and one that is not in it cannot', async (t) => {
  const world = await openTour(t)
  const { agent } = world
  const shop = await synced(world)
  const service = { group: '', kind: 'Service', namespace: 'shop', name: 'shop' }
  await agent.client.ask(METHODS.deleteResource, { ...shop, id: service })
  await agent.until('its absence', () =>
    (latest(agent, 'shop')?.snapshot.resources ?? []).some(
      ({ id, drift }) => resourceKey(id) === resourceKey(service) && drift.state === 'missing',
    ),
  )
  const foreign = { group: '', kind: 'Namespace', namespace: '', name: 'kube-system' }
  await assert.rejects(
    agent.client.ask(METHODS.deleteResource, { ...shop, id: foreign }),
    (error) => AgentError.is(error, 'failed') && error.detail === 'not-found',
  )
})

test('events, containers and logs of an application come from its own objects', async (t) => {
  const world = await openTour(t)
  const { agent } = world
  const shop = await synced(world)
  await agent.until('a pod', () =>
    (latest(agent, 'shop')?.snapshot.tree ?? []).some(({ id, info }) => id.kind === 'Pod' && info === 'Running'),
  )
  const pod = latest(agent, 'shop')?.snapshot.tree.find(({ id }) => id.kind === 'Pod')?.id.name ?? ''
  const events = await agent.client.ask(METHODS.events, shop)
  assert.ok(events.length > 0)
  assert.deepEqual([...new Set(events.map(({ about }) => about.namespace))], ['shop'])
  const times = events.map(({ time }) => time)
  assert.deepEqual(times, times.toSorted().toReversed())
  const place = { ...shop, namespace: 'shop', pod }
  assert.deepEqual(await agent.client.ask(METHODS.containers, place), [
    { name: 'shop', init: false, state: 'running', restarts: 0 },
  ])
  assert.deepEqual(await agent.client.ask(METHODS.logs, { ...place, container: 'shop', tail: 10 }), [])
})

test('nobody syncs: there is nothing to terminate', async (t) => {
  const world = await openTour(t)
  assert.equal(await world.agent.client.ask(METHODS.terminate, await synced(world)), false)
})

test('an edit that is not saved tells what a sync of it would change, and only that', async (t) => {
  const world = await openTour(t)
  const { agent, repository, session } = world
  await synced(world)
  const file = 'shop/deployment.yaml'
  const text = await readFile(path.join(repository.folder, file), 'utf8')
  const ask = async (edited: string): Promise<readonly string[]> => {
    const previews = await agent.client.ask(METHODS.preview, { session, file, text: edited })
    return previews.flatMap(({ application, resources, failure }) => [
      ...(failure === undefined ? [] : [`${application}: ${failure.reason}`]),
      ...resources.flatMap(({ id, drift }) =>
        drift.fields.length === 0
          ? [`${application} ${id.kind} ${drift.state}`]
          : drift.fields.map((field) => `${application} ${id.kind} ${field.path} line ${field.place?.line}`),
      ),
    ])
  }
  assert.deepEqual(await ask(text), [])
  const replicas = text.split('\n').findIndex((line) => line.includes('replicas:')) + 1
  assert.deepEqual(await ask(text.replace('replicas: 2', 'replicas: 3')), [
    `shop Deployment /spec/replicas line ${replicas}`,
  ])
  assert.deepEqual(await ask(`# a comment\n${text.replace('replicas: 2', 'replicas: 3')}`), [
    `shop Deployment /spec/replicas line ${replicas + 1}`,
  ])
  assert.deepEqual(await ask(`${text}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n`), [
    'shop ConfigMap missing',
  ])
  assert.deepEqual(await ask(text.replace('spec:', 'spec: [')), ['shop: broken-yaml'])
  // Nothing of it stays: the next look is at what is committed.
  assert.equal(latest(agent, 'shop')?.snapshot.sync, 'Synced')
  assert.equal(await readFile(path.join(repository.folder, file), 'utf8'), text)
})

test('no value of a Secret that is being written crosses the wire (invariant 4)', async (t) => {
  const world = await openTour(t)
  const { agent, session } = world
  await synced(world)
  const text = 'apiVersion: v1\nkind: Secret\nmetadata:\n  name: shop\nstringData:\n  password: battery-staple\n'
  const previews = await agent.client.ask(METHODS.preview, { session, file: 'shop/secret.yaml', text })
  assert.equal(previews.length, 1)
  const told = JSON.stringify(previews)
  assert.ok(!told.includes('battery-staple') && !told.includes(Buffer.from('battery-staple').toString('base64')))
})

const form: ApplicationForm = {
  name: 'kiosk',
  project: 'default',
  path: 'shop',
  repoURL: '.',
  targetRevision: 'main',
  namespace: 'kiosk',
  context: '',
  createNamespace: true,
  automated: false,
  prune: false,
  selfHeal: false,
  recurse: false,
}

test('a folder is looked at, and becomes an application whose file is new', async (t) => {
  const { agent, repository, session } = await openTour(t)
  await agent.client.ask(METHODS.subscribe, { session })
  assert.deepEqual(await agent.client.ask(METHODS.inspectFolder, { session, folder: 'shop' }), {
    type: 'Directory',
    objects: 4,
    namespaces: [],
    name: 'shop-2',
    file: 'apps/shop-2.yaml',
  })
  const empty = await agent.client.ask(METHODS.inspectFolder, { session, folder: 'nowhere' })
  assert.match(empty.problem ?? '', /nowhere/)
  assert.equal(await agent.client.ask(METHODS.create, { session, file: 'apps/kiosk.yaml', form }), 'apps/kiosk.yaml')
  const written = await readFile(path.join(repository.folder, 'apps', 'kiosk.yaml'), 'utf8')
  assert.equal(written, await agent.client.ask(METHODS.draft, form))
  await agent.until('the application', () => latest(agent, 'kiosk') !== undefined)
  assert.equal(latest(agent, 'kiosk')?.snapshot.failure, undefined)

  const refused = async (file: string, detail: string, changed: Partial<ApplicationForm> = {}): Promise<void> => {
    await assert.rejects(
      agent.client.ask(METHODS.create, { session, file, form: { ...form, ...changed } }),
      (error) => AgentError.is(error, 'failed') && error.detail === detail,
      file,
    )
  }
  await refused('apps/kiosk.yaml', 'exists')
  await refused('../kiosk.yaml', 'outside')
  await refused('/etc/kiosk.yaml', 'outside')
  await refused('apps/kiosk.txt', 'outside')
  await refused('apps/other.yaml', 'name', { name: 'Not A Name' })
  await symlink(tmpdir(), path.join(repository.folder, 'way-out'))
  await refused('way-out/deeper/kiosk.yaml', 'outside')
  assert.equal(existsSync(path.join(tmpdir(), 'deeper')), false)
  await writeFile(path.join(repository.folder, 'apps', 'kiosk.yaml'), written)
})

test('diffs and what Git wants come as the view makes them', async (t) => {
  const world = await openTour(t)
  const { agent, repository } = world
  const shop = await synced(world)
  await repository.edit('shop/deployment.yaml', 'replicas: 2', 'replicas: 5', 'Five of them')
  await agent.until('the drift', () => latest(agent, 'shop')?.snapshot.sync === 'OutOfSync')
  const [first, ...others] = await agent.client.ask(METHODS.diff, shop)
  assert.deepEqual(others, [])
  assert.equal(first?.key, 'apps|Deployment|shop|shop')
  const changed = first.diff.hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind !== 'context'))
  assert.deepEqual(
    changed.map(({ kind, text }) => [kind, text.trim()]),
    [
      ['remove', 'replicas: 2'],
      ['add', 'replicas: 5'],
    ],
  )
  const id = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'shop' }
  assert.match(await agent.client.ask(METHODS.desired, { ...shop, id }), /replicas: 5/)
  assert.equal(await agent.client.ask(METHODS.desired, { ...shop, id: { ...id, name: 'nobody' } }), '')
})
