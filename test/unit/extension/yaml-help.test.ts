import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { load } from 'js-yaml'
import { problemsIn } from '../../../extension/yaml/check.ts'
import { cursorAt } from '../../../extension/yaml/cursor.ts'
import { schemaAt, schemaOfKind, type Schema } from '../../../extension/yaml/schema.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const schema = JSON.parse(readFileSync(path.join(root, 'schemas', 'argo-cd.json'), 'utf8')) as Schema

/** `pointer kind` of everything that is wrong in a document. */
function checkDocument(what: string, text: string, expected: readonly string[]): void {
  test(`a document ${what}`, () => {
    const value = load(text) as { readonly kind: string }
    const own = schemaOfKind(schema, value.kind)
    assert.ok(own !== undefined)
    assert.deepEqual(
      problemsIn(value, own, schema).map(({ pointer, kind }) => `${pointer} ${kind}`),
      expected,
    )
  })
}

const head = 'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: shop\n'
const spec =
  'spec:\n  project: default\n  source:\n    repoURL: .\n    path: shop\n  destination:\n    namespace: shop\n'

checkDocument('that is right has nothing wrong', head + spec, [])
checkDocument('without a destination misses it', `${head}spec:\n  project: default\n`, ['/spec missing-field'])
checkDocument('with a field that there is not is told', `${head}${spec}  syncPolice: {}\n`, [
  '/spec/syncPolice unknown-field',
])
checkDocument('with a map for a list is told', `${head}${spec}  syncPolicy:\n    syncOptions: {}\n`, [
  '/spec/syncPolicy/syncOptions wrong-type',
])
checkDocument(
  'with a word for a switch is told',
  `${head}${spec}  syncPolicy:\n    automated:\n      prune: always\n`,
  ['/spec/syncPolicy/automated/prune wrong-type'],
)
checkDocument(
  'of a project with a window of another kind is told',
  'apiVersion: argoproj.io/v1alpha1\nkind: AppProject\nmetadata:\n  name: p\nspec:\n  syncWindows:\n    - kind: maybe\n      schedule: "* * * * *"\n      duration: 1h\n',
  ['/spec/syncWindows/0/kind wrong-value'],
)
checkDocument(
  'of a set whose generator there is not is told',
  'apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata:\n  name: s\nspec:\n  generators:\n    - lists: {}\n  template: {}\n',
  ['/spec/generators/0/lists unknown-field'],
)

test('a field that is nearly another one names it', () => {
  const own = schemaOfKind(schema, 'Application') ?? {}
  const [problem] = problemsIn(load(`${head}${spec}  syncPolice: {}\n`), own, schema)
  assert.equal(problem?.message, 'syncPolice is no field here; is syncPolicy meant?')
})

test('the examples of this repository have nothing wrong', () => {
  const folder = path.join(root, 'examples', 'tour', 'apps')
  for (const file of readdirSync(folder)) {
    const value = load(readFileSync(path.join(folder, file), 'utf8'))
    assert.deepEqual(problemsIn(value, schemaOfKind(schema, 'Application') ?? {}, schema), [], file)
  }
})

/** `|` is the cursor. */
function checkCursor(what: string, text: string, expected: string): void {
  test(`a cursor ${what}`, () => {
    const before = text.slice(0, text.indexOf('|')).split('\n')
    const lines = text.replace('|', '').split('\n')
    const { path: at, key } = cursorAt(lines, before.length - 1, before.at(-1)?.length ?? 0)
    assert.equal(`/${at.join('/')}${key === undefined ? '' : ` ${key}`}`, expected)
  })
}

checkCursor('at the top is in the document', 'apiVersion: a\n|', '/')
checkCursor('below a key is in its map', 'spec:\n  project: p\n  |', '/spec')
checkCursor('behind a colon writes the value', 'spec:\n  project: |', '/spec project')
checkCursor('in a list item is in its map', 'spec:\n  sources:\n    - repoURL: a\n      |', '/spec/sources/0')
checkCursor('in a second item counts', 'spec:\n  sources:\n    - repoURL: a\n    - path: b\n      |', '/spec/sources/1')
checkCursor('at a list as deep as its key', 'spec:\n  sources:\n  - repoURL: a\n    |', '/spec/sources/0')
checkCursor('in the first key of an item', 'spec:\n  sources:\n    - |', '/spec/sources/0')
checkCursor('in another document forgets the first', 'spec:\n  a: b\n---\nspec:\n  |', '/spec')
checkCursor('behind deeper lines comes back', 'spec:\n  source:\n    path: a\n  |', '/spec')

test('keys that a map has already are known', () => {
  const lines = ['spec:', '  project: p', '  ', '  source:', '    path: a', '  destination: {}']
  assert.deepEqual([...cursorAt(lines, 2, 2).siblings].sort(), ['destination', 'project', 'source'])
})

test('every reference leads somewhere, and every field is explained or plain', () => {
  const text = JSON.stringify(schema)
  const named = [...text.matchAll(/"#\/definitions\/(\w+)"/g)].map(([, name]) => name ?? '')
  assert.deepEqual(
    named.filter((name) => schema.definitions?.[name] === undefined),
    [],
  )
  const at = schemaAt(schemaOfKind(schema, 'Application') ?? {}, schema, ['spec', 'sources', 0, 'helm', 'valueFiles'])
  assert.match(at?.description ?? '', /Value files/)
})
