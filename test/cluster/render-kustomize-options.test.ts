import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { KustomizeSource } from '../../shared/model/application.ts'
import { canonicalJson } from '../../shared/model/json.ts'
import type { Rendered } from '../../shared/model/ports.ts'
import { createRenderer } from '../../shared/render/render.ts'
import { YamlReader } from '../../shared/render/yaml/read.ts'
import { folderWith } from '../support/folder-checkout.ts'
import { kustomizeFiles } from '../support/kustomize-sample.ts'
import { renderRequest } from '../support/render-request.ts'
import { missingTools, toolPath } from '../support/tools/find.ts'

const skip = missingTools('kustomize', 'kubectl')
const tools = skip === false ? { kustomize: toolPath('kustomize'), kubectl: toolPath('kubectl') } : {}

async function rendered(kustomize: KustomizeSource): Promise<Rendered> {
  const { checkout, dispose } = await folderWith(kustomizeFiles)
  try {
    return await createRenderer({ tools }).render(renderRequest(checkout, { path: 'overlay', kustomize }), {})
  } finally {
    await dispose()
  }
}

/** The same through the real `kustomize edit`, as Argo CD runs it. */
async function judged(path: string, edits: readonly (readonly string[])[]): Promise<readonly string[]> {
  const { root, dispose } = await folderWith(kustomizeFiles)
  try {
    for (const words of edits)
      execFileSync(toolPath('kustomize'), ['edit', ...words], {
        cwd: join(root, path),
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    const output = execFileSync(toolPath('kustomize'), ['build', join(root, path)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return new YamlReader()
      .read(output, 'a.yaml')
      .map(({ value }) => canonicalJson(value))
      .sort()
  } finally {
    await dispose()
  }
}

test('options of an application do what kustomize edit does', { skip }, async () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const table: readonly (readonly [KustomizeSource, readonly (readonly string[])[]])[] = [
    [{}, []],
    [{ namePrefix: 'my-' }, [['set', 'nameprefix', 'my-']]],
    [{ nameSuffix: '-v2' }, [['set', 'namesuffix', '--', '-v2']]],
    [{ namespace: 'staging' }, [['set', 'namespace', 'staging']]],
    [{ images: ['nginx:1.26'] }, [['set', 'image', 'nginx:1.26']]],
    [{ images: ['nginx=mirror.example.org:5000/nginx'] }, [['set', 'image', 'nginx=mirror.example.org:5000/nginx']]],
    [
      { images: ['nginx=mirror/nginx:2', `registry.example.org:5000/team/web@${digest}`] },
      [['set', 'image', 'nginx=mirror/nginx:2', `registry.example.org:5000/team/web@${digest}`]],
    ],
    [{ images: ['nginx=*:1.27'] }, [['set', 'image', 'nginx=*:1.27']]],
    [{ images: ['nginx=other:*'] }, [['set', 'image', 'nginx=other:*']]],
    [{ images: [`nginx=other:3@${digest}`] }, [['set', 'image', `nginx=other:3@${digest}`]]],
    [
      {
        replicas: [
          { name: 'api', count: 4 },
          { name: 'web', count: '2' },
        ],
      },
      [['set', 'replicas', 'api=4', 'web=2']],
    ],
    [{ commonLabels: { team: 'a' } }, [['add', 'label', 'team:a']]],
    [{ commonLabels: { env: 'x' }, forceCommonLabels: true }, [['add', 'label', '--force', 'env:x']]],
    [{ commonLabels: { team: 'a' }, labelWithoutSelector: true }, [['add', 'label', '--without-selector', 'team:a']]],
    [
      { commonLabels: { team: 'a', b: 'c' }, labelWithoutSelector: true, labelIncludeTemplates: true },
      [['add', 'label', '--without-selector', '--include-templates', 'team:a', 'b:c']],
    ],
    [{ commonAnnotations: { note: 'x y' } }, [['add', 'annotation', 'note:x y']]],
    [{ components: ['../component'] }, [['add', 'component', '../component']]],
    [
      { patches: [{ patch: '- {op: replace, path: /spec/replicas, value: 9}', target: { kind: 'Deployment' } }] },
      [['add', 'patch', '--patch', '- {op: replace, path: /spec/replicas, value: 9}', '--kind', 'Deployment']],
    ],
  ]
  for (const [options, edits] of table) {
    const { manifests, type } = await rendered(options)
    assert.equal(type, 'Kustomize')
    const ours = manifests.map(({ object }) => canonicalJson(object)).sort()
    assert.deepEqual(ours, await judged('overlay', edits), JSON.stringify(options))
  }
})

test('options that kustomize edit refuses are refused', { skip }, async () => {
  const table: readonly (readonly [KustomizeSource, RegExp])[] = [
    [{ images: ['nginx'] }, /name=newName:tag@digest/],
    [{ commonLabels: { env: 'x' } }, /label env already.*forceCommonLabels/],
    [{ replicas: [{ name: 'web', count: 'many' }] }, /whole number/],
    [{ commonLabels: { a: 'b' }, labelIncludeTemplates: true }, /labelWithoutSelector/],
  ]
  for (const [options, message] of table) {
    await assert.rejects(rendered(options), { name: 'RenderError', reason: 'bad-option', message })
  }
})

test('kubectl has kustomize built in, and makes the same', { skip }, async () => {
  const { checkout, dispose } = await folderWith(kustomizeFiles)
  const built = createRenderer({ tools: { kubectl: tools.kubectl ?? '' } })
  const path = process.env['PATH']
  try {
    // Only what node and the loader need; no kustomize there.
    process.env['PATH'] = await mkdtemp(join(tmpdir(), 'no-tools-'))
    const { manifests } = await built.render(renderRequest(checkout, { path: 'overlay' }), {})
    const ours = manifests.map(({ object }) => canonicalJson(object)).sort()
    process.env['PATH'] = path
    assert.deepEqual(ours, await judged('overlay', []))
  } finally {
    process.env['PATH'] = path
    await dispose()
  }
})
