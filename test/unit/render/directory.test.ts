import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { ApplicationSource } from '../../../shared/model/application.ts'
import type { Rendered } from '../../../shared/model/ports.ts'
import { RenderError } from '../../../shared/render/errors.ts'
import type { RenderReason } from '../../../shared/render/errors.ts'
import { createRenderer } from '../../../shared/render/render.ts'
import { folderWith } from '../../support/folder-checkout.ts'
import { renderRequest } from '../../support/render-request.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

const pod = (name: string): string => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n`

const item = (name: string): object => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } })
const hpa = (version: string): string =>
  `apiVersion: autoscaling/${version}\nkind: HorizontalPodAutoscaler\nmetadata: {name: a, namespace: b}\n`

const list = (kind: string, ...items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind, items })

async function rendered(files: Files, source: Partial<ApplicationSource> = {}): Promise<Rendered> {
  const { checkout, dispose } = await folderWith(files)
  try {
    return await createRenderer().render(renderRequest(checkout, source), {})
  } finally {
    await dispose()
  }
}

async function names(files: Files, source: Partial<ApplicationSource> = {}): Promise<string> {
  return (await rendered(files, source)).manifests.map(({ id }) => id.name).join(' ')
}

async function refusal(files: Files, source: Partial<ApplicationSource> = {}): Promise<RenderError> {
  const error: unknown = await rendered(files, source).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(RenderError.is(error), String(error))
  return error
}

test('a folder means its own files, with recurse those below too, in the order of their paths', async () => {
  const files = {
    'app/b.yml': pod('b'),
    'app/a.yaml': pod('a'),
    'app/sub/c.yaml': pod('c'),
    'app/n.txt': 'x',
    'z.yaml': pod('z'),
  }
  assert.equal(await names(files, { path: 'app' }), 'a b')
  assert.equal(await names(files, { path: './app/' }), 'a b')
  assert.equal(await names(files, { path: 'app', directory: { recurse: true } }), 'a b c')
  assert.equal(await names(files, { path: '.', directory: { recurse: true } }), 'a b c z')
})

test('include and exclude choose files as Argo CD does: a star crosses slashes, exclude wins', async () => {
  const files = {
    'a.yaml': pod('a'),
    'b.yml': pod('b'),
    'x/a.yaml': pod('xa'),
    'x/y/c.yaml': pod('c'),
    'config.yaml': pod('config'),
  }
  const table: readonly (readonly [{ include?: string; exclude?: string }, string])[] = [
    [{ include: '*.yml' }, 'b'],
    [{ include: '*.yaml' }, 'a config xa c'],
    [{ include: '{a.yaml,b.yml}' }, 'a b'],
    [{ include: '**/a.yaml' }, 'xa'],
    [{ include: 'x/*' }, 'xa c'],
    [{ exclude: '{config.yaml,x/*}' }, 'a b'],
    [{ include: '*.yaml', exclude: 'x/y/*' }, 'a config xa'],
    [{ include: '[!a]*' }, 'b config xa c'],
    [{ include: '?.y?ml' }, 'a'],
  ]
  for (const [globs, expected] of table) {
    assert.equal(await names(files, { directory: { recurse: true, ...globs } }), expected, JSON.stringify(globs))
  }
  assert.equal((await refusal(files, { directory: { include: '{a' } })).reason, 'bad-option')
})

test('lists are taken apart, also typed and nested ones, and an empty list is nothing', async () => {
  assert.equal(
    await names({
      'a.json': list('List', item('a'), item('b')),
      'b.yaml': list('PodList', { metadata: { name: 'c' } }),
      'c.yaml': list('List', { apiVersion: 'v1', kind: 'List', items: [item('d')] }),
      'd.yaml': 'apiVersion: v1\nkind: List\nitems: []\n',
      'e.yaml': 'apiVersion: v1\nkind: List\nitems:\n',
    }),
    'a b c d',
  )
})

test('a file that is no manifest is passed over with a warning, as Argo CD does', async () => {
  const result = await rendered({
    'a.yaml': pod('a'),
    'values.yaml': 'image: {tag: x}\n',
    'ci.yaml': '- step\n- step\n',
    'broken.yaml': 'a: [\n',
    'x.jsonnet': '{}',
    'skipped.yaml': `# +argocd:skip-file-rendering\n${pod('no')}`,
  })
  assert.equal(result.manifests.length, 1)
  assert.deepEqual(
    result.warnings.map((warning) => warning.split(' ')[0]),
    ['broken.yaml', 'ci.yaml', 'values.yaml', 'x.jsonnet'],
  )
})

