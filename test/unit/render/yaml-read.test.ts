import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../../shared/model/json.ts'
import { RenderError } from '../../../shared/render/errors.ts'
import type { RenderReason } from '../../../shared/render/errors.ts'
import { YamlReader } from '../../../shared/render/yaml/read.ts'

function readAll(text: string, file = 'a.yaml'): readonly Json[] {
  return new YamlReader().read(text, file).map(({ value }) => value)
}

function refusal(text: string, file = 'a.yaml'): RenderError {
  try {
    readAll(text, file)
  } catch (error) {
    assert.ok(RenderError.is(error), String(error))
    return error
  }
  throw new assert.AssertionError({ message: `nothing is wrong with ${text.slice(0, 100)}` })
}

test('scalars are read as kubectl reads them', () => {
  const table: readonly (readonly [string, Json])[] = [
    ['0644', 420],
    ['0o644', 420],
    ['yes', true],
    ['on', true],
    ['off', false],
    ['no', false],
    ['y', true],
    ['n', false],
    ['1_000', 1000],
    ['2024-01-02', '2024-01-02'],
    ['60:30', '60:30'],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['9223372036854775808', 9223372036854775808],
    ['1.0', 1],
    ['1.10', 1.1],
    ['+5', 5],
    ['.5', 0.5],
    ['0b11', 3],
    ['"y"', 'y'],
    ['!!str 123', '123'],
    ['!!binary aGVsbG8=', 'hello'],
  ]
  for (const [text, expected] of table) assert.deepEqual(readAll(`a: ${text}`), [{ a: expected }], text)
})

test('documents without content are passed over', () => {
  assert.deepEqual(readAll('---\n---\na: 1\n---\n# nothing\n---\nnull\n--- \nb: 2\n...\n'), [{ a: 1 }, { b: 2 }])
  assert.deepEqual(readAll(''), [])
  assert.deepEqual(readAll('# only a comment'), [])
})

test('a document knows its line and column, and its number among those with content', () => {
  const documents = new YamlReader().read('# c\n---\n\n  # d\na: 1\n---\r\n---\n  {b: 2}\n', 'a.yaml')
  assert.deepEqual(
    documents.map(({ index, start }) => [index, start.line, start.column]),
    [
      [0, 5, 1],
      [1, 8, 3],
    ],
  )
})

test('directives belong to the document after them', () => {
  assert.deepEqual(readAll('%YAML 1.1\n---\na: yes\n'), [{ a: true }])
})

test('a separator inside of a block scalar starts no document', () => {
  assert.deepEqual(readAll('a: |\n  ---\n  b\nc: 1\n'), [{ a: '---\nb\n', c: 1 }])
})

test('JSON is read with the same exact integers, and its separators are text', () => {
  assert.deepEqual(readAll('{"a": 9007199254740993, "b": "yes", "c": "\\n---\\n", "d": "\\ud83d\\ude00"}', 'a.json'), [
    { a: 9007199254740993n, b: 'yes', c: '\n---\n', d: '😀' },
  ])
})

test('a key named __proto__ is data', () => {
  const [value] = readAll('{"__proto__": {"a": 1}}') as readonly [JsonObject]
  assert.deepEqual(Object.keys(value), ['__proto__'])
  assert.equal(Object.getPrototypeOf(value), Object.prototype)
})

