import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { HelmSource } from '../../shared/model/application.ts'
import { canonicalJson } from '../../shared/model/json.ts'
import type { Rendered } from '../../shared/model/ports.ts'
import { RenderError } from '../../shared/render/errors.ts'
import type { RenderReason } from '../../shared/render/errors.ts'
import { createRenderer } from '../../shared/render/render.ts'
import { YamlReader } from '../../shared/render/yaml/read.ts'
import { folderWith, writeFiles } from '../support/folder-checkout.ts'
import { chartFiles } from '../support/helm-sample.ts'
import { renderRequest } from '../support/render-request.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

const skip = missingTools('helm')
const tools = skip === false ? { helm: toolPath('helm') } : {}

type Files = Readonly<Record<string, string>>

async function rendered(helm: HelmSource | undefined, more: Files = {}, path = 'chart'): Promise<Rendered> {
  const { checkout, dispose } = await folderWith({ ...chartFiles, ...more })
  const other = await folderWith({ 'values/dev.yaml': 'replicas: 9\n', 'text.txt': 'referred' })
  try {
    const request = renderRequest(
      checkout,
      { path, ...(helm === undefined ? {} : { helm }) },
      { name: 'shop', namespace: 'store', references: new Map([['values', other.checkout]]) },
    )
    return await createRenderer({ tools }).render(request, {})
  } finally {
    await dispose()
    await other.dispose()
  }
}

async function refusal(helm: HelmSource | undefined, more: Files = {}): Promise<RenderError> {
  const error: unknown = await rendered(helm, more).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(RenderError.is(error), String(error))
  return error
}

function object({ manifests }: Rendered, kind: string): { readonly [key: string]: unknown } {
  const found = manifests.find(({ id }) => id.kind === kind)
  assert.ok(found !== undefined, kind)
  return found.object
}

async function replicas(helm: HelmSource): Promise<unknown> {
  return (object(await rendered(helm), 'Deployment')['spec'] as { replicas: unknown }).replicas
}

test('options of an application are what helm template is given', { skip }, async () => {
  const base = ['--include-crds', '--namespace', 'store', '--kube-version', '1.36.2']
  const table: readonly (readonly [HelmSource | undefined, readonly string[]])[] = [
    [undefined, ['shop', ...base]],
    [{ releaseName: 'other' }, ['other', ...base]],
    [{ namespace: 'own' }, ['shop', '--include-crds', '--namespace', 'own', '--kube-version', '1.36.2']],
    [{ skipCrds: true }, ['shop', '--namespace', 'store', '--kube-version', '1.36.2']],
    [{ skipTests: true }, ['shop', ...base, '--skip-tests']],
    [{ kubeVersion: '1.30.0' }, ['shop', '--include-crds', '--namespace', 'store', '--kube-version', '1.30.0']],
    [{ apiVersions: ['monitoring.coreos.com/v1'] }, ['shop', ...base, '--api-versions', 'monitoring.coreos.com/v1']],
    [{ valueFiles: ['values-prod.yaml'] }, ['shop', ...base, '--values', 'chart/values-prod.yaml']],
    [
      { valueFiles: ['values-prod.yaml', '../shared/values.yaml'] },
      ['shop', ...base, '--values', 'chart/values-prod.yaml', '--values', 'shared/values.yaml'],
    ],
    [
      { valueFiles: ['/shared/values.yaml', 'values-prod.yaml'] },
      ['shop', ...base, '--values', 'shared/values.yaml', '--values', 'chart/values-prod.yaml'],
    ],
    [
      {
        parameters: [
          { name: 'image.tag', value: '2' },
          { name: 'text', value: 'a,b' },
        ],
      },
      ['shop', ...base, '--set', 'image.tag=2', '--set', String.raw`text=a\,b`],
    ],
    [{ parameters: [{ name: 'list', value: '{a,b}' }] }, ['shop', ...base, '--set', 'list={a,b}']],
    [
      { parameters: [{ name: 'text', value: '0123', forceString: true }] },
      ['shop', ...base, '--set-string', 'text=0123'],
    ],
    [
      { fileParameters: [{ name: 'file', path: '../shared/text.txt' }] },
      ['shop', ...base, '--set-file', 'file=shared/text.txt'],
    ],
  ]
  const judge = await folderWith(chartFiles)
  for (const [helm, words] of table) {
    const [release = '', ...flags] = words
    const output = execFileSync(toolPath('helm'), ['template', release, './chart', ...flags], {
      cwd: judge.root,
      encoding: 'utf8',
    })
    const theirs = new YamlReader().read(output, 'judge.yaml').map(({ value }) => canonicalJson(value))
    const { manifests, type } = await rendered(helm)
    assert.equal(type, 'Helm')
    assert.deepEqual(
      manifests.map(({ object }) => canonicalJson(object)),
      theirs,
      JSON.stringify(helm),
    )
  }
  await judge.dispose()
})

