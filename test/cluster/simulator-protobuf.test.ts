import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { existsSync, realpathSync } from 'node:fs'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { kubectl } from '../support/kubectl.ts'
import { embedded, real } from '../support/test-servers.ts'
import type { StartedServer } from '../support/test-servers.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

/** Commands of kubectl that go through its typed clients, which send protobuf; each works on a server of its own. */
const commands = [
  'create namespace team',
  'create quota limits --hard=cpu=10,memory=10Gi,pods=1e2,requests.storage=1500m',
  'create deployment web --image=nginx --replicas=3 --port=80',
  'create deployment tools --image=busybox -- sleep 10',
  'create configmap settings --from-literal=a=1 --from-literal=b=zwei',
  'create secret generic login --from-literal=user=me --from-literal=password=geheim',
  'create secret docker-registry pull --docker-username=u --docker-password=p --docker-server=r.example',
  'create job once --image=busybox -- date',
  'create cronjob often --image=busybox --schedule=@hourly -- date',
  'create job now --from=cronjob/often',
  'create service clusterip inner --tcp=80:8080',
  'create service clusterip headless --clusterip=None',
  'create service nodeport node --tcp=80:http --node-port=30123',
  'create service loadbalancer outer --tcp=443:8443',
  'create service externalname away --external-name=example.org',
  'create role reader --verb=get,list --resource=pods,deployments.apps',
  'create clusterrole prober --verb=get --non-resource-url=/healthz',
  'create clusterrole sum --aggregation-rule=a=b',
  'create rolebinding readers --role=reader --user=joe --group=g --serviceaccount=team:robot',
  'create clusterrolebinding probers --clusterrole=prober --user=joe',
  'create serviceaccount robot',
  'create ingress entrance --rule=foo.example/path*=web:80,tls=cert --class=nginx --annotation=a=b',
  'create poddisruptionbudget half --selector=app=web --min-available=50%',
  'create poddisruptionbudget one --selector=app=tools --max-unavailable=1',
  'create priorityclass high --value=1000 --description=first --preemption-policy=Never',
  'expose deployment web --port=80 --target-port=8080 --name=exposed',
  'run pod --image=busybox --restart=Never --labels=x=y --env=A=B -- sleep 1',
  'run served --image=nginx --port=80 --expose',
  'autoscale deployment web --min=2 --max=5 --cpu-percent=80',
  'set image deployment/web nginx=nginx:2',
  'set env deployment/web X=1',
  'set resources deployment/web --limits=cpu=200m,memory=512Mi',
  'set selector service/inner app=web',
  'set subject rolebinding/readers --user=ann',
  'scale deployment/web --replicas=4',
  'rollout pause deployment/web',
  'rollout resume deployment/web',
  'create configmap never --from-literal=a=1 --dry-run=server',
  'auth can-i create pods',
  'delete pod pod --now',
]

const kept = [
  'deployments,configmaps,secrets,jobs,cronjobs,services,roles,rolebindings,serviceaccounts',
  'ingresses,poddisruptionbudgets,horizontalpodautoscalers,pods,resourcequotas',
  'namespace/team clusterrole/prober clusterrole/sum clusterrolebinding/probers priorityclass/high',
]

interface Said {
  readonly command: string
  readonly stdout: string
}

type Run = (
  argv: readonly string[],
) => Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>

function runner({ kubeconfig, context }: StartedServer, namespace: string, binary?: string): Run {
  const target = [...(context === '' ? [] : ['--context', context]), '--namespace', namespace]
  if (binary === undefined) return (argv) => kubectl([...target, ...argv], { kubeconfigPath: kubeconfig })
  const env = { PATH: process.env['PATH'], HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig }
  return (argv) =>
    new Promise((resolve) => {
      execFile(binary, [...target, ...argv], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      )
    })
}

async function runAll(run: Run): Promise<{ readonly said: readonly Said[]; readonly made: readonly unknown[] }> {
  const said: Said[] = []
  for (const command of commands) {
    said.push({ command, stdout: await runOk(run, command) })
  }
  const made: unknown[] = []
  for (const names of kept) {
    const stdout = await runOk(run, `get ${names} -o json --show-managed-fields`)
    const text = stdout.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'some-uid')
    made.push(...(JSON.parse(text) as { items: unknown[] }).items.map(comparable))
  }
  return { said, made }
}