test('what is wrong is named with file, line, column and what was expected', () => {
  const table: readonly (readonly [string, RenderReason, number, number, RegExp])[] = [
    ['a: 1\n\tb: 2\n', 'broken-yaml', 2, 1, /spaces/],
    ['a: 1\n  b: 2\n', 'broken-yaml', 2, 4, /same indentation|was expected/],
    ['a: [1, 2\nb: 3\n', 'broken-yaml', 2, 1, /expected/],
    ['a: "b\n', 'broken-yaml', 2, 1, /quote/],
    ['a:\n- b\n -c: d\n', 'broken-yaml', 3, 4, /expected/],
    ['x: 1\n---\na: 1\nb\nc: 2\n', 'broken-yaml', 4, 1, /`:`|one line/],
    ['a: *b\n', 'broken-yaml', 1, 4, /no anchor/],
    ['a: &b [*b]\n', 'broken-yaml', 1, 8, /contains itself/],
    ['a: .inf\n', 'broken-yaml', 1, 4, /infinity/],
    ['a: !!int b\n', 'broken-yaml', 1, 10, /!!int/],
    ['? [a]\n: b\n', 'broken-yaml', 1, 3, /scalar/],
    ['null: a\n', 'broken-yaml', 1, 1, /key was expected/],
    ['a: {<<: 1}\n', 'broken-yaml', 1, 9, /merge/],
    ['a: \u0001\n', 'broken-yaml', 1, 4, /control character/],
  ]
  for (const [text, reason, line, column, message] of table) {
    const error = refusal(text)
    assert.equal(error.reason, reason, text)
    assert.deepEqual(error.place, { file: 'a.yaml', line, column }, `${JSON.stringify(text)}: ${error.message}`)
    assert.match(error.message, message, text)
    assert.ok(error.message.startsWith(`a.yaml:${line}:${column}: `), error.message)
    assert.doesNotMatch(error.message, /\n/)
  }
})

test('a key that is written twice is an error that names both places, also where the two are spelt differently', () => {
  const error = refusal('a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n')
  assert.equal(error.reason, 'duplicate-key')
  assert.deepEqual(error.place, { file: 'a.yaml', line: 5, column: 3 })
  assert.match(error.message, /"c" is written twice.*first at a\.yaml:3:3/)
  assert.equal(refusal('{1: a, "1": b}').reason, 'duplicate-key')
  assert.equal(refusal('{"a": 1, "a": 1}', 'a.json').reason, 'duplicate-key')
})

test('a merge may bring keys that are written too', () => {
  assert.deepEqual(readAll('b: &b {x: 1}\nc: {x: 2, <<: *b}\nd: {<<: *b, x: 3}\n'), [
    { b: { x: 1 }, c: { x: 1 }, d: { x: 3 } },
  ])
})

test('an alias bomb is refused at once', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 12; level += 1)
    bomb.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(', ')}]`,
    )
  const before = performance.now()
  const error = refusal(bomb.join('\n'))
  assert.equal(error.reason, 'alias-bomb')
  assert.ok(performance.now() - before < 1000)
  const map = ['m0: &m0 {a: x, b: x, c: x, d: x}']
  for (let level = 1; level < 15; level += 1)
    map.push(`m${level}: &m${level} {a: *m${level - 1}, b: *m${level - 1}, c: *m${level - 1}}`)
  assert.equal(refusal(map.join('\n')).reason, 'alias-bomb')
})

test('honest aliases are no bomb', () => {
  const items = Array.from({ length: 500 }, (_, index) => `i${index}: *base`)
  const [value] = readAll(`base: &base {a: 1, b: 2}\n${items.join('\n')}\n`) as readonly [JsonObject]
  assert.deepEqual(value['i499'], { a: 1, b: 2 })
})

test('nesting is bounded', () => {
  assert.equal(refusal(`a: ${'['.repeat(5000)}${']'.repeat(5000)}`).reason, 'too-deep')
  assert.equal(readAll(`a: ${'['.repeat(300)}${']'.repeat(300)}`).length, 1)
})

test('an unchanged document of a changed text is not parsed again', () => {
  const reader = new YamlReader()
  const first = reader.read('a: {b: 1}\n---\nc: {d: 1}\n', 'a.yaml')
  const second = reader.read('a: {b: 2, e: 3}\n\n---\nc: {d: 1}\n', 'a.yaml')
  assert.equal(second[1]?.value, first[1]?.value)
  assert.notEqual(second[0]?.value, first[0]?.value)
  assert.deepEqual(second[1]?.start, { line: 4, column: 1 })
})
