import assert from 'node:assert/strict'
import test from 'node:test'
import { ClustersError } from '../../../shared/clusters/clusters-error.ts'
import { minikubeEvent, minikubeFailure } from '../../../shared/clusters/minikube/minikube-events.ts'
import { profilesOf } from '../../../shared/clusters/minikube/minikube-profiles.ts'
import { startArguments } from '../../../shared/clusters/minikube/minikube-provider.ts'
import type { ClusterSpec } from '../../../shared/model/cluster.ts'
import { transcript } from '../../support/tool-transcript.ts'

const REF = { provider: 'minikube', name: 'dev' } as const

test('a start is told step by step, with its downloads', () => {
  const events = transcript('minikube-start').stdout.trimEnd().split('\n').map(minikubeEvent)
  assert.deepEqual(events.slice(0, 5), [
    { kind: 'step', title: 'Initial Minikube Setup', state: 'running', index: 1, total: 19 },
    { kind: 'step', title: 'Selecting Driver', state: 'running', index: 2, total: 19 },
    { kind: 'line', text: 'Using Docker Desktop driver with root privileges' },
    { kind: 'step', title: 'Starting Node', state: 'running', index: 4, total: 19 },
    {
      kind: 'download',
      what: 'preloaded-images-k8s-v18-v1.25.3-docker-overlay2-arm64.tar.lz4',
      received: 37,
      total: 100,
    },
  ])
  assert.deepEqual(events.at(-1), { kind: 'step', title: 'Done', state: 'done', index: 19, total: 19 })
})

test('an event that is not whole, or is none, is a line or nothing', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['', undefined],
    ['  ', undefined],
    ['! The image may be old', { kind: 'line', text: '! The image may be old' }],
    ['{"type":', { kind: 'line', text: '{"type":' }],
    ['{"type":"other","data":{}}', { kind: 'line', text: '{"type":"other","data":{}}' }],
    [
      '{"type":"io.k8s.sigs.minikube.step","data":{"currentstep":"","message":"Pulling base image ...","name":"Pulling Base Image","totalsteps":"12"}}',
      { kind: 'step', title: 'Pulling Base Image', state: 'running' },
    ],
    [
      '{"type":"io.k8s.sigs.minikube.download.progress","data":{"progress":"NaN"}}',
      { kind: 'download', what: 'download', received: 0, total: 100 },
    ],
  ]
  for (const [line, expected] of cases) assert.deepEqual(minikubeEvent(line), expected, line)
})

function lines(name: string): readonly string[] {
  const { stdout, stderr } = transcript(name)
  return `${stdout}${stderr}`.split('\n')
}

test('a failure is told in the words of minikube, with its own advice', () => {
  assert.deepEqual(minikubeFailure(lines('minikube-start-failed')), {
    message: "The driver 'fail' is not supported on darwin",
  })
  const plain = minikubeFailure(lines('minikube-start-no-docker'))
  assert.match(plain.message, /^Exiting due to PROVIDER_DOCKER_NOT_RUNNING: .*Is the docker daemon running\?$/)
  assert.equal(plain.next, 'Start the Docker service')
  const advised = '{"type":"io.k8s.sigs.minikube.error","data":{"advice":"Run A\\nthen B","message":"no","name":"DRV"}}'
  assert.deepEqual(minikubeFailure([advised]), { message: 'no (DRV)', next: 'Run A; then B' })
  assert.deepEqual(minikubeFailure([]), { message: 'it gave no reason' })
})

test('profiles are read in the words of old and new releases', () => {
  assert.deepEqual(profilesOf(transcript('minikube-profile-list').stdout), [
    { name: 'minikube', state: 'stopped', context: 'minikube', version: 'v1.20.0', nodes: 1, detail: 'driver docker' },
  ])
  const states = {
    Running: 'running',
    OK: 'running',
    Stopped: 'stopped',
    Paused: 'stopped',
    Degraded: 'failed',
    Odd: 'unknown',
  }
  for (const [word, state] of Object.entries(states)) {
    assert.equal(profilesOf(JSON.stringify({ valid: [{ Name: 'a', Status: word }] }))[0]?.state, state, word)
  }
  assert.deepEqual(profilesOf('{"invalid":[{"Name":"left"}],"valid":null}')[0]?.state, 'failed')
  assert.deepEqual(profilesOf(''), [])
})

test('what a cluster should be becomes the flags of minikube start', () => {
  const spec: ClusterSpec = {
    ...REF,
    version: '1.34.0',
    nodes: 2,
    driver: 'docker',
    cpus: 4,
    memory: '8g',
    disk: '20g',
    registryMirrors: [{ registry: 'docker.io', mirror: 'https://m.example.com' }],
    ports: [{ host: 8080, container: 80, protocol: 'TCP' }],
    waitMs: 90_000,
  }
  assert.deepEqual(startArguments(spec), [
    'start',
    '--output=json',
    '--interactive=false',
    '--wait=all',
    '--profile=dev',
    '--wait-timeout=90s',
    '--keep-context',
    '--kubernetes-version=v1.34.0',
    '--nodes=2',
    '--driver=docker',
    '--cpus=4',
    '--memory=8g',
    '--disk-size=20g',
    '--registry-mirror=https://m.example.com',
    '--ports=127.0.0.1:8080:80/tcp',
  ])
})

test('what minikube would refuse late is refused at once', () => {
  const bad: readonly Partial<ClusterSpec>[] = [
    { nodes: 0 },
    { driver: 'docker --force' },
    { cpus: 0 },
    { memory: 'much' },
    { disk: '-1g' },
    { version: 'stable' },
    { registryMirrors: [{ registry: 'ghcr.io', mirror: 'https://m.example.com' }] },
    { registryMirrors: [{ registry: 'docker.io', mirror: 'm' }] },
  ]
  for (const spec of bad) {
    assert.throws(
      () => startArguments({ ...REF, ...spec }),
      (error) => ClustersError.is(error, 'unsupported'),
      JSON.stringify(spec),
    )
  }
})
