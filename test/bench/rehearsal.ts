import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Session } from '../../shared/session.ts'
import { rehearse } from '../../shared/session/rehearse.ts'
import { startServer } from '../../shared/simulator/server.ts'
import { useOwnState } from '../support/own-state.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import { hook, job, wave } from '../support/sync-objects.ts'
import type { Row } from './drift.ts'
import { median, seconds } from './measure.ts'
import { objectAt } from './simulator-objects.ts'

const RUNS = 3
const WAVES = 3
const NAMESPACE = 'default'

/** A sync of many objects in three waves with two hooks, rehearsed on the embedded server from its first read to its report. */
export async function benchRehearsal(): Promise<readonly Row[]> {
  useOwnState()
  return [await row(100, 2000), await row(1000, 10_000)]
}

async function row(count: number, mostMs: number): Promise<Row> {
  const scaffold = await scaffoldRepository()
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-bench-'))
  const server = await startServer()
  try {
    await writeObjects(scaffold.folder, count)
    await scaffold.commit('Bring the objects in')
    const kubeconfig = path.join(folder, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
    const took: number[] = []
    const processor: number[] = []
    let simulatedMs = 0
    for (let run = 0; run < RUNS; run++) {
      const session = await Session.open({
        workspace: scaffold.folder,
        kubeconfig,
        context: '',
        watch: false,
        trusted: [],
      })
      const [application] = (await session.applications()).applications
      if (application === undefined) throw new Error('no application')
      const started = performance.now()
      const used = process.cpuUsage()
      const { rehearsal, dispose } = await rehearse(session, application, { request: { prune: true, dryRun: false } })
      took.push(performance.now() - started)
      const { user, system } = process.cpuUsage(used)
      processor.push((user + system) / 1000)
      if (!rehearsal.passed) throw new Error(rehearsal.failures[0])
      ;({ simulatedMs } = rehearsal)
      await dispose()
      await session.dispose()
    }
    const ms = median(took)
    const work = `rehearse ${count} objects, ${WAVES} waves, 2 hooks`
    // The server that is rehearsed for runs in this process too.
    const theirs = `${seconds(simulatedMs)} simulated, ${seconds(median(processor))} of processor`
    return { work, ours: seconds(ms), theirs, ratio: undefined, bar: `under ${seconds(mostMs)}`, met: ms < mostMs }
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
    await scaffold.dispose()
  }
}

async function writeObjects(root: string, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => {
    const body = objectAt(index).body as { readonly metadata: object }
    return { ...body, metadata: { ...body.metadata, annotations: wave(index % WAVES) } }
  })
  const hooks = [job('before', hook('PreSync')), job('after', hook('PostSync'))]
  await mkdir(path.join(root, 'objects'), { recursive: true })
  const list = { apiVersion: 'v1', kind: 'List', items: [...items, ...hooks] }
  await writeFile(path.join(root, 'objects', 'all.json'), JSON.stringify(list))
  const application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'bench' },
    spec: { project: 'default', source: { repoURL: '.', path: 'objects' }, destination: { namespace: NAMESPACE } },
  }
  await writeFile(path.join(root, 'application.yaml'), JSON.stringify(application))
}