test(
  'values win in Argo CD’s order: value files, values, parameters; valuesObject replaces values',
  { skip },
  async () => {
    const valueFiles = ['values-prod.yaml']
    assert.equal(await replicas({ valueFiles }), 3)
    assert.equal(await replicas({ valueFiles, values: 'replicas: 4' }), 4)
    assert.equal(await replicas({ valueFiles, values: 'replicas: 4', valuesObject: { replicas: 6 } }), 6)
    assert.equal(
      await replicas({ valueFiles, valuesObject: { replicas: 6 }, parameters: [{ name: 'replicas', value: '7' }] }),
      7,
    )
    assert.equal(await replicas({ valueFiles: ['none.yaml', 'values-prod.yaml'], ignoreMissingValueFiles: true }), 3)
  },
)

test('value files of another source are read from its checkout', { skip }, async () => {
  const helm = { valueFiles: ['$values/values/dev.yaml'], fileParameters: [{ name: 'file', path: '$values/text.txt' }] }
  const result = await rendered(helm)
  assert.equal((object(result, 'Deployment')['spec'] as { replicas: unknown }).replicas, 9)
  assert.equal((object(result, 'ConfigMap')['data'] as { file: unknown }).file, 'referred')
  const unknown = await refusal({ valueFiles: ['$nobody/a.yaml'] })
  assert.equal(unknown.reason, 'bad-option')
  assert.match(unknown.message, /no source has `ref: nobody`/)
})

test('the build environment is known in parameters and values', { skip }, async () => {
  const result = await rendered({
    values: 'text: ${ARGOCD_APP_NAME}',
    parameters: [{ name: 'image.tag', value: '$ARGOCD_APP_SOURCE_PATH' }],
  })
  assert.equal((object(result, 'ConfigMap')['data'] as { text: unknown }).text, 'shop')
  assert.match(canonicalJson(object(result, 'Deployment') as never), /nginx:chart/)
})

test('what helm writes is read as kubectl reads it', { skip }, async () => {
  assert.match(canonicalJson(object(await rendered(undefined), 'Deployment') as never), /"args":\[true\]/)
})

test('each object is traced to its template, CRDs and parts of a file too', { skip }, async () => {
  const { manifests } = await rendered(undefined)
  const origins = manifests.map(
    ({ id, origin }) => `${id.kind} ${id.name} ${origin?.file}:${origin?.start.line} #${origin?.document}`,
  )
  assert.deepEqual(origins.sort(), [
    'ConfigMap shop-the-chart-config chart/templates/all.yaml:2 #0',
    'CustomResourceDefinition as.example.org chart/crds/crd.yaml:1 #0',
    'CustomResourceDefinition bs.example.org chart/crds/crd.yaml:5 #1',
    'Deployment shop-the-chart-web chart/templates/web.yaml:2 #0',
    'Pod check chart/templates/tests/test.yaml:1 #0',
    'Service shop-the-chart-web chart/templates/all.yaml:15 #1',
  ])
})

const library: Files = {
  'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 0.1.0\n',
  'lib/templates/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: from-lib}\n',
}
const needing = (repository: string): string =>
  `${chartFiles['chart/Chart.yaml']}dependencies:\n- name: lib\n  version: 0.1.0\n  repository: ${repository}\n`

test('a List that a template makes is taken apart', { skip }, async () => {
  const list =
    'apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: one}}\n- {apiVersion: v1, kind: Pod, metadata: {name: two}}\n'
  const { manifests } = await rendered(undefined, { 'chart/templates/list.yaml': list })
  const names = manifests.filter(({ origin }) => origin?.file.endsWith('list.yaml')).map(({ id }) => id.name)
  assert.deepEqual(names, ['one', 'two'])
})

test('a dependency that is not there is named, with what to run', { skip }, async () => {
  const error = await refusal(undefined, { 'chart/Chart.yaml': needing('https://charts.example.org') })
  assert.equal(error.reason, 'missing-dependency')
  assert.deepEqual(error.place, { file: 'chart/Chart.yaml', line: 5, column: 3 })
  assert.match(
    error.message,
    /the chart needs lib, which is not in chart\/charts; run `helm dependency build chart` and commit/,
  )
})

