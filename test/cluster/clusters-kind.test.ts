import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { isCancelled } from '../../shared/base/abort.ts'
import type { ClusterManager } from '../../shared/clusters/cluster-manager.ts'
import { ClustersError } from '../../shared/clusters/clusters-error.ts'
import { openClusters } from '../../shared/clusters/cluster-manager.ts'
import type { ClusterEvent } from '../../shared/model/cluster.ts'
import { clustersLab, kubeconfigText, type ClustersLab } from '../support/clusters-lab.ts'
import { callsOf, realTool, toolDouble } from '../support/tool-double.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

// The real kind, with a double of docker under it: what kind makes of our words is real, the nodes are not.

const skip = missingTools('kind')
const REF = { provider: 'kind', name: 'dev' } as const

type KindLab = {
  readonly lab: ClustersLab
  readonly clusters: ClusterManager
  readonly docker: string
  readonly fail: (verb: string) => ClusterManager
}

function kindLab(t: TestContext): KindLab {
  const lab = clustersLab(t)
  const double = toolDouble(lab.folder, 'docker', 'docker-double.ts')
  realTool(double, 'kind', toolPath('kind'))
  const docker = path.join(lab.folder, 'docker')
  mkdirSync(docker)
  const env = { ...lab.env, PATH: double.path, DOCKER_DOUBLE: docker }
  const open = (more: object): ClusterManager =>
    openClusters({ env: { ...env, ...more }, state: lab.state, cache: lab.folder })
  return { lab, clusters: open({}), docker, fail: (verb) => open({ DOCKER_DOUBLE_FAILS: verb }) }
}

test(
  'the real kind makes, stops, starts and deletes a cluster on a double of docker, step by step',
  { skip },
  async (t) => {
    const { lab, clusters, docker } = kindLab(t)
    writeFileSync(
      lab.kubeconfig,
      '# mine\napiVersion: v1\nkind: Config\ncontexts:\n- context: {cluster: c, user: u}\n  name: work\ncurrent-context: work\n',
    )
    const events: ClusterEvent[] = []
    const row = await clusters.create(
      {
        ...REF,
        version: 'v1.34.0',
        nodes: 2,
        ports: [{ host: 8080, container: 80, protocol: 'TCP' }],
        registryMirrors: [{ registry: 'docker.io', mirror: 'https://mirror.example.com' }],
        waitMs: 10_000,
      },
      { onEvent: (event) => events.push(event) },
    )
    assert.deepEqual(
      [row.state, row.version, row.nodes, row.owned, row.context],
      ['running', 'v1.34.0', 2, true, 'kind-dev'],
    )
    const done = events.flatMap((event) => (event.kind === 'step' && event.state === 'done' ? [event.title] : []))
    assert.deepEqual(done, [
      'Ensuring node image (kindest/node:v1.34.0)',
      'Preparing nodes',
      'Writing configuration',
      'Starting control-plane',
      'Installing CNI',
      'Installing StorageClass',
      'Joining worker nodes',
      'Waiting ≤ 10s for control-plane = Ready',
    ])
    const runs = callsOf(docker).filter(([verb]) => verb === 'run')
    const plane = runs.find((words) => words.includes('dev-control-plane'))?.join(' ') ?? ''
    assert.match(plane, /--publish=127\.0\.0\.1:8080:80\/TCP/)
    const mirrors = path.join(lab.state, 'clusters', 'kind', 'dev', 'certs.d')
    for (const words of runs) assert.ok(words.join(' ').includes(`--volume=${mirrors}:/etc/containerd/certs.d:ro`))
    assert.match(readFileSync(path.join(mirrors, 'docker.io', 'hosts.toml'), 'utf8'), /https:\/\/mirror\.example\.com/)
    // kind makes its context the current one; the person did not ask for that.
    assert.match(kubeconfigText(lab), /current-context: work/)
    assert.match(kubeconfigText(lab), /name: kind-dev/)

    assert.equal((await clusters.stop(REF)).state, 'stopped')
    assert.equal((await clusters.start(REF)).state, 'running')
    await clusters.loadImage(REF, 'shop:local')
    assert.ok(
      callsOf(docker).some(([verb]) => verb === 'save'),
      'kind saved the image to bring it to the nodes',
    )
    const logs = await clusters.exportLogs(REF, path.join(lab.folder, 'logs'))
    assert.ok(existsSync(logs))
    await clusters.delete(REF)
    assert.deepEqual(
      await clusters.list(),
      (await clusters.list()).filter(({ provider }) => provider === 'embedded'),
    )
    assert.ok(!kubeconfigText(lab).includes('kind-dev'))
    assert.ok(!existsSync(path.dirname(mirrors)))
  },
)

