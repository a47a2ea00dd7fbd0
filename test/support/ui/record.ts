/** Records what a real session says of the tour at four moments: run `node test/support/ui/record.ts FILE`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeTourRepository } from '../../../shared/session/tour-repository.ts'
import { connectCluster } from '../../../shared/kube/cluster.ts'
import { stringifyJson } from '../../../shared/model/json.ts'
import type { Application } from '../../../shared/model/application.ts'
import type { Outcome, SyncEvent } from '../../../shared/model/outcome.ts'
import { Session } from '../../../shared/session.ts'
import { startServer } from '../../../shared/simulator/server.ts'
import { resourceKey } from '../../../shared/model/kubernetes.ts'
import { objectDiff } from '../../../shared/view/object-diff.ts'
import type { Recorded } from './recorded.ts'
import { addWaves } from './waves.ts'

const home = await mkdtemp(path.join(tmpdir(), 'plumbline-record-'))
const server = await startServer({})
try {
  const kubeconfig = path.join(home, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const repository = await makeTourRepository(
    path.resolve(import.meta.dirname, '../../../examples/tour'),
    path.join(home, 'r'),
  )
  await addWaves(repository.folder)
  const session = await Session.open({
    workspace: repository.folder,
    context: '',
    kubeconfig,
    watch: true,
    trusted: [],
    user: 'ada',
  })
  try {
    await writeFile(process.argv[2] ?? 'tour.json', stringifyJson(await play(session, kubeconfig), 1))
  } finally {
    await session.dispose()
  }
} finally {
  await server.close()
  await rm(home, { recursive: true, force: true })
}

async function play(session: Session, kubeconfig: string): Promise<Recorded> {
  const { applications } = await session.applications()
  const events: { at: string; event: SyncEvent }[] = []
  let outcome: Outcome | undefined
  for (const application of applications) {
    const waved = application.name === 'waves'
    const report = (event: SyncEvent): void => void (waved && events.push({ at: new Date().toISOString(), event }))
    const pass = await session.sync(application, { request: { prune: false, dryRun: false }, report })
    if (waved) outcome = pass.outcome
  }
  await sleep(3000)
  await drift(kubeconfig)
  await sleep(500)
  const shop = named(applications, 'shop')
  const plan = (await session.sync(shop, { request: { prune: true, dryRun: true } })).plan
  const passes = await Promise.all(applications.map(async (application) => session.look(application)))
  const diffs = passes.flatMap((pass) =>
    pass.snapshot.resources
      .filter(({ drift }) => drift.state !== 'synced')
      .map(({ id, drift }) => {
        const key = resourceKey(id)
        const sides = { desired: pass.desired?.objects.get(key)?.object, live: pass.live.get(key)?.object }
        return { key, diff: objectDiff(drift, sides, { now: Date.now() }) }
      }),
  )
  if (plan === undefined) throw new Error('the dry run gave no plan')
  return { snapshots: passes.map(({ snapshot }) => snapshot), plan, diffs, events, outcome }
}

async function drift(kubeconfig: string): Promise<void> {
  const cluster = await connectCluster({ kubeconfig, watch: false })
  const patch = async (manager: string, at: string, body: string): Promise<unknown> =>
    cluster.send(
      {
        method: 'PATCH',
        path: `${at}?fieldManager=${manager}`,
        body,
        contentType: 'application/strategic-merge-patch+json',
      },
      {},
    )
  const deployment = '/apis/apps/v1/namespaces/shop/deployments/shop'
  const env = '{"spec":{"template":{"spec":{"containers":[{"name":"shop","env":[{"name":"DEBUG","value":"1"}]}]}}}}'
  await patch('kubectl-edit', deployment, '{"spec":{"replicas":4}}')
  await patch('night-shift', deployment, env)
  await patch('kubectl-label', '/api/v1/namespaces/shop/services/shop', '{"metadata":{"labels":{"team":"night"}}}')
  await cluster.send({ method: 'DELETE', path: '/api/v1/namespaces/board/configmaps/board-banner' }, {})
  await cluster.dispose()
}

function named(applications: readonly Application[], name: string): Application {
  const found = applications.find((application) => application.name === name)
  if (found === undefined) throw new Error(`the tour has no ${name}`)
  return found
}
