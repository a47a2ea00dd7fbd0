import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { canonicalJson, isArray, parseJson } from '../../shared/model/json.ts'
import type { Json } from '../../shared/model/json.ts'
import type { Manifest } from '../../shared/model/manifest.ts'
import { createRenderer } from '../../shared/render/render.ts'
import { YamlReader } from '../../shared/render/yaml/read.ts'
import { checkoutOf } from '../support/folder-checkout.ts'
import { renderRequest } from '../support/render-request.ts'
import { findTool, missingTools, toolPath } from '../support/tools/find.ts'

const corpora = fileURLToPath(new URL('../../../shared/corpora', import.meta.url))
const missing = existsSync(corpora) ? false : 'no ../shared/corpora beside the repository'

const folders = missing === false ? foldersWithYaml() : []
const kustomizations = folders.filter((folder) => existsSync(join(corpora, folder, 'kustomization.yaml')))
const plain = folders.filter((folder) => !kustomizations.includes(folder))

function foldersWithYaml(): readonly string[] {
  const files = readdirSync(corpora, { recursive: true, withFileTypes: true })
  const found = files.filter(
    (each) => each.isFile() && !each.name.startsWith('.') && /\.(?:ya?ml|json)$/.test(each.name),
  )
  return [...new Set(found.map((each) => relative(corpora, each.parentPath)))].sort()
}

function renderer() {
  const tools = ['kustomize', 'kubectl', 'helm'].flatMap((name) => {
    const found = findTool(name as 'kustomize' | 'kubectl' | 'helm')
    return found.kind === 'found' ? [[name, found.path] as const] : []
  })
  return createRenderer({ tools: Object.fromEntries(tools) })
}

/** What kubectl reads from files, without a server: an empty patch, applied locally. */
function kubectlReads(args: readonly string[], input?: string): readonly Json[] {
  const patch = ['patch', '--local', '--type=json', '-p', '[]', '-o', 'json', ...args]
  const output = execFileSync(toolPath('kubectl'), patch, { encoding: 'utf8', input, maxBuffer: 2 ** 28 })
  // One JSON object after the other.
  return output
    .split(/(?<=^\})\n/m)
    .filter((text) => text.trim() !== '')
    .map((text) => parseJson(text))
}

function sortedTexts(list: readonly Json[]): readonly string[] {
  return list.map((each) => canonicalJson(each)).sort()
}

function same(ours: readonly Manifest[], theirs: readonly Json[], what: string): void {
  assert.deepEqual(sortedTexts(ours.map(({ object }) => object)), sortedTexts(theirs), what)
}

test('plain folders hold what kubectl reads from them', { skip: missing }, async (t) => {
  const lacking = missingTools('kubectl')
  if (lacking !== false) return t.skip(lacking)
  let objects = 0
  for (const folder of plain) {
    const rendered = await renderer().render(renderRequest(checkoutOf(corpora), { path: folder, directory: {} }), {})
    same(rendered.manifests, kubectlReads(['-f', join(corpora, folder)]), folder)
    objects += rendered.manifests.length
  }
  t.diagnostic(`${plain.length} folders, ${objects} objects`)
})

test('every field of every plain file is found at a line that names it', { skip: missing }, async (t) => {
  let fields = 0
  for (const folder of plain) {
    const own = renderer()
    const { manifests } = await own.render(renderRequest(checkoutOf(corpora), { path: folder, directory: {} }), {})
    for (const manifest of manifests) {
      const lines = readFileSync(join(corpora, manifest.origin?.file ?? ''), 'utf8').split('\n')
      for (const path of pathsOf(manifest.object, [])) {
        const place = own.locate(manifest, path)
        const rest = lines[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1) ?? ''
        const key = path.at(-1)
        if (typeof key === 'string')
          assert.ok(rest.replace(/^["']/, '').startsWith(key), `${place?.file}:${place?.line} ${path.join('.')}`)
        fields += 1
      }
    }
  }
  t.diagnostic(`${fields} fields`)
})

function pathsOf(value: Json | undefined, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value)
  return [path, ...entries.flatMap(([key, item]) => pathsOf(item, [...path, key]))].filter((each) => each.length > 0)
}

test('kustomizations make what kubectl kustomize makes', { skip: missing }, async (t) => {
  const lacking = missingTools('kubectl')
  if (lacking !== false) return t.skip(lacking)
  let objects = 0
  const refused: string[] = []
  for (const folder of kustomizations) {
    const request = renderRequest(checkoutOf(corpora), { path: folder })
    const judged = kustomize(join(corpora, folder))
    if (judged === undefined) {
      // A component on its own, or a kustomization that kubectl refuses: so must we.
      await assert.rejects(renderer().render(request, {}), { name: 'RenderError' }, folder)
      refused.push(folder)
      continue
    }
    const rendered = await renderer().render(request, {})
    assert.equal(rendered.type, 'Kustomize')
    const documents = new YamlReader().read(judged, 'judge.yaml').map(({ value }) => value)
    same(rendered.manifests, documents, folder)
    for (const { origin, object } of rendered.manifests) {
      const file = origin?.file ?? ''
      assert.ok(existsSync(join(corpora, file)), `${file} of ${object.metadata.name}`)
      assert.equal(origin?.exact, false)
    }
    objects += rendered.manifests.length
  }
  t.diagnostic(
    `${kustomizations.length} kustomizations, ${objects} objects, refused by both: ${refused.join(', ') || 'none'}`,
  )
})

function kustomize(folder: string): string | undefined {
  try {
    return execFileSync(toolPath('kubectl'), ['kustomize', folder], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    })
  } catch {
    return undefined
  }
}

test('a kustomization is given no more of the repository than it reads', { skip: missing }, async () => {
  const checkout = checkoutOf(corpora)
  const folder = kustomizations.find((each) => each.endsWith('kustomize-guestbook')) ?? ''
  const own = renderer()
  await own.render(renderRequest(checkout, { path: folder }), {})
  assert.ok(checkout.reads.every((path) => dirname(path) === folder))
})