test('a node that cannot be made is told in kind’s words, and nothing is left', { skip }, async (t) => {
  const { lab, clusters, fail } = kindLab(t)
  await assert.rejects(fail('run').create(REF), (error) => {
    assert.ok(ClustersError.is(error, 'tool-failed'))
    assert.match(error.message, /^kind create: failed to create cluster: .*docker run/)
    assert.match(error.message, /the double was told to fail at run/)
    return true
  })
  assert.equal(await clusters.find(REF), undefined)
  assert.ok(!kubeconfigText(lab).includes('kind-dev'))
})

test('kind refuses a configuration that is not its own before any node is made', { skip }, async (t) => {
  const { clusters, docker } = kindLab(t)
  await assert.rejects(clusters.create({ ...REF, config: 'nodes:\n- role: captain\n' }), (error) => {
    assert.ok(ClustersError.is(error, 'tool-failed'))
    assert.match(error.message, /"captain" is not a valid node role/)
    return true
  })
  await assert.rejects(
    clusters.create({ ...REF, config: 'networkin: {}\n' }),
    (error) => ClustersError.is(error, 'tool-failed') && /networkin/.test(error.message),
  )
  assert.ok(!callsOf(docker).some(([verb]) => verb === 'run'))
})

test('a cancelled creation takes away the nodes that were made', { skip }, async (t) => {
  const { clusters } = kindLab(t)
  const abort = new AbortController()
  const creating = clusters.create(REF, {
    signal: abort.signal,
    onEvent: (event) => {
      if (event.kind === 'step' && event.title === 'Writing configuration') abort.abort()
    },
  })
  await assert.rejects(creating, isCancelled)
  assert.equal(await clusters.find(REF), undefined)
})

test("somebody else's kind cluster is listed, and deleted only by its typed name", { skip }, async (t) => {
  const { clusters, docker } = kindLab(t)
  const labels = { 'io.x-k8s.kind.cluster': 'theirs', 'io.x-k8s.kind.role': 'control-plane' }
  mkdirSync(path.join(docker, 'containers'))
  const container = { labels, image: 'kindest/node:v1.34.0', running: true }
  writeFileSync(path.join(docker, 'containers', 'theirs-control-plane'), JSON.stringify(container))
  const theirs = { provider: 'kind', name: 'theirs' } as const
  assert.deepEqual((await clusters.find(theirs))?.owned, false)
  await assert.rejects(clusters.delete(theirs), (error) => ClustersError.is(error, 'not-owned'))
  assert.equal((await clusters.find(theirs))?.state, 'running')
  await clusters.delete(theirs, { confirmName: 'theirs' })
  assert.equal(await clusters.find(theirs), undefined)
})

test('without an engine the real kind and docker are named for what they lack', { skip }, async (t) => {
  const lab = clustersLab(t)
  const folder = toolDouble(lab.folder, 'docker', 'docker-double.ts')
  realTool(folder, 'kind', toolPath('kind'))
  const docker = path.join(lab.folder, 'docker')
  mkdirSync(docker)
  const down = openClusters({
    env: { ...lab.env, PATH: folder.path, DOCKER_DOUBLE: docker, DOCKER_DOUBLE_FAILS: 'version' },
    state: lab.state,
    cache: lab.folder,
  })
  const row = (await down.providers()).find(({ provider }) => provider === 'kind')
  assert.deepEqual(
    row?.tools.map(({ tool, state, version }) => [tool, state, version]),
    [
      ['kind', 'found', 'v0.33.0'],
      ['docker', 'broken', ''],
    ],
  )
  await assert.rejects(
    down.create(REF),
    (error) => ClustersError.is(error, 'engine-down') && /told to fail.*systemctl start docker/.test(error.next),
  )
  const none = openClusters({
    env: { PATH: '/nowhere', PLUMBLINE_TOOLS: '/nowhere' },
    state: lab.state,
    cache: lab.folder,
  })
  await assert.rejects(
    none.create(REF),
    (error) => ClustersError.is(error, 'tool-missing') && /cluster download kind/.test(error.next),
  )
  const missing = (await none.providers()).find(({ provider }) => provider === 'kind')
  assert.equal(missing?.state, 'missing')
})
