import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Pass } from '../../shared/core/status.ts'
import { stringifyJson, type Json } from '../../shared/model/json.ts'
import type { Application } from '../../shared/model/application.ts'
import { run } from '../../shared/base/process.ts'
import { LEAN_MEMORY } from '../../shared/agent/launch.ts'
import { Session } from '../../shared/session.ts'
import { kubectl } from '../support/kubectl.ts'
import { scaffoldRepository, type Scaffold } from '../support/scaffold-repository.ts'
import { startControlPlane, type ControlPlane } from '../support/control-plane.ts'
import { median, requestCounts, seconds } from './measure.ts'
import { deploymentSpec } from './simulator-objects.ts'

export type Row = {
  readonly work: string
  readonly ours: string
  readonly theirs: string
  readonly ratio: number | undefined
  readonly bar: string
  readonly met: boolean
}

/** Drift of many objects on a real API server, beside `kubectl diff --server-side` on the same server in the same run. */
export async function benchDrift(count: number): Promise<readonly Row[]> {
  const plane = await startControlPlane()
  const scaffold = await scaffoldRepository()
  try {
    await writeObjects(scaffold, count)
    await scaffold.commit('Bring the objects in')
    const application = await syncOnce(scaffold, plane)
    return count > 1000
      ? await oneOfMany(scaffold, plane, application)
      : await sideBySide(scaffold, plane, application, count)
  } finally {
    await scaffold.dispose()
    await plane.stop()
  }
}

/** Equal parts of the four kinds, plus their namespace. */
async function writeObjects(scaffold: Scaffold, count: number): Promise<void> {
  const folder = path.join(scaffold.folder, 'objects')
  await mkdir(folder, { recursive: true })
  const each = Math.ceil(count / 4)
  for (const [kind, make] of Object.entries(MAKERS)) {
    const documents = Array.from({ length: each }, (_, index) => stringifyJson(make(`${kind}-${index}`)))
    await writeFile(path.join(folder, `${kind}.yaml`), documents.join('\n---\n'))
  }
  await writeFile(
    path.join(folder, '0-namespace.yaml'),
    stringifyJson({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'bench' } }),
  )
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'bench' },
    spec: { project: 'default', source: { repoURL: '.', path: 'objects' }, destination: { namespace: 'bench' } },
  }
  await writeFile(path.join(scaffold.folder, 'application.yaml'), stringifyJson(application))
}

const MAKERS: Readonly<Record<string, (name: string) => Json>> = {
  deployment: (name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'bench', labels: { app: name } },
    spec: deploymentSpec(name),
  }),
  service: (name) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'bench' },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
  }),
  configmap: (name) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'bench' },
    data: { 'app.conf': `name = ${name}\nlevel = info\n`, mode: 'fast' },
  }),
  serviceaccount: (name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'bench' } }),
}

async function openSession(scaffold: Scaffold, plane: ControlPlane, watch: boolean): Promise<Session> {
  return Session.open({
    workspace: scaffold.folder,
    kubeconfig: plane.kubeconfigPath,
    context: 'admin',
    watch,
    trusted: [],
  })
}

async function syncOnce(scaffold: Scaffold, plane: ControlPlane): Promise<Application> {
  const session = await openSession(scaffold, plane, false)
  try {
    const [application] = (await session.applications()).applications
    if (application === undefined) throw new Error('the bench has no application')
    const pass = await session.sync(application, { request: { prune: true, dryRun: false } })
    if (pass.snapshot.sync !== 'Synced')
      throw new Error(`not synced: ${JSON.stringify(pass.snapshot.conditions.slice(0, 3))}`)
    return application
  } finally {
    await session.dispose()
  }
}

async function sideBySide(
  scaffold: Scaffold,
  plane: ControlPlane,
  application: Application,
  count: number,
): Promise<readonly Row[]> {
  const first: number[] = []
  const again: number[] = []
  const theirs: number[] = []
  let calls = 0
  for (let round = 0; round < 5; round++) {
    theirs.push(await kubectlDiff(scaffold, plane))
    const session = await openSession(scaffold, plane, true)
    first.push(await timed(async () => session.look(application)))
    const before = await requestCounts(plane)
    again.push(await timed(async () => session.look(application)))
    calls += (await requestCounts(plane)) - before
    await session.dispose()
  }
  const label = `drift of ${count} synced objects`
  return [
    row(`${label}, first check`, median(first), median(theirs), 20),
    row(`${label}, again, ${calls} API calls`, median(again), median(theirs), 500, calls === 0),
  ]
}

