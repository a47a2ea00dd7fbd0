import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import { ClusterError } from '../../../shared/kube/cluster-error.ts'
import { connectionOf, loadKubeconfig } from '../../../shared/kube/config.ts'
import { listContexts } from '../../../shared/kube/kubeconfig.ts'
import type { Kubeconfig } from '../../../shared/kube/kubeconfig.ts'
import { missingTools, toolPath } from '../../support/tools/find.ts'
import { failureOf, temporaryFolder } from './cluster-scaffold.ts'

const run = promisify(execFile)
const noKubectl = missingTools('kubectl')

const first = `
apiVersion: v1
kind: Config
clusters:
- name: one
  cluster: {server: "https://a.example:1/", certificate-authority: ca.pem}
contexts:
- name: x
  context: {cluster: one, user: joe}
users:
- name: joe
  user: {token: t1, client-certificate: joe.pem, client-key: joe.key}
`

const second = `
apiVersion: v1
kind: Config
preferences: {}
unknown: field
clusters:
- name: one
  cluster: {server: https://b.example:1, tls-server-name: zz}
- name: two
  cluster:
    server: https://b.example:2
    certificate-authority: ca.pem
    insecure-skip-tls-verify: false
    proxy-url: http://proxy.example:3128
    disable-compression: true
contexts:
- name: x
  context: {cluster: two, user: ann, namespace: elsewhere}
- name: second
  context: {cluster: two, user: joe, namespace: shop}
users:
- name: joe
  user: {token: t2, username: joe, password: p}
- name: ann
  user:
    as: boss
    as-groups: [g1, g2]
    as-user-extra: {reason: [why]}
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--a, b]
      env: [{name: K, value: v}]
      interactiveMode: Never
      provideClusterInfo: true
current-context: second
`

type Files = { readonly folder: string; readonly env: (list: readonly string[]) => Record<string, string> }

/** Two kubeconfigs in folders of their own, so that relative paths differ. */
async function write(t: TestContext): Promise<Files> {
  const folder = await temporaryFolder(t)
  await mkdir(path.join(folder, 'sub'))
  await writeFile(path.join(folder, 'first'), first)
  await writeFile(path.join(folder, 'sub', 'second'), second)
  await writeFile(path.join(folder, 'ca.pem'), 'authority one')
  await writeFile(path.join(folder, 'sub', 'ca.pem'), 'authority two')
  await writeFile(path.join(folder, 'joe.pem'), 'certificate')
  await writeFile(path.join(folder, 'joe.key'), 'key')
  const env = (list: readonly string[]): Record<string, string> => ({
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    KUBECONFIG: list.map((name) => (name === '' ? '' : path.join(folder, name))).join(path.delimiter),
  })
  return { folder, env }
}

async function embedded(data: string, file: string): Promise<string | undefined> {
  return data || (file === '' ? undefined : (await readFile(file)).toString('base64'))
}

/** Ours in the form of `kubectl config view --flatten --raw -o json`. */
async function flattened(config: Kubeconfig): Promise<unknown> {
  const clusters = [...config.clusters].map(async ([name, c]) => ({
    name,
    cluster: {
      server: c.server,
      'certificate-authority-data': await embedded(c.caData, c.caFile),
      'insecure-skip-tls-verify': c.insecure || undefined,
      'tls-server-name': c.tlsServerName || undefined,
      'proxy-url': c.proxyUrl || undefined,
      'disable-compression': c.disableCompression || undefined,
    },
  }))
  const users = [...config.users].map(async ([name, u]) => ({
    name,
    user: {
      token: u.token || undefined,
      username: u.username || undefined,
      password: u.password || undefined,
      'client-certificate-data': await embedded(u.certData, u.certFile),
      'client-key-data': await embedded(u.keyData, u.keyFile),
      as: u.impersonate?.user,
      'as-groups': u.impersonate?.groups,
      'as-user-extra': u.impersonate?.extra,
      // kubectl shows the command as it is written and resolves it when it runs it.
      exec: u.exec && { ...u.exec, command: `./${path.relative(path.dirname(u.file), u.exec.command)}` },
    },
  }))
  const contexts = [...config.contexts].map(([name, { cluster, user, namespace }]) => ({
    name,
    context: { cluster, user, namespace: namespace || undefined },
  }))
  const all = { clusters: await Promise.all(clusters), contexts, users: await Promise.all(users) }
  return comparable({ ...all, 'current-context': config.currentContext })
}

