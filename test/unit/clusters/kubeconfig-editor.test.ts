import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  chmodSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { ClustersError } from '../../../shared/clusters/clusters-error.ts'
import { KubeconfigEditor } from '../../../shared/clusters/kubeconfig/kubeconfig-editor.ts'

const entry = (kind: 'context' | 'cluster' | 'user', name: string, body: string): string =>
  `- ${kind}: ${body}\n  name: ${name}\n`

const FIRST = `# first file
clusters:
${entry('cluster', 'shared', '{server: "https://a"}')}contexts:
${entry('context', 'one', '{cluster: shared, user: ada}')}current-context: one
`
const SECOND = `contexts:
${entry('context', 'two', '{cluster: shared, user: bob}')}users:
${entry('user', 'ada', '{token: t1}')}${entry('user', 'bob', '{token: t2}')}`

type Folder = {
  readonly first: string
  readonly second: string
  readonly folder: string
  readonly editor: KubeconfigEditor
}

function scaffold(t: TestContext): Folder {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-kubeconfig-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')]
  writeFileSync(first, FIRST, { mode: 0o640 })
  writeFileSync(second, SECOND)
  const env = { KUBECONFIG: [first, second, path.join(folder, 'absent')].join(path.delimiter) }
  return { first, second, folder, editor: new KubeconfigEditor({ env, state: path.join(folder, 'state') }) }
}

const read = (file: string): string => readFileSync(file, 'utf8')

test('the current context is set in the file that had one', async (t) => {
  const { first, second, editor } = scaffold(t)
  const { files } = await editor.setCurrent('two')
  assert.deepEqual(files, [first])
  assert.equal(read(first), FIRST.replace('current-context: one', 'current-context: two'))
  assert.equal(read(second), SECOND)
})

test('a deleted context takes along only what nothing else names, in whichever file that is', async (t) => {
  const { first, second, editor } = scaffold(t)
  const { summary, files } = await editor.deleteContext('one')
  assert.equal(summary, 'one is deleted, with user ada')
  assert.deepEqual(files, [first, second])
  assert.match(read(first), /# first file\nclusters:\n- cluster[\s\S]*contexts: \[\]\ncurrent-context: ""/)
  assert.ok(!read(second).includes('ada') && read(second).includes('bob'))
})

test('an edit is taken back byte for byte, and refused once somebody has edited since', async (t) => {
  const { first, second, editor } = scaffold(t)
  const edit = await editor.deleteContext('one')
  await editor.undo(edit.undo)
  assert.equal(read(first), FIRST)
  assert.equal(read(second), SECOND)
  const again = await editor.renameContext('two', 'three')
  writeFileSync(second, `${read(second)}# mine\n`)
  await assert.rejects(editor.undo(again.undo), (error) => ClustersError.is(error, 'changed'))
  assert.match(read(second), /three[\s\S]*# mine/)
})

test('a locked kubeconfig is named with its lock, and nothing is written', async (t) => {
  const { first, second, editor } = scaffold(t)
  writeFileSync(`${second}.lock`, '')
  const started = performance.now()
  await assert.rejects(editor.setCurrent('two'), (error) => {
    assert.ok(ClustersError.is(error, 'locked'))
    assert.ok(error.message.includes(`${second}.lock`), error.message)
    assert.ok(error.next.includes(`delete ${second}.lock`), error.next)
    return true
  })
  assert.ok(performance.now() - started < 10_000)
  assert.equal(read(first), FIRST)
  assert.ok(!existsSync(`${first}.lock`), 'the lock of the other file is given back')
})

async function add(name: string, by: KubeconfigEditor): Promise<unknown> {
  return by.put({ name, context: { cluster: name, user: name }, cluster: [name, {}], user: [name, {}] }, false)
}

test('edits at the same time wait for each other and none is lost', async (t) => {
  const { folder, editor, second } = scaffold(t)
  const other = new KubeconfigEditor({ env: {}, kubeconfig: second, state: path.join(folder, 'state') })
  const users = Array.from({ length: 12 }, (_, index) => `u${index}`)
  await Promise.all(users.map(async (name, index) => add(name, index % 2 === 0 ? editor : other)))
  const all = users.filter((name) =>
    [second, path.join(folder, 'absent')].some((file) => existsSync(file) && read(file).includes(`name: ${name}`)),
  )
  assert.deepEqual(all, users)
  assert.ok(!readdirSync(folder).some((name) => name.endsWith('.lock') || name.endsWith('.tmp')))
})

test('a linked kubeconfig stays a link, its mode stays, and a private copy of what it was is kept', async (t) => {
  const { folder, first } = scaffold(t)
  const link = path.join(folder, 'link')
  symlinkSync(first, link)
  const editor = new KubeconfigEditor({ env: {}, kubeconfig: link, state: path.join(folder, 'state') })
  for (let edit = 0; edit < 13; edit += 1) await editor.setNamespace('one', `n${edit}`)
  assert.ok(statSync(link).ino === statSync(first).ino)
  assert.equal(statSync(first).mode & 0o777, 0o640)
  const kept = readdirSync(path.join(folder, '.plumbline-backups'))
  assert.equal(kept.length, 10)
  for (const name of kept) assert.equal(statSync(path.join(folder, '.plumbline-backups', name)).mode & 0o777, 0o600)
})

test('an import keeps names apart, resolves its paths, and is undone whole', async (t) => {
  const { folder, editor, first } = scaffold(t)
  const imported = `contexts:\n${entry('context', 'new', '{cluster: c, user: n}')}clusters:\n${entry('cluster', 'c', '{server: "https://n", certificate-authority: pki/ca.crt}')}users:\n${entry('user', 'n', '{exec: {command: login}}')}`
  const from = path.join(folder, 'elsewhere', 'config')
  const { contexts, undo, files } = await editor.importText(imported, { from, replace: false })
  assert.deepEqual(contexts, ['new'])
  assert.ok(read(files[0] ?? '').includes(path.join(folder, 'elsewhere', 'pki', 'ca.crt')))
  await assert.rejects(editor.importText(imported, { replace: false }), (error) => ClustersError.is(error, 'exists'))
  await editor.undo(undo)
  assert.equal(read(first), FIRST)
})

test('a name that is taken, unknown or impossible is refused before anything is written', async (t) => {
  const { editor, first, second } = scaffold(t)
  await assert.rejects(editor.renameContext('one', 'two'), (error) => ClustersError.is(error, 'exists'))
  await assert.rejects(
    editor.setCurrent('none'),
    (error) => ClustersError.is(error, 'not-found') && error.next.includes('one, two'),
  )
  await assert.rejects(editor.setNamespace('one', 'No Namespace'), (error) => ClustersError.is(error, 'name'))
  assert.equal(read(first) + read(second), FIRST + SECOND)
})

test(
  'a folder that cannot be written is said, not lost',
  { skip: process.getuid?.() === 0 ? 'root may write anywhere' : false },
  async (t) => {
    const { folder, editor } = scaffold(t)
    chmodSync(folder, 0o500)
    t.after(() => chmodSync(folder, 0o700))
    await assert.rejects(editor.setCurrent('two'), (error) => ClustersError.is(error, 'kubeconfig'))
  },
)
