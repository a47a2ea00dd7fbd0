import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Manifest } from '../../../shared/model/manifest.ts'
import type { Path } from '../../../shared/model/pointer.ts'
import { fromPointer } from '../../../shared/model/pointer.ts'
import { ManifestMaker } from '../../../shared/render/manifests.ts'
import { YamlReader } from '../../../shared/render/yaml/read.ts'

const maker = new ManifestMaker()

function manifestsOf(text: string, file = 'dir/a.yaml'): readonly Manifest[] {
  return new YamlReader().read(text, file).flatMap((document) => maker.fromDocument(document, file))
}

/** Checks paths against marks: `«n»` in the text stands before the character that path n is expected at. */
function check(
  marked: string,
  paths: readonly (readonly [number, Path])[],
  options: { file?: string; object?: number } = {},
): void {
  const marks = new Map<number, { line: number; column: number }>()
  const text = marked
    .split('\n')
    .map((line, index) => {
      let clean = line
      for (let mark = /«(\d+)»/.exec(clean); mark !== null; mark = /«(\d+)»/.exec(clean)) {
        marks.set(Number(mark[1]), { line: index + 1, column: mark.index + 1 })
        clean = clean.replace(mark[0], '')
      }
      return clean
    })
    .join('\n')
  const file = options.file ?? 'dir/a.yaml'
  const manifest = manifestsOf(text, file)[options.object ?? 0]
  assert.ok(manifest?.origin !== undefined)
  for (const [mark, path] of paths) {
    assert.deepEqual(maker.locate(manifest.origin, path), { file, ...marks.get(mark) }, path.join('.'))
  }
}

const head = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n'

test('the place of a field is its key', () => {
  check(`${head}«1»spec:\n  «2»replicas: 3\n  «3»"template.x/y": {«4»a: 1, «5»"b": {«6»c: [«7»1, «8»2]}}\n`, [
    [1, ['spec']],
    [2, ['spec', 'replicas']],
    [3, ['spec', 'template.x/y']],
    [4, ['spec', 'template.x/y', 'a']],
    [5, ['spec', 'template.x/y', 'b']],
    [6, ['spec', 'template.x/y', 'b', 'c']],
    [7, ['spec', 'template.x/y', 'b', 'c', 0]],
    [8, ['spec', 'template.x/y', 'b', 'c', 1]],
  ])
})

test('the place of a list item is its first character', () => {
  check(
    `${head}spec:\n  list:\n  - «1»name: a\n    «2»value: b\n  -   «3»name: c\n  - «4»- «5»x\n    - 'y'\n  - «6»'z'\n`,
    [
      [1, ['spec', 'list', 0]],
      [1, ['spec', 'list', 0, 'name']],
      [2, ['spec', 'list', 0, 'value']],
      [3, ['spec', 'list', 1]],
      [4, ['spec', 'list', 2]],
      [5, ['spec', 'list', 2, 0]],
      [6, ['spec', 'list', 3]],
    ].map(([mark, path]) => [mark as number, path as Path] as const),
  )
})

test('steps of a JSON pointer do as well as numbers', () => {
  check(`${head}spec:\n- a\n- «1»b: 1\n`, [
    [1, fromPointer('/spec/1')],
    [1, fromPointer('/spec/1/b')],
  ])
})

test('a field that is not written stands at its nearest ancestor that is', () => {
  check(`«0»${head}«1»spec:\n  containers:\n  - «2»name: a\n    «3»ports:\n    «4»empty:\n`, [
    [0, []],
    [0, ['status', 'x']],
    [1, ['spec', 'replicas']],
    [2, ['spec', 'containers', 0, 'image']],
    [3, ['spec', 'containers', 0, 'ports', 0, 'containerPort']],
    [4, ['spec', 'containers', 0, 'empty', 'x']],
  ])
})

test('each document of a file is looked up in its own text', () => {
  check(
    `# first\n${head}---\n# c\n\napiVersion: v1\nkind: Pod\nmetadata:\n  «1»name: b\n«2»spec:\n  «3»a: 1\n---\n${head}`,
    [
      [1, ['metadata', 'name']],
      [2, ['spec']],
      [3, ['spec', 'a']],
    ],
    { object: 1 },
  )
})

test('items of a List are looked up inside of it, and start where they are written', () => {
  const text =
    'apiVersion: v1\nkind: List\nitems:\n- «0»apiVersion: v1\n  kind: Pod\n  metadata: {«1»name: a}\n- «2»apiVersion: v1\n  kind: Pod\n  metadata:\n    «3»name: b\n'
  check(
    text,
    [
      [0, []],
      [1, ['metadata', 'name']],
    ],
    { object: 0 },
  )
  check(
    text,
    [
      [2, []],
      [3, ['metadata', 'name']],
      [2, ['spec']],
    ],
    { object: 1 },
  )
  const [, second] = manifestsOf(text.replaceAll(/«\d»/g, ''))
  assert.deepEqual(second?.origin?.start, { line: 7, column: 3 })
})

test('JSON files are looked up like flow style', () => {
  check(
    '{\n  "apiVersion": "v1",\n  "kind": "Pod",\n  «1»"metadata": {«2»"name": "a"},\n\t«3»"spec": {"l": [«4»{«5»"x": 1}]}\n}\n',
    [
      [1, ['metadata']],
      [2, ['metadata', 'name']],
      [3, ['spec']],
      [4, ['spec', 'l', 0]],
      [5, ['spec', 'l', 0, 'x']],
    ],
    { file: 'a.json' },
  )
})

test('what an alias or a merge brings stands at its anchor', () => {
  check(
    `${head}spec:\n  base: &b\n    «1»x: 1\n    list: &l [«5»p]\n  «2»copy: *b\n  merged:\n    <<: *b\n    «3»own: 2\n  «4»other: *l\n`,
    [
      [1, ['spec', 'base', 'x']],
      [2, ['spec', 'copy']],
      [1, ['spec', 'copy', 'x']],
      [1, ['spec', 'merged', 'x']],
      [3, ['spec', 'merged', 'own']],
      [4, ['spec', 'other']],
      [5, ['spec', 'other', 0]],
    ],
  )
})

test('keys are known by what they mean: y is the key "true"', () => {
  check(`${head}data:\n  «1»y: a\n  «2»0644: b\n  ? «3»long\n  : c\n`, [
    [1, ['data', 'true']],
    [2, ['data', '420']],
    [3, ['data', 'long']],
  ])
})

test('Windows line ends and tags move nothing', () => {
  check(`${head}spec:\n  «1»a: !!str 1\n  «2»b: &x\n    «3»c: 1\n`.replaceAll('\n', '\r\n'), [
    [1, ['spec', 'a']],
    [2, ['spec', 'b']],
    [3, ['spec', 'b', 'c']],
  ])
})

test('a copy of a manifest with another id is still found', () => {
  const [manifest] = manifestsOf(`${head}spec: {a: 1}\n`)
  assert.ok(manifest?.origin !== undefined)
  const copy = { ...manifest, id: { ...manifest.id, namespace: 'default' } }
  assert.deepEqual(maker.locate(copy.origin ?? manifest.origin, ['spec', 'a']), {
    file: 'dir/a.yaml',
    line: 4,
    column: 8,
  })
})
