import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { KubeconfigEditor } from '../../shared/clusters/kubeconfig/kubeconfig-editor.ts'
import { markProduction } from '../../shared/clusters/production-marks.ts'
import { kubeContexts } from '../../shared/session/kube-contexts.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

const skip = missingTools('kubectl')

/** As people have them: comments, blank lines, both styles, in two files. */
const FIRST = `# the desk
apiVersion: v1
kind: Config

clusters:
- cluster:
    server: https://one.example.com   # keep
  name: one
contexts:
# the one for every day
- context:
    cluster: one
    user: ada
    namespace: shop
  name: daily
- context: {cluster: two, user: bob}
  name: prod-eu
current-context: daily
users:
- name: ada
  user: {token: aaa}
`
const SECOND = `apiVersion: v1
kind: Config
clusters:
- name: two
  cluster: {server: "https://two.example.com"}
contexts: []
users:
- name: bob
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/false, interactiveMode: Never}
`

type Pair = { readonly folder: string; readonly env: NodeJS.ProcessEnv }

function pair(t: TestContext): Pair {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-kubeconfig-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const files = [path.join(folder, 'first'), path.join(folder, 'second')]
  writeFileSync(files[0] ?? '', FIRST)
  writeFileSync(files[1] ?? '', SECOND)
  return { folder, env: { PATH: process.env['PATH'], HOME: folder, KUBECONFIG: files.join(path.delimiter) } }
}

function kubectl({ env }: Pair, ...args: readonly string[]): string {
  const done = spawnSync(toolPath('kubectl'), ['config', ...args], { env, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
  return done.stdout
}

/** The merged configuration as kubectl reads it, whatever its order. */
function meaning(of: Pair): unknown {
  const config = JSON.parse(kubectl(of, 'view', '--raw', '-o', 'json')) as Record<string, unknown>
  for (const list of ['contexts', 'clusters', 'users']) {
    config[list] = ((config[list] ?? []) as { name: string }[]).sort((a, b) => (a.name < b.name ? -1 : 1))
  }
  return config
}

const EDITS: Readonly<
  Record<string, readonly [(editor: KubeconfigEditor) => Promise<unknown>, readonly (readonly string[])[]]>
> = {
  'use-context': [async (editor) => editor.setCurrent('prod-eu'), [['use-context', 'prod-eu']]],
  'rename-context of the current one': [
    async (editor) => editor.renameContext('daily', 'yes'),
    [['rename-context', 'daily', 'yes']],
  ],
  'rename-context of another': [
    async (editor) => editor.renameContext('prod-eu', 'arn:aws:eks:x/y'),
    [['rename-context', 'prod-eu', 'arn:aws:eks:x/y']],
  ],
  'set-context --namespace': [
    async (editor) => editor.setNamespace('prod-eu', 'shop'),
    [['set-context', 'prod-eu', '--namespace=shop']],
  ],
  'set-context over a namespace': [
    async (editor) => editor.setNamespace('daily', '1e3'),
    [['set-context', 'daily', '--namespace=1e3']],
  ],
  'delete-context with what only it names': [
    async (editor) => editor.deleteContext('prod-eu'),
    [
      ['delete-context', 'prod-eu'],
      ['delete-cluster', 'two'],
      ['delete-user', 'bob'],
    ],
  ],
  'delete-context of the current one': [
    async (editor) => editor.deleteContext('daily'),
    [
      ['delete-context', 'daily'],
      ['delete-cluster', 'one'],
      ['delete-user', 'ada'],
      ['unset', 'current-context'],
    ],
  ],
}

for (const [name, [edit, words]] of Object.entries(EDITS)) {
  test(`our ${name} means what kubectl's does, and keeps the comments that kubectl drops`, { skip }, async (t) => {
    const [ours, theirs] = [pair(t), pair(t)]
    await edit(new KubeconfigEditor({ env: ours.env, state: path.join(ours.folder, 'state') }))
    for (const line of words) kubectl(theirs, ...line)
    assert.deepEqual(meaning(ours), meaning(theirs))
    const text = readFileSync(path.join(ours.folder, 'first'), 'utf8')
    assert.ok(text.startsWith('# the desk\napiVersion: v1\nkind: Config\n\nclusters:'))
    assert.ok(text.includes('# the one for every day'))
  })
}

test('kubectl refuses what we have locked, and we what kubectl has', { skip }, async (t) => {
  const of = pair(t)
  const editor = new KubeconfigEditor({ env: of.env, state: path.join(of.folder, 'state') })
  const lock = path.join(of.folder, 'first.lock')
  writeFileSync(lock, '')
  assert.throws(() => kubectl(of, 'use-context', 'prod-eu'), /first\.lock: file exists/)
  await assert.rejects(editor.setCurrent('prod-eu'), { reason: 'locked' })
  rmSync(lock)
  await editor.setCurrent('prod-eu')
  assert.equal(kubectl(of, 'current-context').trim(), 'prod-eu')
})

test('contexts of all files are listed with where they are and what connecting runs, and nothing is run for it', async (t) => {
  const of = pair(t)
  const state = path.join(of.folder, 'state')
  const rows = await kubeContexts({ env: of.env, state })
  assert.deepEqual(
    rows.map(({ name, namespace, auth, execCommand, file, current, production }) => [
      name,
      namespace,
      auth,
      execCommand,
      path.basename(file),
      current,
      production,
    ]),
    [
      ['embedded', '', 'none', '', '', false, false],
      ['daily', 'shop', 'token', '', 'first', true, false],
      ['prod-eu', '', 'exec', '/bin/false', 'first', false, true],
    ],
  )
  await markProduction('daily', true, state)
  await markProduction('prod-eu', false, state)
  const marked = await kubeContexts({ env: of.env, state })
  assert.deepEqual(
    marked.map(({ production }) => production),
    [false, true, false],
  )
})
