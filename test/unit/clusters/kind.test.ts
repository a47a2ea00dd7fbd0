import assert from 'node:assert/strict'
import test from 'node:test'
import { parse } from 'yaml'
import { kindConfig } from '../../../shared/clusters/kind/kind-config.ts'
import { clustersOf, nodesOf } from '../../../shared/clusters/kind/kind-nodes.ts'
import { kindEvent, kindFailure } from '../../../shared/clusters/kind/kind-progress.ts'
import { LineSplitter } from '../../../shared/clusters/line-splitter.ts'
import { ClustersError } from '../../../shared/clusters/clusters-error.ts'
import type { ClusterSpec } from '../../../shared/model/cluster.ts'
import { transcript } from '../../support/tool-transcript.ts'

const REF = { provider: 'kind', name: 'dev' } as const

function linesOf(text: string, cut: number): readonly string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((line) => lines.push(line))
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += cut) splitter.push(bytes.subarray(from, from + cut))
  splitter.end()
  return lines
}

test('a creation is told step by step, however its output is cut', () => {
  const { stderr } = transcript('kind-create-running')
  for (const cut of [1, 2, 3, 7, 4096]) {
    const events = linesOf(stderr, cut).map(kindEvent)
    const done = events.flatMap((event) => (event?.kind === 'step' && event.state === 'done' ? [event.title] : []))
    assert.deepEqual(done, [
      'Ensuring node image (kindest/node:v1.16.3)',
      'Preparing nodes',
      'Writing configuration',
      'Starting control-plane',
      'Installing CNI',
      'Installing StorageClass',
      'Joining worker nodes',
      'Waiting ≤ 1m0s for control-plane = Ready',
    ])
    const running = events.filter((event) => event?.kind === 'step' && event.state === 'running')
    assert.equal(running.length, done.length)
    assert.ok(events.some((event) => event?.kind === 'line' && event.text === 'Ready after 25s'))
  }
})

test('a failed creation says which step failed, and why in the words of what failed', () => {
  const { stderr } = transcript('kind-create-failed')
  const lines = linesOf(stderr, 64)
  const failed = lines.map(kindEvent).find((event) => event?.kind === 'step' && event.state === 'failed')
  assert.deepEqual(failed, { kind: 'step', title: 'Joining worker nodes', state: 'failed' })
  assert.match(
    kindFailure(lines).message,
    /^failed to create cluster: failed to join node with kubeadm: command "docker exec/,
  )
})

test('an engine that is down is said without the whole of its own state', () => {
  const { stderr } = transcript('kind-create-no-engine')
  const { message } = kindFailure(linesOf(stderr, 4096))
  assert.match(message, /^failed to create cluster: failed to get docker info/)
  assert.match(
    message,
    /\nCannot connect to the Docker daemon at unix:\/\/\/var\/run\/docker.sock. Is the docker daemon running\?$/,
  )
  assert.ok(message.length < 400)
})

function configOf(spec: Partial<ClusterSpec>, version = 'v0.33.0'): Record<string, unknown> {
  return parse(kindConfig({ ...REF, ...spec }, version, '/mirrors').text) as Record<string, unknown>
}

test('nodes, ports and mirrors become a configuration of kind', () => {
  const config = configOf({
    nodes: 3,
    ports: [{ host: 8080, container: 80, protocol: 'TCP' }],
    registryMirrors: [{ registry: 'docker.io', mirror: 'https://mirror.example.com/' }],
  })
  const mount = { hostPath: '/mirrors', containerPath: '/etc/containerd/certs.d', readOnly: true }
  assert.deepEqual(config, {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    nodes: [
      {
        role: 'control-plane',
        extraPortMappings: [{ containerPort: 80, hostPort: 8080, protocol: 'TCP', listenAddress: '127.0.0.1' }],
        extraMounts: [mount],
      },
      { role: 'worker', extraMounts: [mount] },
      { role: 'worker', extraMounts: [mount] },
    ],
  })
})

test('releases of kind whose images do not look for mirrors are told to', () => {
  const mirrors = { registryMirrors: [{ registry: 'ghcr.io', mirror: 'https://m.example.com' }] }
  assert.equal(configOf(mirrors, 'v0.33.0')['containerdConfigPatches'], undefined)
  assert.match(
    String(configOf(mirrors, 'v0.26.0')['containerdConfigPatches']),
    /config_path = "\/etc\/containerd\/certs\.d"/,
  )
  const { mirrors: files } = kindConfig({ ...REF, ...mirrors }, 'v0.33.0', '/mirrors')
  assert.equal(
    files[0]?.text,
    'server = "https://ghcr.io"\n\n[host."https://m.example.com"]\n  capabilities = ["pull", "resolve"]\n',
  )
})

test("the person's own configuration stays, and what is asked for is laid over it", () => {
  const config =
    'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnetworking: {ipFamily: dual}\nnodes:\n- role: control-plane\n  labels: {tier: one}\n- role: worker\n'
  const whole = configOf({ config, ports: [{ host: 1, container: 2, protocol: 'UDP', address: '0.0.0.0' }] })
  assert.deepEqual(whole['networking'], { ipFamily: 'dual' })
  assert.deepEqual(whole['nodes'], [
    {
      role: 'control-plane',
      labels: { tier: 'one' },
      extraPortMappings: [{ containerPort: 2, hostPort: 1, protocol: 'UDP', listenAddress: '0.0.0.0' }],
    },
    { role: 'worker' },
  ])
})

test('what cannot be made is refused before kind is asked', () => {
  const bad: readonly Partial<ClusterSpec>[] = [
    { nodes: 0 },
    { nodes: 2.5 },
    { nodes: 1000 },
    { version: 'latest' },
    { image: '--privileged' },
    { config: 'just text' },
    { config: 'kind: [' },
    { config: 'kind: Pod' },
    { config: 'nodes: [{role: control-plane}]', nodes: 2 },
    { ports: [{ host: 70_000, container: 80, protocol: 'TCP' }] },
    { registryMirrors: [{ registry: '../../etc', mirror: 'https://m.example.com' }] },
    { registryMirrors: [{ registry: 'docker.io', mirror: 'file:///etc' }] },
  ]
  for (const spec of bad)
    assert.throws(
      () => configOf(spec),
      (error) => ClustersError.is(error),
      JSON.stringify(spec),
    )
})

test('clusters are made up of the containers that the engine lists', () => {
  const found = clustersOf(nodesOf(transcript('docker-ps-kind').stdout))
  assert.deepEqual(
    found.map(({ name, state, version, nodes, context }) => ({ name, state, version, nodes, context })),
    [
      { name: 'dev', state: 'running', version: 'v1.34.0', nodes: 2, context: 'kind-dev' },
      { name: 'half', state: 'failed', version: 'v1.34.0', nodes: 2, context: 'kind-half' },
      { name: 'old', state: 'stopped', version: 'v1.33.4', nodes: 1, context: 'kind-old' },
    ],
  )
  assert.equal(found[0]?.createdAt, '2026-11-20T11:34:56.000Z')
  assert.deepEqual(nodesOf(''), [])
})