function byName(list: unknown): unknown {
  return [...((list ?? []) as { name: string }[])].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function comparable(config: Record<string, unknown>): unknown {
  const { clusters, contexts, users } = config
  const result = {
    clusters: byName(clusters),
    contexts: byName(contexts),
    users: byName(users),
    current: config['current-context'],
  }
  return JSON.parse(
    JSON.stringify(result).replaceAll('.example:1/', '.example:1').replaceAll('"installHint":"",', ''),
  ) as unknown
}

const lists: readonly (readonly string[])[] = [
  ['first', 'sub/second'],
  ['sub/second', 'first'],
  ['missing', 'first', '', 'missing', 'sub/second', 'first'],
  ['sub/second'],
  ['missing'],
]

for (const list of lists) {
  test(`KUBECONFIG=${list.join(':')} is merged as kubectl merges it`, { skip: noKubectl }, async (t) => {
    const { env } = await write(t)
    const args = ['config', 'view', '--flatten', '--raw', '-o', 'json']
    const { stdout } = await run(toolPath('kubectl'), args, { env: env(list) })
    assert.deepEqual(
      await flattened(await loadKubeconfig({ env: env(list) })),
      comparable(JSON.parse(stdout) as Record<string, unknown>),
    )
  })
}

const refused: Readonly<Record<string, string>> = {
  'a number for a server': 'clusters: [{name: c, cluster: {server: 5}}]',
  'a name twice': 'clusters: [{name: c, cluster: {server: a}}, {name: c, cluster: {server: b}}]',
  'broken YAML': 'clusters: [',
  'another kind': 'apiVersion: v1\nkind: Pod',
  'a list for a mapping': '- a\n- b',
  'text for a flag': 'clusters: [{name: c, cluster: {server: a, insecure-skip-tls-verify: "maybe"}}]',
}

for (const [what, text] of Object.entries(refused)) {
  test(`${what} is refused, as kubectl refuses it`, async (t) => {
    const file = path.join(await temporaryFolder(t), 'config')
    await writeFile(file, text)
    const error = await failureOf(loadKubeconfig({ env: { KUBECONFIG: file } }))
    assert.ok(ClusterError.is(error, 'config'), String(error))
    assert.ok(error.message.includes(file))
    if (noKubectl === false) await assert.rejects(run(toolPath('kubectl'), ['config', 'view', '--kubeconfig', file]))
  })
}

test('--kubeconfig names one file that must be there, whatever KUBECONFIG says', async (t) => {
  const { folder, env } = await write(t)
  const only = await loadKubeconfig({ env: env(['first']), kubeconfig: path.join(folder, 'sub', 'second') })
  assert.deepEqual([...only.contexts.keys()], ['x', 'second'])
  const error = await failureOf(loadKubeconfig({ env: env(['first']), kubeconfig: path.join(folder, 'nowhere') }))
  assert.ok(ClusterError.is(error, 'config'))
  assert.match(error.message, /nowhere does not exist/)
})

test('contexts are listed with their source file, server and kind of login', async (t) => {
  const { folder, env } = await write(t)
  const config = await loadKubeconfig({ env: env(['first', 'sub/second']) })
  assert.deepEqual(listContexts(config), [
    {
      name: 'second',
      cluster: 'two',
      user: 'joe',
      namespace: 'shop',
      server: 'https://b.example:2',
      auth: 'token',
      file: path.join(folder, 'sub', 'second'),
      current: true,
    },
    {
      name: 'x',
      cluster: 'one',
      user: 'joe',
      namespace: '',
      server: 'https://a.example:1',
      auth: 'token',
      file: path.join(folder, 'first'),
      current: false,
    },
  ])
})

test('paths belong to the folder of their own file; a command without a slash belongs to PATH', async (t) => {
  const { folder, env } = await write(t)
  const config = await loadKubeconfig({ env: env(['sub/second', 'first']) })
  assert.equal(config.clusters.get('two')?.caFile, path.join(folder, 'sub', 'ca.pem'))
  assert.equal(config.users.get('ann')?.exec?.command, path.join(folder, 'sub', 'bin', 'login'))
})

test('a pod without a kubeconfig is its service account', async (t) => {
  const folder = await temporaryFolder(t)
  const env = { HOME: folder, KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
  assert.equal((await loadKubeconfig({ env, serviceAccountFolder: folder })).contexts.size, 0)
  await writeFile(path.join(folder, 'token'), 'pod-token')
  await writeFile(path.join(folder, 'namespace'), 'shop')
  await writeFile(path.join(folder, 'ca.crt'), 'authority')
  const { name, cluster, context, user } = connectionOf(await loadKubeconfig({ env, serviceAccountFolder: folder }))
  assert.deepEqual([name, context.namespace, cluster.server], ['in-cluster', 'shop', 'https://[fd00::1]:443'])
  assert.deepEqual([cluster.caFile, user.tokenFile], [path.join(folder, 'ca.crt'), path.join(folder, 'token')])
  await mkdir(path.join(folder, '.kube'))
  await writeFile(path.join(folder, '.kube', 'config'), first)
  assert.deepEqual([...(await loadKubeconfig({ env, serviceAccountFolder: folder })).contexts.keys()], ['x'])
})

function messageOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return ClusterError.is(error, 'config') ? error.message : String(error)
  }
  return 'no error'
}

test('what a context lacks is named', async (t) => {
  const { env } = await write(t)
  const config = await loadKubeconfig({ env: env(['first']) })
  assert.equal(
    messageOf(() => connectionOf(config, 'nope')),
    'there is no context "nope" in the kubeconfig (it has x)',
  )
  assert.match(
    messageOf(() => connectionOf(config)),
    /no context is chosen/,
  )
  const empty = await loadKubeconfig({ env: { HOME: '/nowhere' } })
  assert.match(
    messageOf(() => connectionOf(empty)),
    /no kubeconfig was found/,
  )
  const lacking = { ...config, clusters: new Map() }
  assert.match(
    messageOf(() => connectionOf(lacking, 'x')),
    /cluster "one" of context "x" is not in the kubeconfig/,
  )
})
