import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { isCancelled } from '../../shared/base/abort.ts'
import { openClusters, type ClusterManager } from '../../shared/clusters/cluster-manager.ts'
import { ClustersError } from '../../shared/clusters/clusters-error.ts'
import type { ClusterEvent } from '../../shared/model/cluster.ts'
import { clustersLab } from '../support/clusters-lab.ts'
import { callsOf, toolDouble } from '../support/tool-double.ts'

// minikube cannot be had where this was made: a double replays what the real one printed; each transcript names its source.

const REF = { provider: 'minikube', name: 'dev' } as const

function minikubeLab(
  t: TestContext,
  start?: string,
): { readonly clusters: ClusterManager; readonly folder: string; readonly again: (start: string) => ClusterManager } {
  const lab = clustersLab(t)
  const double = toolDouble(lab.folder, 'minikube', 'minikube-double.ts')
  const folder = path.join(lab.folder, 'minikube')
  mkdirSync(folder)
  const env = { ...lab.env, PATH: double.path, MINIKUBE_DOUBLE: folder }
  const open = (how: string | undefined): ClusterManager =>
    openClusters({
      env: { ...env, ...(how === undefined ? {} : { MINIKUBE_DOUBLE_START: how }) },
      state: lab.state,
      cache: lab.folder,
    })
  return { clusters: open(start), folder, again: open }
}

test('a minikube cluster lives its life through a double that replays transcripts', async (t) => {
  const { clusters, folder } = minikubeLab(t)
  assert.equal(await clusters.find(REF), undefined)
  const events: ClusterEvent[] = []
  const row = await clusters.create(
    { ...REF, version: '1.34.0', nodes: 2, driver: 'docker' },
    { onEvent: (event) => events.push(event) },
  )
  assert.deepEqual([row.state, row.version, row.nodes, row.context, row.owned], ['running', 'v1.34.0', 2, 'dev', true])
  const steps = events.flatMap((event) =>
    event.kind === 'step' ? [`${event.index}/${event.total} ${event.title}`] : [],
  )
  assert.deepEqual([steps[0], steps.at(-1)], ['1/19 Initial Minikube Setup', '19/19 Done'])
  assert.ok(events.some((event) => event.kind === 'download' && event.received === 78))
  assert.equal((await clusters.stop(REF)).state, 'stopped')
  assert.equal((await clusters.start(REF)).state, 'running')
  await clusters.loadImage(REF, 'shop:local')
  const logs = await clusters.exportLogs(REF, path.join(folder, 'logs'))
  assert.ok(existsSync(path.join(logs, 'minikube.log')))
  await clusters.delete(REF)
  assert.equal(await clusters.find(REF), undefined)
  const verbs = callsOf(folder)
    .map((words) => words[0])
    .filter((verb) => verb !== 'profile')
  assert.deepEqual(verbs, ['start', 'stop', 'start', 'image', 'logs', 'delete'])
  for (const words of callsOf(folder).filter(([verb]) => verb === 'start')) {
    assert.ok(words.includes('--interactive=false') && words.includes('--keep-context'), words.join(' '))
  }
})

test('a start that fails says why in minikube’s words, and leaves no profile', async (t) => {
  const { clusters, again } = minikubeLab(t, 'minikube-start-failed')
  await assert.rejects(clusters.create(REF), (error) => {
    assert.ok(ClustersError.is(error, 'tool-failed'))
    assert.equal(error.message, "minikube start: The driver 'fail' is not supported on darwin")
    return true
  })
  assert.equal(await clusters.find(REF), undefined)
  const noEngine = again('minikube-start-no-docker').create(REF)
  await assert.rejects(
    noEngine,
    (error) => ClustersError.is(error, 'tool-failed') && error.next === 'Start the Docker service',
  )
})

test('a start that hangs is cancelled, and its profile deleted', async (t) => {
  const { clusters, folder } = minikubeLab(t, 'hang')
  const abort = new AbortController()
  const creating = clusters.create(REF, { signal: abort.signal, onEvent: () => abort.abort() })
  await assert.rejects(creating, isCancelled)
  assert.equal(callsOf(folder).findLast(([verb]) => verb !== 'profile')?.[0], 'delete')
  assert.equal(await clusters.find(REF), undefined)
})