/** What each server makes up on its own is left out; owners are in the order of their times, so by the second. */
const own = new Set(['resourceVersion', 'creationTimestamp', 'time', 'clusterIP', 'clusterIPs', 'nodePort'])

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (own.has(key) && item !== 'None') return [key, '']
      return [key, key === 'managedFields' ? sortedOwners(item) : comparable(item)]
    }),
  )
}

function sortedOwners(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((entry) => JSON.stringify(comparable(entry))).sort()
}

test('what typed commands make on the embedded server is what they make on a real one', async (t) => {
  const missing = missingTools('kubectl')
  if (missing !== false) return t.skip(missing)
  const ours = await runAll(runner(await embedded.start(t), 'team'))
  const absent = await real.missing()
  if (absent !== undefined) return t.diagnostic(`not compared: ${absent}`)
  const theirs = await runAll(runner(await real.start(t), 'team'))
  assert.deepEqual(ours.said, theirs.said)
  assert.equal(ours.made.length, theirs.made.length)
  for (const [i, object] of ours.made.entries()) assert.deepEqual(object, theirs.made[i])
})

test('the commands do send protobuf', async (t) => {
  const missing = missingTools('kubectl')
  if (missing !== false) return t.skip(missing)
  const run = runner(await embedded.start(t), 'default')
  const { code, stderr } = await run(['create', 'configmap', 'a', '--from-literal=k=v', '-v=8'])
  assert.equal(code, 0, stderr)
  assert.match(stderr, /Content-Type: application\/vnd\.kubernetes\.protobuf/)
})

test('the kubectl on PATH is served as well', async (t) => {
  const other = otherKubectl(t)
  if (other === undefined) return
  await runAll(runner(await embedded.start(t), 'team', other))
})

/** The first kubectl on PATH that is not the one of the other tests. */
function otherKubectl(t: TestContext): string | undefined {
  const known = missingTools('kubectl') === false ? realpathSync(toolPath('kubectl')) : ''
  const found = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'kubectl'))
    .find((path) => existsSync(path) && realpathSync(path) !== known)
  if (found === undefined) t.skip('no other kubectl on PATH')
  return found
}

test('a real kube-controller-manager works on the embedded server', async (t) => {
  const missing = missingTools('kubectl', 'kube-controller-manager')
  if (missing !== false) return t.skip(missing)
  const server = await embedded.start(t)
  startControllerManager(t, server)
  const run = runner(server, 'team')
  await runOk(run, 'create namespace team')
  await runOk(run, 'create deployment web --image=nginx --replicas=3')
  const objects = (kinds: string) => async () => (await runOk(run, `get ${kinds} -o name`)).split('\n').length - 1
  await until(objects('pods'), 3)
  await runOk(run, 'scale deployment web --replicas=1')
  await until(objects('pods'), 1)
  await runOk(run, 'delete deployment web')
  await until(objects('deployments,replicasets,pods'), 0)
  await runOk(run, 'delete namespace team --timeout=60s')
})

/** Talks protobuf in every request it writes, as it does by default. */
function startControllerManager(t: TestContext, { kubeconfig }: StartedServer): void {
  const flags = [`--kubeconfig=${kubeconfig}`, '--leader-elect=false', '--bind-address=127.0.0.1', '--secure-port=0']
  const child = spawn(toolPath('kube-controller-manager'), flags, { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('close', resolve))
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
}

async function runOk(run: Run, command: string): Promise<string> {
  const { code, stdout, stderr } = await run(command.split(' '))
  assert.equal(code, 0, `${command}: ${stderr}`)
  return stdout
}

async function until(count: () => Promise<number>, wanted: number): Promise<void> {
  const deadline = Date.now() + 60_000
  let found = await count()
  for (; found !== wanted && Date.now() < deadline; found = await count()) await setTimeout(200)
  assert.equal(found, wanted)
}
