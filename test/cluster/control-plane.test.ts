import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isWrite } from '../support/control-plane-audit.ts'
import type { AuditEvent } from '../support/control-plane-audit.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { kubectl } from '../support/kubectl.ts'
import { missingTools } from '../support/tools/find.ts'

const servers = missingTools('etcd', 'kube-apiserver', 'kubectl')
const controllers = servers || missingTools('kube-controller-manager')
const recordings = fileURLToPath(new URL('../../../shared/apiserver-vectors', import.meta.url))
const noRecordings = existsSync(join(recordings, 'replay.mjs'))
  ? false
  : 'no recorded conversations beside this repository'

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } },
  },
})

test('a server-side apply by kubectl is owned by its field manager', { skip: servers }, async (t) => {
  const plane = await startControlPlane()
  t.after(() => plane.stop())
  t.diagnostic(`ready after ${Math.round(plane.startMs)} ms`)
  const applied = await kubectl(['apply', '--server-side', '--field-manager=plumbline', '-f', '-'], {
    ...plane,
    input: deployment,
  })
  assert.equal(applied.code, 0, applied.stderr)
  const shown = await kubectl(['get', 'deployment', 'web', '-o', 'json', '--show-managed-fields'], plane)
  const [entry] = JSON.parse(shown.stdout).metadata.managedFields
  assert.deepEqual([entry.manager, entry.operation, entry.apiVersion], ['plumbline', 'Apply', 'apps/v1'])
  assert.deepEqual(entry.fieldsV1['f:spec']['f:replicas'], {})
})

test('every user may do what the role says and no more', { skip: servers }, async (t) => {
  const plane = await startControlPlane()
  t.after(() => plane.stop())
  const may = async (user: string, ...what: readonly string[]): Promise<string> =>
    (await kubectl(['--context', user, 'auth', 'can-i', ...what], plane)).stdout.trim()
  assert.equal(await may('admin', '*', '*', '--all-namespaces'), 'yes')
  assert.equal(await may('editor', 'patch', 'deployments.apps'), 'yes')
  assert.equal(await may('editor', 'patch', 'deployments.apps', '-n', 'kube-system'), 'no')
  assert.equal(await may('viewer', 'list', 'deployments.apps', '--all-namespaces'), 'yes')
  assert.equal(await may('viewer', 'get', 'secrets'), 'no')
  assert.equal(await may('nobody', 'get', 'configmaps'), 'no')
})

test('the audit log tells a write from a dry run', { skip: servers }, async (t) => {
  const plane = await startControlPlane({ audit: true })
  t.after(() => plane.stop())
  const sent = async (wanted: (event: AuditEvent) => boolean): Promise<readonly string[]> =>
    (await plane.audit())
      .filter((event) => event.userAgent.startsWith('kubectl') && wanted(event))
      .map(({ verb, resource, name, status }) => `${verb} ${resource}/${name} ${status}`)
  const options = { ...plane, input: deployment }
  assert.equal((await kubectl(['apply', '--server-side', '--dry-run=server', '-f', '-'], options)).code, 0)
  assert.equal((await kubectl(['diff', '--server-side', '-f', '-'], options)).code, 1)
  assert.deepEqual(await sent((event) => event.dryRun), ['patch deployments/web 201', 'patch deployments/web 201'])
  assert.deepEqual(await sent(isWrite), [])
  assert.equal((await kubectl(['apply', '--server-side', '-f', '-'], options)).code, 0)
  assert.deepEqual(await sent(isWrite), ['patch deployments/web 201'])
})

test('controllers roll a Deployment out on the simulated node', { skip: controllers }, async (t) => {
  const plane = await startControlPlane({ controllerManager: true })
  t.after(() => plane.stop())
  t.diagnostic(`ready after ${Math.round(plane.startMs)} ms`)
  await kubectl(['apply', '--server-side', '-f', '-'], { ...plane, input: deployment })
  const rollout = await kubectl(['rollout', 'status', 'deployment/web', '--timeout=60s'], plane)
  assert.equal(rollout.code, 0, rollout.stderr)
  const pods = await kubectl(['get', 'pods', '-o', 'jsonpath={.items[*].status.phase}'], plane)
  assert.equal(pods.stdout, 'Running Running')
})