test('a vendored dependency is used, and one of the same repository is found', { skip }, async () => {
  const vendored = Object.fromEntries(Object.entries(library).map(([path, text]) => [`chart/charts/${path}`, text]))
  const first = await rendered(undefined, { ...vendored, 'chart/Chart.yaml': needing('https://charts.example.org') })
  assert.equal(
    first.manifests.find(({ id }) => id.kind === 'Secret')?.origin?.file,
    'chart/charts/lib/templates/secret.yaml',
  )
  const second = await rendered(undefined, { ...library, 'chart/Chart.yaml': needing('file://../lib') })
  assert.equal(second.manifests.find(({ id }) => id.kind === 'Secret')?.origin?.file, 'lib/templates/secret.yaml')
  const outside = await refusal(undefined, { 'chart/Chart.yaml': needing('file://../../etc') })
  assert.equal(outside.reason, 'path-outside')
})

test('what is wrong is said with its place, or in helm’s own words', { skip }, async () => {
  const table: readonly (readonly [HelmSource | undefined, Files, RenderReason, RegExp])[] = [
    [{ valueFiles: ['none.yaml'] }, {}, 'path-missing', /none\.yaml does not exist \(set ignoreMissingValueFiles/],
    [{ valueFiles: ['../../etc/passwd'] }, {}, 'path-outside', /leads out of the repository/],
    [{ valueFiles: ['https://example.org/v.yaml'] }, {}, 'remote-base', /fetched from the network/],
    [{ values: 'a: [' }, {}, 'tool-failed', /^helm: .*values\.yaml/s],
    [undefined, { 'chart/templates/bad.yaml': 'a: {{ .Values.x.y.z }}\n' }, 'tool-failed', /nil pointer/],
    [undefined, { 'chart/templates/bad.yaml': 'a: {{ fail "no such luck" }}\n' }, 'tool-failed', /no such luck/],
    [
      undefined,
      { 'chart/templates/bad.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: [\n' },
      'tool-failed',
      /bad\.yaml/,
    ],
    [
      undefined,
      { 'chart/templates/bad.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: 1}\n' },
      'bad-metadata',
      /^chart\/templates\/bad\.yaml:1:1: metadata\.name must be text/,
    ],
    [undefined, { 'chart/values.schema.json': '{"required": ["nope"]}' }, 'tool-failed', /nope/],
    [undefined, { 'chart/Chart.yaml': '- a\n' }, 'not-an-object', /^chart\/Chart\.yaml:1:1/],
  ]
  for (const [helm, more, reason, message] of table) {
    const error = await refusal(helm, more)
    assert.equal(error.reason, reason, error.message)
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /goroutine|\/tmp\//)
  }
  const bad = await refusal(undefined, { 'chart/templates/bad.yaml': '\n\na: {{ .Values.x.y.z }}\n' })
  assert.deepEqual(bad.place, { file: 'chart/templates/bad.yaml', line: 3, column: 14 })
})

test('options that look like flags stay values', { skip }, async () => {
  const error = await refusal({ releaseName: '--post-renderer=/bin/sh' })
  assert.equal(error.reason, 'tool-failed')
  assert.match(error.message, /release name|invalid/i)
})

test('a chart is rendered again for what it reads, wherever that is, and for nothing else', { skip }, async () => {
  const { root, checkout, dispose } = await folderWith({
    ...chartFiles,
    ...library,
    'chart/Chart.yaml': needing('file://../lib'),
  })
  const renderer = createRenderer({ tools })
  const helm = { valueFiles: ['../shared/values.yaml', 'later.yaml'], ignoreMissingValueFiles: true }
  const request = renderRequest(checkout, { path: 'chart', helm })
  const changes: readonly (readonly [Files, boolean])[] = [
    [{ 'README.md': 'x', 'shared/other.yaml': 'x' }, false],
    [{ 'shared/values.yaml': 'replicas: 6\n' }, true],
    [{ 'chart/later.yaml': 'replicas: 8\n' }, true],
    [{ 'lib/templates/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: changed}\n' }, true],
    [{ 'chart/values.yaml': `${chartFiles['chart/values.yaml']}more: 1\n` }, true],
  ]
  try {
    await renderer.render(request, {})
    for (const [change, again] of changes) {
      const before = renderer.counts.done
      await writeFiles(root, change)
      await renderer.render(request, {})
      assert.equal(renderer.counts.done - before, again ? 1 : 0, JSON.stringify(change))
    }
    const before = renderer.counts.done
    await renderer.render({ ...request, kubeVersion: '1.30.0' }, {})
    assert.equal(renderer.counts.done, before + 1)
  } finally {
    await dispose()
  }
})
