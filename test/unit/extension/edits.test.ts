import assert from 'node:assert/strict'
import test from 'node:test'
import { ignoreField } from '../../../extension/edits/ignore-field.ts'
import { matchLive } from '../../../extension/edits/match-live.ts'
import type { TextChange } from '../../../extension/edits/text-edit.ts'
import { isProduction } from '../../../extension/production.ts'
import type { FieldDrift, FieldValue } from '../../../shared/model/drift.ts'
import type { Json } from '../../../shared/model/json.ts'

function apply(lines: readonly string[], change: TextChange | undefined): string | undefined {
  if (change === undefined) return undefined
  const { start, end, text } = change
  const before = [...lines.slice(0, start.line), lines[start.line]?.slice(0, start.character) ?? ''].join('\n')
  const after = [lines[end.line]?.slice(end.character) ?? '', ...lines.slice(end.line + 1)].join('\n')
  return before + text + after
}

const value = (json: Json): FieldValue => ({ kind: 'value', value: json })
const absent: FieldValue = { kind: 'absent' }

function checkMatch(
  what: string,
  text: string,
  at: readonly [number, number],
  sides: { readonly desired: FieldValue; readonly live: FieldValue; readonly kind?: FieldDrift['kind'] },
  expected: string | undefined,
): void {
  test(`matching the cluster ${what}`, () => {
    const lines = text.split('\n')
    const field: FieldDrift = { path: '/x', kind: sides.kind ?? 'changed', desired: sides.desired, live: sides.live }
    const change = matchLive(lines, { line: at[0], character: at[1] }, field)
    assert.equal(apply(lines, change), expected)
  })
}

const spec = 'spec:\n  replicas: 2 # two\n  paused: false\n'
checkMatch(
  'changes a number and keeps the comment',
  spec,
  [1, 2],
  { desired: value(2), live: value(4) },
  spec.replace('2 #', '4 #'),
)
checkMatch(
  'quotes what would read as something else',
  'data:\n  a: x',
  [1, 2],
  { desired: value('x'), live: value('yes') },
  "data:\n  a: 'yes'",
)
checkMatch(
  'replaces a quoted value',
  'data:\n  a: "x y"',
  [1, 2],
  { desired: value('x y'), live: value('z') },
  'data:\n  a: z',
)
checkMatch(
  'changes a key of a list item',
  '- name: a\n  value: b',
  [1, 2],
  { desired: value('b'), live: value('c') },
  '- name: a\n  value: c',
)
checkMatch(
  'takes a block out that the cluster lacks',
  'spec:\n  probe:\n    port: 1\n\n    path: /\n  other: 1\n',
  [1, 2],
  { desired: value({}), live: absent, kind: 'removed' },
  'spec:\n  other: 1\n',
)
checkMatch(
  'takes a list out that stands as deep as its key',
  'args:\n- a\n- b\nother: 1',
  [0, 0],
  { desired: value([]), live: absent, kind: 'removed' },
  'other: 1',
)
checkMatch(
  'does not guess at hidden values',
  'data:\n  a: x',
  [1, 2],
  { desired: { kind: 'hidden' }, live: { kind: 'hidden' } },
  undefined,
)
checkMatch(
  'does not guess at maps',
  'a:\n  b: 1',
  [0, 0],
  { desired: value({ b: 1 }), live: value({ b: 2 }) },
  undefined,
)
checkMatch('does not guess at block text', 'a: |\n  x', [0, 0], { desired: value('x'), live: value('y') }, undefined)
checkMatch('does not guess at aliases', 'a: *x', [0, 0], { desired: value('x'), live: value('y') }, undefined)
checkMatch(
  'does not guess at text over two lines',
  'a: x\n  y\nb: 1',
  [0, 0],
  { desired: value('x y'), live: value('z') },
  undefined,
)

const id = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'shop' }

function checkIgnore(what: string, text: string, startLine: number, expected: string | undefined): void {
  test(`ignoring a field ${what}`, () => {
    const lines = text.split('\n')
    assert.equal(apply(lines, ignoreField(lines, startLine, { id, pointer: '/spec/replicas' })), expected)
  })
}

const item = (indent: string): string =>
  [
    `${indent}- group: apps`,
    `${indent}  kind: Deployment`,
    `${indent}  name: shop`,
    `${indent}  namespace: shop`,
    `${indent}  jsonPointers:`,
    `${indent}    - /spec/replicas\n`,
  ].join('\n')

checkIgnore(
  'adds the list where there is none',
  'kind: Application\nspec:\n  project: default\n',
  1,
  `kind: Application\nspec:\n  ignoreDifferences:\n${item('    ')}  project: default\n`,
)
checkIgnore(
  'adds an item as deep as the others',
  'spec:\n  ignoreDifferences:\n  - kind: Service\n',
  1,
  `spec:\n  ignoreDifferences:\n${item('  ')}  - kind: Service\n`,
)
checkIgnore(
  'writes into its own document of several',
  'spec:\n  a: 1\n---\nspec:\n  a: 1\n---\nspec:\n  a: 1\n',
  4,
  `spec:\n  a: 1\n---\nspec:\n  ignoreDifferences:\n${item('    ')}  a: 1\n---\nspec:\n  a: 1\n`,
)
checkIgnore('leaves flow style alone', 'spec: { ignoreDifferences: [] }', 1, undefined)
checkIgnore('leaves a text alone that is being typed', 'spec:\n  a: [', 1, undefined)

test('a production context is known by its pattern', () => {
  const patterns = ['*prod*', 'live']
  const names = ['prod', 'eu-Prod-1', 'live', 'alive', 'dev', '']
  assert.deepEqual(
    names.filter((name) => isProduction(name, patterns)),
    ['prod', 'eu-Prod-1', 'live'],
  )
})