function row(work: string, ours: number, theirs: number, bar: number, also = true): Row {
  const ratio = theirs / ours
  return { work, ours: seconds(ours), theirs: seconds(theirs), ratio, bar: `${bar}x`, met: ratio >= bar && also }
}

async function kubectlDiff(scaffold: Scaffold, plane: ControlPlane): Promise<number> {
  const args = [
    'diff',
    '--server-side',
    '--field-manager=plumbline',
    '--force-conflicts',
    '-f',
    path.join(scaffold.folder, 'objects'),
  ]
  const start = performance.now()
  await kubectl(args, { kubeconfigPath: plane.kubeconfigPath, timeoutMs: 300_000 })
  return performance.now() - start
}

async function timed(work: () => Promise<Pass>): Promise<number> {
  const start = performance.now()
  const pass = await work()
  const took = performance.now() - start
  if (pass.snapshot.sync !== 'Synced')
    throw new Error(`not synced: ${JSON.stringify(pass.snapshot.conditions.slice(0, 3))}`)
  return took
}

const ROUNDS = 21

/** One object changes among many: from the event to the new snapshot, and how often the server was asked. */
async function oneOfMany(scaffold: Scaffold, plane: ControlPlane, application: Application): Promise<readonly Row[]> {
  const session = await openSession(scaffold, plane, true)
  try {
    const cluster = await session.clusterOf(application)
    const firstMs = await timed(async () => session.look(application))
    const againMs = await timed(async () => session.look(application))
    let told: (pass: Pass) => void = ignorePass
    const loop = await session.watch(application, (pass) => told(pass), rethrow)
    const took: number[] = []
    let asked = 0
    for (let round = 0; round < ROUNDS; round++) {
      const event = new Promise<number>((resolve) => {
        const remove = cluster.onChange((change) => {
          if (change.kind !== 'objects') return
          remove()
          resolve(performance.now())
        })
      })
      const seen = new Promise<number>((resolve) => {
        told = (pass) => {
          if (driftedCount(pass) === round + 1) resolve(performance.now())
        }
      })
      const before = await requestCounts(plane)
      const path = `/api/v1/namespaces/bench/configmaps/configmap-${round}?fieldManager=hand`
      await cluster.send(
        { method: 'PATCH', path, body: '{"data":{"mode":"slow"}}', contentType: 'application/merge-patch+json' },
        {},
      )
      const [from, to] = await Promise.all([event, seen])
      took.push(to - from)
      asked += (await requestCounts(plane)) - before - 1
    }
    loop.dispose()
    const megabytes = await residentMegabytes(scaffold, plane)
    const middle = median(took)
    return [
      { work: '10,000 objects, first check', ours: seconds(firstMs), theirs: '', ratio: undefined, bar: '', met: true },
      { work: '10,000 objects, again', ours: seconds(againMs), theirs: '', ratio: undefined, bar: '', met: true },
      {
        work: `one of 10,000 changed: event to snapshot, ${asked / ROUNDS} calls each`,
        ours: seconds(middle),
        theirs: '',
        ratio: undefined,
        bar: '50 ms, 1 call',
        met: middle < 50 && asked === ROUNDS,
      },
      {
        work: 'resident memory with 10,000 live objects',
        ours: `${megabytes.toFixed(0)} MB`,
        theirs: '',
        ratio: undefined,
        bar: '300 MB',
        met: megabytes < 300,
      },
    ]
  } finally {
    await session.dispose()
  }
}

/** A process of its own that does nothing but hold the application, as the agent does. */
async function residentMegabytes(scaffold: Scaffold, plane: ControlPlane): Promise<number> {
  const script = path.join(import.meta.dirname, 'resident-memory.ts')
  const done = await run(process.execPath, [LEAN_MEMORY, script, scaffold.folder, plane.kubeconfigPath], {
    timeoutMs: 120_000,
  })
  if (done.kind !== 'exited' || done.code !== 0)
    throw new Error(`resident-memory: ${'stderr' in done ? done.stderr : done.kind}`)
  return Number(done.stdout.toString('utf8'))
}

function ignorePass(): void {}

function rethrow(error: unknown): never {
  throw error
}

function driftedCount(pass: Pass): number {
  return pass.snapshot.resources.filter((resource) => resource.sync === 'OutOfSync').length
}