test('hints in a pod template make pods that crash, end or never get ready', { skip: controllers }, async (t) => {
  const plane = await startControlPlane({ controllerManager: true })
  t.after(() => plane.stop())
  const check = async (name: string, hint: string, restartPolicy: string, expected: string): Promise<void> => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, annotations: hint === '' ? {} : { 'simulator.plumbline.dev/pod': hint } },
      spec: { restartPolicy, containers: [{ name: 'c', image: 'busybox:1' }] },
    }
    const made = await kubectl(['create', '-f', '-'], { ...plane, input: JSON.stringify(pod) })
    assert.equal(made.code, 0, made.stderr)
    const line = async (): Promise<string> =>
      (await kubectl(['get', 'pod', name, '--no-headers'], plane)).stdout.replaceAll(/ +/g, ' ')
    let seen = await line()
    for (let i = 0; i < 50 && !seen.startsWith(`${name} ${expected} `); i++) {
      await setTimeout(100)
      seen = await line()
    }
    assert.equal(seen.split(' ').slice(1, 4).join(' '), expected)
  }
  await check('serves', '', 'Always', '1/1 Running 0')
  await check('crashes', 'fail', 'Always', '0/1 CrashLoopBackOff 1')
  await check('fails', 'fail', 'Never', '0/1 Error 0')
  await check('completes', '', 'OnFailure', '0/1 Completed 0')
  await check('waits', 'never-ready', 'Always', '0/1 Running 0')
  const removed = await kubectl(['delete', 'pod', '--all', '--timeout=20s'], plane)
  assert.equal(removed.code, 0, removed.stderr)
})

test('stopping leaves no server and no file', { skip: servers }, async () => {
  const plane = await startControlPlane()
  const folder = dirname(plane.kubeconfigPath)
  await plane.stop()
  await plane.stop()
  assert.equal(existsSync(folder), false)
  await assert.rejects(fetch(plane.url), { name: 'TypeError' })
})

test('servers end with the process that started them, even when that is killed', { skip: servers }, async () => {
  const script = `
    const { startControlPlane } = await import(${JSON.stringify(new URL('../support/control-plane.ts', import.meta.url))})
    console.log((await startControlPlane()).kubeconfigPath)
    setInterval(() => undefined, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kubeconfigPath = await new Promise<string>((resolve) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8').trim()))
  })
  const left = (): readonly string[] => commandLines().filter((line) => line.includes(dirname(kubeconfigPath)))
  assert.equal(left().length, 2)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('close', resolve))
  for (let i = 0; i < 100 && left().length > 0; i++) await setTimeout(50)
  assert.deepEqual(left(), [])
  // The next owner sweeps the files.
  const next = await startControlPlane()
  await next.stop()
  assert.equal(existsSync(dirname(kubeconfigPath)), false)
})

test('an aborted start leaves no server', { skip: servers }, async () => {
  const before = commandLines().filter((line) => line.includes(`plumbline-control-plane-${process.pid}-`))
  await assert.rejects(startControlPlane({ signal: AbortSignal.timeout(1000) }), { name: 'TimeoutError' })
  const after = commandLines().filter((line) => line.includes(`plumbline-control-plane-${process.pid}-`))
  assert.deepEqual(after, before)
})

test('a kubectl that hangs is killed at its time limit', { skip: servers }, async (t) => {
  const plane = await startControlPlane()
  t.after(() => plane.stop())
  const watching = await kubectl(['get', 'pods', '--watch'], { ...plane, timeoutMs: 1500 })
  assert.equal(watching.code, 'timeout')
  const aborted = await kubectl(['get', 'pods', '--watch'], { ...plane, signal: AbortSignal.timeout(1000) })
  assert.equal(aborted.code, 'aborted')
})

const replays = [
  { folder: 'vectors', options: {}, skip: servers || noRecordings, passed: 632 },
  { folder: 'controllers', options: { controllerManager: true }, skip: controllers || noRecordings, passed: 57 },
]
for (const { folder, options, skip, passed } of replays) {
  test(`the recorded ${folder} agree with this server`, { skip }, async (t) => {
    const plane = await startControlPlane(options)
    t.after(() => plane.stop())
    const files = readdirSync(join(recordings, folder)).map((name) => join(recordings, folder, name))
    const argv = [
      join(recordings, 'replay.mjs'),
      '--server',
      plane.url,
      '--token',
      plane.token,
      '--insecure',
      '--json',
      ...files,
    ]
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    await new Promise((resolve) => child.once('close', resolve))
    assert.deepEqual(JSON.parse(Buffer.concat(chunks).toString('utf8')), { passed, failed: 0, failures: [] })
  })
}

function commandLines(): readonly string[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      return [readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ')]
    } catch {
      return []
    }
  })
}
