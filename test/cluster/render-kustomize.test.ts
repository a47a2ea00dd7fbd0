import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KustomizeSource } from '../../shared/model/application.ts'
import { valueAt } from '../../shared/model/json.ts'
import type { Json } from '../../shared/model/json.ts'
import type { Path } from '../../shared/model/pointer.ts'
import type { Rendered } from '../../shared/model/ports.ts'
import { RenderError } from '../../shared/render/errors.ts'
import type { RenderReason } from '../../shared/render/errors.ts'
import { createRenderer } from '../../shared/render/render.ts'
import { folderWith, writeFiles } from '../support/folder-checkout.ts'
import { deployment, kustomizeFiles } from '../support/kustomize-sample.ts'
import { renderRequest } from '../support/render-request.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

const skip = missingTools('kustomize', 'kubectl')
const tools = skip === false ? { kustomize: toolPath('kustomize'), kubectl: toolPath('kubectl') } : {}

async function rendered(
  path: string,
  kustomize: KustomizeSource | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<Rendered> {
  const { checkout, dispose } = await folderWith({ ...kustomizeFiles, ...more })
  try {
    const source = { path, ...(kustomize === undefined ? {} : { kustomize }) }
    return await createRenderer({ tools }).render(renderRequest(checkout, source), {})
  } finally {
    await dispose()
  }
}

async function refusal(
  path: string,
  kustomize: KustomizeSource | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<RenderError> {
  const error: unknown = await rendered(path, kustomize, more).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.ok(RenderError.is(error), String(error))
  return error
}

test('each object is traced to the document that it was made from', { skip }, async () => {
  const { manifests } = await rendered('overlay', undefined)
  const origins = manifests.map(
    ({ id, origin }) =>
      `${id.kind} ${id.name.replace(/-[0-9a-z]{10}$/, '')} ${origin?.file}:${origin?.start.line} #${origin?.document}`,
  )
  assert.deepEqual(origins.sort(), [
    'ConfigMap prod-settings base/kustomization.yaml:5 #0',
    'Deployment prod-api base/all.yaml:2 #0',
    'Deployment prod-api-canary base/all.yaml:20 #1',
    'Deployment prod-web base/web.yaml:1 #0',
  ])
  for (const { object, origin } of manifests) {
    assert.equal(object.metadata.annotations, undefined)
    assert.equal(origin?.exact, false)
  }
})

test(
  'a field stands where the outermost kustomization sets it, else where its object is written',
  { skip },
  async () => {
    const more = {
      'top/kustomization.yaml': `resources: [../overlay]
namespace: shop
components:
- ../component
labels:
- pairs:
    tier: front
replicas:
- name: api-canary
  count: 5
patches:
- patch: |-
    - op: add
      path: /spec/paused
      value: true
  target: {kind: Deployment, name: web}
- path: sidecar.yaml
`,
      'top/sidecar.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: prod-web}
spec:
  template:
    spec:
      containers:
      - name: first
        image: busybox
      - name: sidecar
        args: [a, b]
`,
    }
    const { checkout, dispose } = await folderWith({ ...kustomizeFiles, ...more })
    const renderer = createRenderer({ tools })
    const { manifests } = await renderer.render(renderRequest(checkout, { path: 'top' }), {})
    await dispose()
    const containers = ['spec', 'template', 'spec', 'containers']
    const table: readonly (readonly [string, Path, string])[] = [
      // Found by its name, wherever the patch has put it.
      ['prod-web', [...containers, 'first', 'image'], 'top/sidecar.yaml:9:9'],
      ['prod-web', [...containers, 'sidecar', 'args', 1], 'top/sidecar.yaml:11:19'],
      ['prod-web', [...containers, 'sidecar', 'image'], 'overlay/kustomization.yml:6:3'],
      ['prod-web', [...containers, 'c', 'image'], 'base/web.yaml:15:9'],
      ['prod-web', ['spec', 'paused'], 'top/kustomization.yaml:12:3'],
      ['prod-web', ['spec', 'replicas'], 'overlay/patch.yaml:1:39'],
      ['prod-web', ['spec', 'minReadySeconds'], 'component/patch.yaml:4:8'],
      ['prod-web', ['metadata', 'namespace'], 'top/kustomization.yaml:2:1'],
      ['prod-web', ['metadata', 'labels', 'env'], 'overlay/kustomization.yml:3:16'],
      ['prod-web', ['metadata', 'labels', 'tier'], 'top/kustomization.yaml:7:5'],
      ['prod-web', ['spec', 'template', 'metadata', 'labels', 'app'], 'base/web.yaml:11:16'],
      ['prod-api-canary', ['spec', 'replicas'], 'top/kustomization.yaml:10:3'],
      ['prod-api', ['spec', 'replicas'], 'base/all.yaml:7:3'],
    ]
    for (const [name, path, expected] of table) {
      const manifest = manifests.find(({ id }) => id.name === name)
      assert.ok(manifest !== undefined, name)
      const place = renderer.locate(manifest, withIndices(manifest.object, path))
      assert.equal(`${place?.file}:${place?.line}:${place?.column}`, expected, `${name} ${path.join('.')}`)
    }
  },
)

/** A path in which list items are called by their names. */
function withIndices(object: Json, path: Path): Path {
  const steps: (string | number)[] = []
  for (const step of path) {
    const here = valueAt(object, steps)
    const index = Array.isArray(here) ? here.findIndex((each: Json) => valueAt(each, ['name']) === step) : -1
    steps.push(index < 0 ? step : index)
  }
  return steps
}

test('origin annotations stay where the kustomization asks for them', { skip }, async () => {
  const { manifests } = await rendered('o', undefined, {
    'o/kustomization.yaml': 'resources: [../base]\nbuildMetadata: [originAnnotations, managedByLabel]\n',
  })
  for (const { object } of manifests) {
    assert.ok(object.metadata.annotations?.['config.kubernetes.io/origin'] !== undefined)
    assert.ok(object.metadata.labels?.['app.kubernetes.io/managed-by']?.startsWith('kustomize'))
  }
})

test('a base by URL is refused, with the place that names it, and nothing is fetched', { skip }, async () => {
  const table: readonly (readonly [string, string])[] = [
    ['resources', 'https://github.com/a/b//c?ref=v1'],
    ['resources', 'github.com/a/b'],
    ['resources', 'git@github.com:a/b.git//c'],
    ['components', 'git::ssh://example.org/a'],
    ['bases', 'https://example.org/all.yaml'],
    ['crds', 'https://example.org/crd.json'],
  ]
  for (const [field, target] of table) {
    const error = await refusal('o', undefined, { 'o/kustomization.yaml': `namePrefix: a-\n${field}:\n- ${target}\n` })
    assert.equal(error.reason, 'remote-base', target)
    assert.deepEqual(error.place, { file: 'o/kustomization.yaml', line: 3, column: 3 })
    assert.ok(error.message.includes(target))
  }
  const deep = await refusal('o', undefined, {
    'o/kustomization.yaml': 'resources: [../p]\n',
    'p/kustomization.yaml': 'resources: [https://example.org/a]\n',
  })
  assert.deepEqual(deep.place, { file: 'p/kustomization.yaml', line: 1, column: 13 })
  const patch = await refusal('o', undefined, {
    'o/kustomization.yaml': 'resources: [../base]\npatches:\n- path: https://example.org/p.yaml\n',
  })
  assert.equal(patch.reason, 'remote-base')
  assert.equal((await refusal('overlay', { components: ['https://example.org/c'] })).reason, 'remote-base')
})

test('what is wrong in a kustomization is said with its place, or in kustomize’s own words', { skip }, async () => {
  const table: readonly (readonly [string, RenderReason, RegExp])[] = [
    [
      'resources: [missing.yaml]\n',
      'path-missing',
      /^o\/kustomization\.yaml:1:13: resources names missing\.yaml, which does not exist$/,
    ],
    ['resources: [\n', 'broken-yaml', /^o\/kustomization\.yaml:2:1: /],
    ['resources: [../../outside]\n', 'path-outside', /leads out of the repository/],
    ['resources: [../base]\nnoSuchField: 1\n', 'tool-failed', /^kustomize: .*noSuchField/s],
    ['- a\n', 'not-an-object', /a map/],
    [
      'resources: [../base]\npatches:\n- patch: "- {op: remove, path: /nope}"\n  target: {kind: Deployment}\n',
      'tool-failed',
      /nope/,
    ],
  ]
  for (const [text, reason, message] of table) {
    const error = await refusal('o', undefined, { 'o/kustomization.yaml': text })
    assert.equal(error.reason, reason, error.message)
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /goroutine|\/tmp\//)
  }
  const two = await refusal('overlay', undefined, { 'overlay/kustomization.yaml': 'resources: [../base]\n' })
  assert.match(two.message, /can have one of them/)
})

test(
  'a kustomization is rendered again for what it reads, wherever that is, and for nothing else',
  { skip },
  async () => {
    const { root, checkout, dispose } = await folderWith(kustomizeFiles)
    const renderer = createRenderer({ tools })
    const request = renderRequest(checkout, { path: 'overlay' })
    const changes: readonly (readonly [Readonly<Record<string, string>>, boolean])[] = [
      [{ 'unrelated/a.yaml': 'a: 2\n' }, false],
      [{ 'base/not-named.yaml': 'a: 1\n', 'overlay/README.md': 'x' }, false],
      [{ 'component/patch.yaml': 'a: 1\n' }, false],
      [{ 'base/web.yaml': deployment('web').replace('replicas: 1', 'replicas: 2') }, true],
      [{ 'base/env.properties': 'C=2\n' }, true],
      [{ 'base/other.properties': 'b=2\n' }, true],
      [{ 'overlay/patch.yaml': '- {op: replace, path: /spec/replicas, value: 4}\n' }, true],
      [{ 'base/kustomization.yaml': `${kustomizeFiles['base/kustomization.yaml']}namespace: x\n` }, true],
    ]
    try {
      await renderer.render(request, {})
      for (const [change, again] of changes) {
        const before = renderer.counts.done
        await writeFiles(root, change)
        await renderer.render(request, {})
        assert.equal(renderer.counts.done - before, again ? 1 : 0, JSON.stringify(change))
      }
    } finally {
      await dispose()
    }
  },
)

test('files that only a configured plugin names are found, and watched from then on', { skip }, async () => {
  const more = {
    'o/kustomization.yaml': 'resources: [../base]\ntransformers: [t.yaml]\n',
    'o/t.yaml':
      'apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\npath: deep/p.yaml\ntarget: {kind: Deployment, name: web}\n',
    'o/deep/p.yaml': '- {op: replace, path: /spec/replicas, value: 7}\n',
  }
  const { root, checkout, dispose } = await folderWith({ ...kustomizeFiles, ...more })
  const renderer = createRenderer({ tools })
  const request = renderRequest(checkout, { path: 'o' })
  const replicas = async (): Promise<unknown> => {
    const { manifests } = await renderer.render(request, {})
    return valueAt(manifests.find(({ id }) => id.name === 'web')?.object, ['spec', 'replicas'])
  }
  try {
    assert.equal(await replicas(), 7)
    await writeFiles(root, { 'o/deep/p.yaml': '- {op: replace, path: /spec/replicas, value: 8}\n' })
    assert.equal(await replicas(), 8)
  } finally {
    await dispose()
  }
})
