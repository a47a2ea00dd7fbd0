import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApplicationSource } from '../../../shared/model/application.ts'
import { RenderError } from '../../../shared/render/errors.ts'
import { ManifestMaker } from '../../../shared/render/manifests.ts'
import { overriddenSource } from '../../../shared/render/overrides.ts'
import { createRenderer } from '../../../shared/render/render.ts'
import { YamlReader } from '../../../shared/render/yaml/read.ts'
import { folderWith } from '../../support/folder-checkout.ts'
import { renderRequest } from '../../support/render-request.ts'

async function overridden(
  files: Readonly<Record<string, string>>,
  source: Partial<ApplicationSource>,
  name = 'shop',
): Promise<ApplicationSource> {
  const { checkout, dispose } = await folderWith(files)
  const parts = { reader: new YamlReader(), maker: new ManifestMaker() }
  try {
    return await overriddenSource(renderRequest(checkout, source, { name }), source.path ?? '', parts, {})
  } finally {
    await dispose()
  }
}

test('options come from the files beside the sources, the application’s own last, as merge patches', async () => {
  const files = {
    'app/.argocd-source.yaml': 'helm:\n  valueFiles: [a.yaml]\n  releaseName: x\n  skipCrds: true\n',
    'app/.argocd-source-shop.yaml':
      'helm:\n  releaseName: own\n  skipCrds: null\n  parameters:\n  - {name: image.tag, value: v2, forceString: true}\n',
    'app/.argocd-source-other.yaml': 'helm: {releaseName: z}\n',
  }
  const { helm } = await overridden(files, { path: 'app', helm: { valueFiles: ['b.yaml'], namespace: 'n' } })
  assert.deepEqual(helm, {
    valueFiles: ['a.yaml'],
    namespace: 'n',
    releaseName: 'own',
    parameters: [{ name: 'image.tag', value: 'v2', forceString: true }],
  })
})

test('the place of a source cannot be overridden, nor a field that is not known', async () => {
  const files = {
    '.argocd-source.yaml': 'path: /etc\nrepoURL: https://example.org\nkustomize: {images: [a:2], version: v1}\n',
  }
  const source = await overridden(files, { path: '' })
  assert.equal(source.path, '')
  assert.equal(source.repoURL, 'file:///repository')
  assert.deepEqual(source.kustomize, { images: ['a:2'] })
})

test('a name cannot lead to a file elsewhere', async () => {
  const source = await overridden({ 'x.yaml': 'helm: {}\n' }, { path: '' }, '../../x')
  assert.equal(source.helm, undefined)
})

test('what is malformed is refused at its place', async () => {
  const table: readonly (readonly [string, number, number])[] = [
    ['helm: 3\n', 1, 1],
    ['helm:\n  valueFiles: a.yaml\n', 2, 3],
    ['helm:\n  parameters:\n  - 3\n', 2, 3],
    ['helm: {parameters: [{name: a, value: 3}]}\n', 1, 8],
    ['kustomize:\n  commonLabels: {a: 1}\n', 2, 3],
    ['directory: {recurse: "true"}\n', 1, 13],
    ['- a\n', 1, 1],
  ]
  for (const [text, line, column] of table) {
    await assert.rejects(overridden({ '.argocd-source.yaml': text }, { path: '' }), (error: unknown) => {
      assert.ok(RenderError.is(error, 'bad-option'), text)
      assert.deepEqual(error.place, { file: '.argocd-source.yaml', line, column }, text)
      return true
    })
  }
})

test('a source that is only a reference has no manifests of its own', async () => {
  const { checkout, dispose } = await folderWith({ 'a.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n' })
  const { manifests } = await createRenderer().render(renderRequest(checkout, { path: '', ref: 'values' }), {})
  assert.equal(manifests.length, 0)
  await dispose()
})
