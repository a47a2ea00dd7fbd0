import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import test, { type TestContext } from 'node:test'
import type { Pass } from '../../shared/core/status.ts'
import { trackingId } from '../../shared/core/tracking.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import type { Application } from '../../shared/model/application.ts'
import type { Session } from '../../shared/session.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { corpora, corporaMissing, corpusRepository, openCorpus, type CorpusRepository } from '../support/corpora.ts'
import { plumbline, type CliResult } from '../support/line-cli.ts'
import { everyObject, keyOf, type StoredObject } from '../support/line-objects.ts'
import { Random } from '../support/random.ts'
import { fingerprint } from '../support/scaffold-repository.ts'
import { embedded, type StartedServer } from '../support/test-servers.ts'
import { missingTools } from '../support/tools/find.ts'

const KILLS = Number(process.env['PLUMBLINE_KILLS'] ?? 50)
const REAL_KILLS = Math.ceil(KILLS / 10)
const PART = 10
/** On a busy machine a sync may have ended before its last line has been read; such a round does not count. */
const MOST_LATE = 20
const NAME = 'kube-prometheus'
const STORE = 'plumbline'
/** A round on the real server changes or deletes more objects than this. */
const UPDATES = 60

// In parts, so that each has the time limit of a test for itself on a busy machine.
for (let first = 1; first <= KILLS; first += PART) {
  const last = Math.min(first + PART - 1, KILLS)
  test(`invariant 5: a first sync that is killed at a random moment is finished by the next, nothing lost or orphaned: ${first} to ${last} of ${KILLS}`, async (t) => {
    if (corporaMissing !== undefined) return t.skip(corporaMissing)
    const repository = await kubePrometheus(t)
    const steps = await syncWhole(repository, await embedded.start(t))
    const tally = new Tally(20_261_120 + first)
    const wanted = last - first + 1
    while (tally.killed < wanted && tally.late < MOST_LATE) {
      await t.test(`kill ${first + tally.killed}`, async (t) =>
        killAndRecover(repository, await embedded.start(t), tally, steps),
      )
    }
    assert.equal(tally.killed, wanted)
    t.diagnostic(tally.toString())
  })
}

test(`invariant 5: updates and prunes that are killed at any of ${REAL_KILLS} moments on a real kube-apiserver are finished by the next sync`, async (t) => {
  if (corporaMissing !== undefined) return t.skip(corporaMissing)
  const missing = missingTools('etcd', 'kube-apiserver', 'kube-controller-manager')
  if (missing !== false) return t.skip(missing)
  const plane = await startControlPlane({ controllerManager: true })
  t.after(() => plane.stop())
  const { url, token, kubeconfigPath } = plane
  const server = { url, token, kubeconfig: kubeconfigPath, context: 'admin' }
  const repository = await kubePrometheus(t)
  await syncWhole(repository, server)
  const tally = new Tally(42)
  for (let round = 0; tally.killed < REAL_KILLS && tally.late < MOST_LATE; round++) {
    await changeMost(repository, round)
    await killAndRecover(repository, server, tally, UPDATES)
  }
  assert.equal(tally.killed, REAL_KILLS)
  t.diagnostic(tally.toString())
})

async function kubePrometheus(t: TestContext): Promise<CorpusRepository> {
  const corpus = corpora.find(({ name }) => name === NAME)
  assert.ok(corpus)
  const repository = await corpusRepository(corpus)
  t.after(() => repository.dispose())
  return repository
}

/** A sync that nobody kills. @returns how many steps it tells of */
async function syncWhole(repository: CorpusRepository, server: StartedServer): Promise<number> {
  const done = await plumbline(syncArguments(server), { cwd: repository.scaffold.folder })
  assert.equal(done.code, 0, done.stderr)
  return done.stderr.split('\n').filter((line) => line.startsWith('✓')).length
}

function syncArguments({ kubeconfig, context }: StartedServer): readonly string[] {
  return ['app', 'sync', NAME, '--prune', '--kubeconfig', kubeconfig, ...(context === '' ? [] : ['--context', context])]
}

class Tally {
  killed = 0
  late = 0
  readonly #random: Random
  /** How many objects were there at each kill. */
  readonly found: number[] = []

  constructor(seed: number) {
    this.#random = new Random(seed)
  }

