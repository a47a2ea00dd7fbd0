import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { parseJson, type Json } from '../../../shared/model/json.ts'
import { YamlReader } from '../../../shared/render/yaml/read.ts'
import { toYaml, toYamlStream } from '../../../shared/view/yaml.ts'
import { yamlLines } from '../../../shared/view/yaml-lines.ts'

/** Texts that some reader of YAML takes for something else. */
const WORDS =
  'yes Yes no on off y n true False null ~ NULL .inf -.Inf .nan = << - --- ... a: # > | [x {x ,x !x &a *a @x `x %x'
const NUMBERS =
  '0644 0777 09 0o17 0o8 0x1F 0b11 1e3 1E-3 +1 -1 1_000 1. .5 1.5 60:30 190:20:30 1e1000 1,000 1e _1 2024-01-02'
const TEXTS = [
  ...`${WORDS} ${NUMBERS} 12345678901234567890 2024-01-02T03:04:05Z it's "q" é 😀`.split(' '),
  '',
  ' ',
  'a: b',
  'a #b',
  '- x',
  '? x',
  '--- x',
  '\ttab',
  'trail ',
  ' lead',
  '\u0007',
  '\u2028',
  'a\r\nb',
  '\uFEFFx',
  'two\nlines',
  'end\n',
  'ends\n\n',
  '\nstart',
  '  indented\nless',
  'tab\n\tin',
  'x\n  y\n\nz\n',
  'colon: x\n# no comment\n',
  'x'.repeat(400),
  `${'word '.repeat(80)}end`,
]

const INTEGERS = [0, 1, -1, 420, 9007199254740991, 9007199254740993n, -9223372036854775808n]
const VALUES: readonly Json[] = [
  ...TEXTS,
  ...INTEGERS,
  0.1,
  1.5e-7,
  1e21,
  true,
  false,
  null,
  [],
  {},
  [[1, [2]], { a: [] }, {}],
  Object.fromEntries(TEXTS.filter((text) => text !== '<<').map((text) => [text, text])),
]

test('what is written as YAML is read back as kubectl would read it', () => {
  for (const value of VALUES) {
    const text = toYaml({ value })
    const [read] = new YamlReader().read(text, 'value.yaml')
    assert.deepEqual(read?.value, { value }, text)
  }
})

test('kubectl itself reads the same values', (t) => {
  const object = { apiVersion: 'example.org/v1', kind: 'Odd', metadata: { name: 'odd' }, spec: { values: VALUES } }
  const { error, status, stdout, stderr } = spawnSync(
    'kubectl',
    ['annotate', '--local', '-f', '-', 'a=b', '-o', 'json'],
    {
      input: toYaml(object),
      encoding: 'utf8',
    },
  )
  if (error !== undefined) return t.skip('no kubectl on PATH')
  assert.equal(status, 0, stderr)
  const read = parseJson(stdout) as { readonly spec: { readonly values: Json } }
  assert.deepEqual(read.spec.values, VALUES)
})

test('several objects are one stream', () => {
  const text = toYamlStream([{ a: 1 }, { b: 2 }])
  assert.equal(text, 'a: 1\n---\nb: 2\n')
})

test('an absent value is left out', () => {
  assert.equal(toYaml({ a: undefined, b: 1 }), 'b: 1\n')
})

test('each field is found on its line', () => {
  const text = toYaml({
    metadata: { labels: { 'a/b': 'x' } },
    spec: { containers: [{ name: 'a', args: ['1', 'two\nlines'] }, { name: 'b' }], empty: {} },
  })
  const lines = text.split('\n')
  const at = (pointer: string): string => lines[(yamlLines(text).get(pointer) ?? 0) - 1] ?? 'nowhere'
  assert.equal(at('/metadata/labels/a~1b'), '    a/b: x')
  assert.equal(at('/spec/containers/0'), '  - name: a')
  assert.equal(at('/spec/containers/0/args/1'), '    - |-')
  assert.equal(at('/spec/containers/1/name'), '  - name: b')
  assert.equal(at('/spec/empty'), '  empty: {}')
  assert.equal(at(''), 'metadata:')
})
