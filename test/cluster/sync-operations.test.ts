import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../../shared/base/clock.ts'
import { connectCluster } from '../../shared/kube/cluster.ts'
import { Session } from '../../shared/session.ts'
import { agentLease } from '../../shared/session/agent-lease.ts'
import { rollback, RollbackError } from '../../shared/session/rollback.ts'
import { storeClient } from '../../shared/session/store-access.ts'
import { Lease, type LeaseState } from '../../shared/store/lease.ts'
import { plumbline } from '../support/line-cli.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, hook, job } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

for (const server of syncServers) {
  test(`operations on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    await projects(t, running)
    await histories(t, running)
    await automation(t, running)
    await leases(t, running)
  })
}

type Running = Parameters<typeof openLab>[1]

const project = async (lab: Lab, spec: object): Promise<void> => {
  const open = { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] }
  const object = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { name: 'team' },
    spec: { ...open, ...spec },
  }
  await lab.scaffold.write({ 'project.yaml': JSON.stringify(object) })
  await lab.scaffold.commit('Say what is allowed')
}

async function projects(t: TestContext, server: Running): Promise<void> {
  await t.test('a project that forbids a kind or the destination is a condition, and nothing is written', async (t) => {
    const lab = await openLab(t, server, 'project')
    await lab.commit([configMap('a')], { project: 'team' })
    const none = await lab.sync()
    assert.match(none.snapshot.conditions.map(({ message }) => message).join(), /project team/)
    await project(lab, {
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
      namespaceResourceBlacklist: [{ group: '', kind: 'ConfigMap' }],
    })
    const kind = await lab.sync()
    assert.equal(kind.outcome?.phase, 'Failed')
    assert.match(kind.outcome?.steps.map(({ message }) => message).join() ?? '', /namespaceResourceBlacklist/)
    await project(lab, { destinations: [{ server: '*', namespace: 'elsewhere' }] })
    const place = await lab.sync()
    assert.equal(place.outcome?.phase, 'Failed')
    assert.ok(
      place.snapshot.conditions.some(
        ({ type, message }) => type === 'InvalidSpecError' && /destinations/.test(message),
      ),
    )
    assert.equal(await lab.http.send('GET', `/api/v1/namespaces/${lab.name}`), undefined)
  })

  await t.test('a deny window holds a sync back, and says so', async (t) => {
    const lab = await openLab(t, server, 'window')
    await lab.commit([configMap('a')], { project: 'team' })
    const deny = { kind: 'deny', schedule: '* * * * *', duration: '1h', applications: ['*'] }
    const whitelist = { clusterResourceWhitelist: [{ group: '*', kind: '*' }] }
    await project(lab, { ...whitelist, syncWindows: [deny] })
    const held = await lab.sync()
    assert.equal(held.outcome?.phase, 'Failed')
    assert.match(held.outcome?.steps[0]?.message ?? '', /deny window is active/)
    await project(lab, { ...whitelist, syncWindows: [{ ...deny, manualSync: true }] })
    assert.equal((await lab.sync()).outcome?.phase, 'Succeeded')
  })
}

async function histories(t: TestContext, server: Running): Promise<void> {
  await t.test('history tells revision, source and person; rollback brings an entry back without hooks', async (t) => {
    const lab = await openLab(t, server, 'history')
    const first = await lab.commit([configMap('a', { v: '1' }), job('pre', hook('PreSync'))])
    await lab.sync()
    const second = await lab.commit([configMap('a', { v: '2' }), configMap('b')])
    await lab.sync()
    const { history } = (await lab.look()).snapshot
    assert.deepEqual(
      history.map(({ id, revision, initiatedBy, automated, revisions }) => ({
        id,
        revision,
        initiatedBy,
        automated,
        revisions,
      })),
      [
        { id: 0, revision: first, initiatedBy: 'tester', automated: false, revisions: [first] },
        { id: 1, revision: second, initiatedBy: 'tester', automated: false, revisions: [second] },
      ],
    )
    const application = await lab.application()
    const { entry, pass } = await rollback(lab.session, application, { prune: true, dryRun: false })
    assert.equal(entry.id, 0)
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.deepEqual(pass.outcome.steps.map(({ id, result }) => `${id.name} ${result}`).sort(), [
      'a Synced',
      'b Pruned',
    ])
    assert.deepEqual(
      (await lab.look()).snapshot.history.map(({ revision }) => revision),
      [first, second, first],
    )
  })

  await t.test('rollback is refused while automated, and without an entry', async (t) => {
    const lab = await openLab(t, server, 'refused')
    await lab.commit([configMap('a')])
    await lab.sync()
    const options = { prune: false, dryRun: false }
    await assert.rejects(rollback(lab.session, await lab.application(), options), (error) =>
      RollbackError.is(error, 'no-history'),
    )
    await assert.rejects(rollback(lab.session, await lab.application(), { ...options, id: 7 }), (error) =>
      RollbackError.is(error, 'no-entry'),
    )
    await lab.commit([configMap('a')], { syncPolicy: { automated: {} } })
    await assert.rejects(rollback(lab.session, await lab.application(), options), (error) =>
      RollbackError.is(error, 'automated'),
    )
  })

  await t.test('a sync whose process was killed is shown as under way, and ended by terminate-op', async (t) => {
    const lab = await openLab(t, server, 'killed')
    await lab.commit([job('stuck', hook('PreSync'), 'never-ready'), configMap('a')])
    const flags = ['--kubeconfig', server.kubeconfig, ...(server.context === '' ? [] : ['--context', server.context])]
    const { signal } = await plumbline(['app', 'sync', lab.name, ...flags], {
      cwd: lab.scaffold.folder,
      onStart: (child) =>
        void until(async () => (await operation(lab))?.includes('"uid"') === true).then(() => child.kill('SIGKILL')),
    })
    assert.equal(signal, 'SIGKILL')
    const ended = await plumbline(['app', 'terminate-op', lab.name, ...flags], { cwd: lab.scaffold.folder })
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal(await operation(lab), undefined)
  })
}

async function operation(lab: Lab): Promise<string | undefined> {
  const found = await lab.http.send('GET', `/api/v1/namespaces/plumbline/configmaps/${lab.name}.operations`)
  return (found as { readonly data?: Readonly<Record<string, string>> } | undefined)?.data?.['running']
}

async function until(done: () => Promise<boolean>, ms = 20_000): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await done())) {
    if (Date.now() > deadline) throw new Error('it did not come')
    await setTimeout(50)
  }
}

async function automation(t: TestContext, server: Running): Promise<void> {
  await t.test('an automated application is synced by itself, and heals an edit by hand', async (t) => {
    const lab = await openLab(t, server, 'auto')
    await lab.commit([configMap('a', { v: '1' })], {
      syncPolicy: { automated: { selfHeal: true, prune: true }, syncOptions: ['CreateNamespace=true'] },
    })
    const { kubeconfig, context } = server
    const session = await Session.open({
      workspace: lab.scaffold.folder,
      kubeconfig,
      context,
      watch: true,
      trusted: [],
    })
    t.after(() => session.dispose())
    const errors: unknown[] = []
    const application = await lab.application()
    const became = Promise.withResolvers<void>()
    const lease = agentLease(await session.clusterOf(application), {
      onChange: ({ kind }) => kind === 'acting' && became.resolve(),
      onError: (error) => errors.push(error),
    })
    t.after(() => lease.dispose())
    await became.promise
    const loop = await session.watch(
      application,
      () => undefined,
      (error) => errors.push(error),
      () => lease.acting,
    )
    t.after(() => loop.dispose())
    const path = `/api/v1/namespaces/${lab.name}/configmaps/a`
    const value = async (): Promise<string | undefined> =>
      ((await lab.http.send('GET', path)) as { readonly data: Readonly<Record<string, string>> } | undefined)?.data['v']
    await until(async () => (await value()) === '1')
    await until(async () => (await lab.look()).snapshot.history.length === 1)
    await lab.http.send('PATCH', `${path}?fieldManager=hand`, { data: { v: 'hand' } }, 'application/merge-patch+json')
    await until(async () => (await value()) === '1')
    const records = await (await lab.session.store(await lab.application())).history(lab.name, {})
    assert.deepEqual(
      records.map(({ automated }) => automated),
      [true],
    )
    assert.deepEqual(errors, [])
  })
}

async function leases(t: TestContext, server: Running): Promise<void> {
  await t.test('of two agents one acts; when it dies the other takes over within the lease time', async (t) => {
    const cluster = await connectCluster({ ...server, context: server.context || undefined, watch: false })
    t.after(() => cluster.dispose())
    const client = storeClient(cluster)
    const told: string[] = []
    const agent = (identity: string): Lease => {
      const onChange = (state: LeaseState): void => void told.push(`${identity} ${state.kind}`)
      const times = { durationSeconds: 2, renewMs: 200 }
      return new Lease({
        client,
        clock: systemClock,
        namespace: 'plumbline',
        name: 'two-agents',
        identity,
        ...times,
        onChange,
        onError: (error) => void told.push(String(error)),
      })
    }
    const one = agent('one')
    await until(async () => one.acting)
    const two = agent('two')
    await setTimeout(1000)
    assert.deepEqual(told, ['one acting', 'two watching'])
    const died = Date.now()
    await one.abandon()
    await until(async () => two.acting)
    const tookMs = Date.now() - died
    assert.ok(tookMs > 1000 && tookMs < 4000, `${tookMs} ms`)
    const three = agent('three')
    await until(async () => told.includes('three watching'))
    const gave = Date.now()
    await two.dispose()
    await until(async () => three.acting)
    assert.ok(Date.now() - gave < 2000, 'a lease that is given back is free at once')
    await three.dispose()
  })
}