test('a file that looks like a manifest and is broken is an error with its place', async () => {
  const table: readonly (readonly [Files, RenderReason, string, number, number])[] = [
    [{ 'a/b.yaml': `${pod('a')}spec: [\n` }, 'broken-yaml', 'a/b.yaml', 6, 1],
    [{ 'a/b.yaml': `${pod('a')}---\nfoo: bar\n` }, 'not-an-object', 'a/b.yaml', 6, 1],
    [{ 'a/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {}\n' }, 'bad-metadata', 'a/b.yaml', 3, 1],
    [{ 'a/b.yaml': 'apiVersion: v1\nkind: Pod\n' }, 'not-an-object', 'a/b.yaml', 1, 1],
    [{ 'a/b.yaml': 'kind: Pod\nmetadata: {name: a}\n' }, 'not-an-object', 'a/b.yaml', 1, 1],
    [{ 'a/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: y\n' }, 'bad-metadata', 'a/b.yaml', 4, 3],
    [
      { 'a/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: 12}\n' },
      'bad-metadata',
      'a/b.yaml',
      3,
      21,
    ],
    [
      { 'a/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n    on: a\n    b: on\n' },
      'bad-metadata',
      'a/b.yaml',
      7,
      5,
    ],
    [
      { 'a/b.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a, annotations: [b]}\n' },
      'bad-metadata',
      'a/b.yaml',
      3,
      21,
    ],
    [{ 'a/b.json': '{"a": 1}' }, 'not-an-object', 'a/b.json', 1, 1],
    [{ 'a/b.yaml': Buffer.from(`${pod('a')}# \xff\n`, 'latin1') }, 'bad-encoding', 'a/b.yaml', 5, 3],
  ]
  for (const [files, reason, file, line, column] of table) {
    const error = await refusal(files, { path: 'a' })
    assert.equal(error.reason, reason, error.message)
    assert.deepEqual(error.place, { file, line, column }, error.message)
  }
  const { message } = await refusal({ 'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: y\n' })
  assert.equal(message, 'a.yaml:4:3: metadata.name must be text, but YAML reads it as the boolean true; quote it')
})

test('two documents of one identity are an error that names both places', async () => {
  const error = await refusal({ 'a.yaml': `${pod('x')}---\n${pod('a')}`, 'b.yaml': `# comment\n${pod('a')}` })
  assert.equal(error.reason, 'duplicate-object')
  assert.equal(error.message, 'Pod a is defined twice: at a.yaml:6:1 and at b.yaml:2:1')
  assert.deepEqual(error.place, { file: 'b.yaml', line: 2, column: 1 })
  assert.match(
    (await refusal({ 'a.yaml': `${hpa('v1')}---\n${hpa('v2')}` })).message,
    /HorizontalPodAutoscaler b\/a is defined twice/,
  )
})

test('objects with generateName have no name, and any number of them may be alike', async () => {
  const hook = 'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: hook-}\n'
  assert.equal(await names({ 'a.yaml': `${hook}---\n${hook}` }), ' ')
})

test('a null name or label map says the same as none', async () => {
  const { manifests } = await rendered({
    'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n  annotations: ~\n  namespace:\n',
  })
  assert.deepEqual(manifests[0]?.object.metadata, { name: 'a' })
})

test('a huge file is refused, whether or not its size is known before', async () => {
  const huge = `${pod('a')}data: "${'x'.repeat(50 * 1024 * 1024)}"\n`
  const error = await refusal({ 'huge.yaml': huge })
  assert.equal(error.reason, 'too-large')
  assert.match(error.message, /^huge\.yaml has 50 MiB; a manifest file may have 16 MiB$/)
  const many = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`${index}.yaml`, 'x'.repeat(15 * 1024 * 1024)]),
  )
  assert.match((await refusal(many)).message, /75 MiB together/)
})

test('a path that leads out of the repository, or to nothing, or to a file is refused', async () => {
  const files = { 'app/a.yaml': pod('a') }
  for (const path of ['..', 'app/../../etc', '/etc', 'C:\\x', 'a\0b']) {
    assert.equal((await refusal(files, { path })).reason, 'path-outside', path)
  }
  assert.equal((await refusal(files, { path: 'nothing' })).reason, 'path-missing')
  assert.match(
    (await refusal(files, { path: 'app/a.yaml' })).message,
    /is a file; the source's path must name a folder/,
  )
})

test('a link to a manifest is read, a link to nothing is passed over', async () => {
  const { root, checkout, dispose } = await folderWith({ 'app/a.yaml': pod('a'), 'other/b.yaml': pod('b') })
  try {
    await symlink('../other/b.yaml', join(root, 'app/b.yaml'))
    const result = await createRenderer().render(renderRequest(checkout, { path: 'app' }), {})
    assert.deepEqual(
      result.manifests.map(({ id }) => id.name),
      ['a', 'b'],
    )
  } finally {
    await dispose()
  }
})

test('UTF-16 and byte order marks are read', async () => {
  assert.equal(
    await names({ 'a.yaml': `\uFEFF${pod('a')}`, 'b.yaml': Buffer.from(`\uFEFF${pod('b')}`, 'utf16le') }),
    'a b',
  )
})

test('a source of two types, or from a Helm repository, is refused', async () => {
  const files = { 'a.yaml': pod('a') }
  assert.equal((await refusal(files, { directory: {}, helm: {} })).reason, 'bad-option')
  const chart = await refusal(files, { chart: 'redis', repoURL: 'https://charts.example.org' })
  assert.equal(chart.reason, 'unsupported-source')
  assert.match(chart.message, /helm pull --untar/)
})

test('a cancelled render ends as cancelled, not as failed', async () => {
  const { checkout, dispose } = await folderWith({ 'a.yaml': pod('a') })
  const render = createRenderer().render(renderRequest(checkout, {}), { signal: AbortSignal.abort() })
  await assert.rejects(render, { name: 'CancelledError' })
  await dispose()
})