  /** When to kill: after so many of its steps have been told, and so many milliseconds. None is before the first write. */
  moment(steps: number): Moment {
    return { steps: this.#random.below(steps), ms: this.#random.below(30) }
  }

  count({ signal }: CliResult): void {
    if (signal === 'SIGKILL') this.killed++
    else this.late++
  }

  toString(): string {
    const sorted = [...this.found].sort((a, b) => a - b)
    return `${this.killed} killed in the middle, ${this.late} had ended; objects there at the kill: ${sorted.join(' ')}`
  }
}

type Moment = { readonly steps: number; readonly ms: number }

/** Ends a process the hard way at a moment of its own progress, which no load on the machine shifts. */
function killAt({ steps, ms }: Moment, child: ChildProcess): void {
  let told = 0
  const watch = (chunk: Buffer): void => {
    told += chunk.toString('utf8').split('\n').length - 1
    if (told < steps) return
    child.stderr?.off('data', watch)
    void setTimeout(ms, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
  }
  child.stderr?.on('data', watch)
  // Before the first line there is the reading, the looking and the recording of what will be owned.
  if (steps === 0) void setTimeout(ms * 40, undefined, { ref: false }).then(() => child.kill('SIGKILL'))
}

async function killAndRecover(
  repository: CorpusRepository,
  server: StartedServer,
  tally: Tally,
  steps: number,
): Promise<void> {
  const moment = tally.moment(steps)
  const when = `${moment.steps} steps and ${moment.ms} ms`
  const before = await fingerprint(repository.scaffold.folder)
  const stopped = await plumbline(syncArguments(server), {
    cwd: repository.scaffold.folder,
    onStart: (child) => killAt(moment, child),
  })
  tally.count(stopped)

  const cut = recordsOf(await everyObject(server))
  tally.found.push(cut.tracked.size)
  assert.deepEqual(without(cut.tracked, cut.inventory), [], `killed at ${when}: objects that no inventory knows`)

  const { session, application } = await openCorpus(repository, server)
  try {
    const pass = await syncToTheEnd(session, application)
    assert.equal(pass.snapshot.sync, 'Synced', JSON.stringify(pass.snapshot.conditions))
    const wanted = new Set(pass.desired?.objects.keys() ?? [])
    const { tracked, inventory } = recordsOf(await everyObject(server))
    const told = {
      lost: without(wanted, tracked),
      left: without(tracked, wanted),
      orphaned: without(tracked, inventory),
      stale: without(inventory, tracked),
    }
    assert.deepEqual(told, { lost: [], left: [], orphaned: [], stale: [] }, `killed at ${when}`)
  } finally {
    await session.dispose()
  }
  assert.equal(await fingerprint(repository.scaffold.folder), before, 'the repository is byte for byte as it was')
}

/** Syncs once, and looks again until what was pruned has gone: its dependants go first. */
async function syncToTheEnd(session: Session, application: Application): Promise<Pass> {
  let pass = await session.sync(application, { request: { prune: true, dryRun: false } })
  assert.equal(pass.outcome?.phase, 'Succeeded', failuresOf(pass))
  for (let tries = 0; pass.snapshot.sync !== 'Synced' && tries < 50; tries++) {
    await setTimeout(200)
    pass = await session.look(application)
  }
  return pass
}

function failuresOf({ outcome }: Pass): string {
  const failed = outcome?.steps.filter(({ result }) => result === 'SyncFailed') ?? []
  return [outcome?.message, ...failed.map(({ id, message }) => `${resourceKey(id)}: ${message}`)].join('\n')
}

function without(some: Iterable<string>, others: ReadonlySet<string>): readonly string[] {
  return [...some].filter((key) => !others.has(key))
}

type Records = { readonly tracked: ReadonlySet<string>; readonly inventory: ReadonlySet<string> }

/** What the cluster holds of the application, and what the inventory on it says, both read past all code of the line. */
function recordsOf(objects: readonly StoredObject[]): Records {
  const tracked = new Set(objects.filter(isTracked).map(keyOf))
  const records = objects.filter(({ kind, metadata }) => {
    const inventory = metadata.labels?.['plumbline.dev/record'] === 'inventory'
    return kind === 'ConfigMap' && metadata.namespace === STORE && inventory
  })
  const entries = records.flatMap(({ data }) => Object.values(data ?? {})).map((text) => JSON.parse(text) as Entry)
  const inventory = new Set(entries.map(({ group, kind, namespace, name }) => `${group}|${kind}|${namespace}|${name}`))
  return { tracked, inventory }
}

type Entry = { readonly group: string; readonly kind: string; readonly namespace: string; readonly name: string }

/** What is being deleted has been let go of, though its finalizers may hold it for a moment. */
function isTracked({ group, kind, metadata }: StoredObject): boolean {
  if (metadata.deletionTimestamp !== undefined) return false
  const id = { group, kind, namespace: metadata.namespace ?? '', name: metadata.name }
  return metadata.annotations?.['argocd.argoproj.io/tracking-id'] === trackingId({ name: NAME }, id)
}

/** A commit that touches nearly every object, and takes Grafana away or brings it back. */
async function changeMost({ scaffold }: CorpusRepository, round: number): Promise<void> {
  const folder = path.join(scaffold.folder, 'manifests')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'))
  for (const name of files) {
    const file = path.join(folder, name)
    const text = await readFile(file, 'utf8')
    await writeFile(
      file,
      text.replace(/^( +app\.kubernetes\.io\/version: )(\S+?)(-round\d+)?$/gm, `$1$2-round${round}`),
    )
  }
  if (round % 2 === 0) await scaffold.git('rm', '--quiet', '--force', 'manifests/grafana-*')
  else await scaffold.git('checkout', 'HEAD~1', '--', 'manifests')
  await scaffold.commit(`Round ${round}`)
}
