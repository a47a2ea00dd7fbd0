import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duplicateKeys } from '../../../../shared/simulator/endpoints/duplicate-keys.ts'
import { goSyntaxError } from '../../../../shared/simulator/endpoints/go-json.ts'
import { parseYaml } from '../../../../shared/simulator/endpoints/yaml.ts'

test("what is wrong with JSON is said in the words of Go's decoder", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['{"a":1}', undefined],
    ['', 'unexpected end of JSON input'],
    ['{"a', 'unexpected end of JSON input'],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['{"a":"\\q"}', "invalid character 'q' in string escape code"],
    ['[1 2]', "invalid character '2' after array element"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['trux', "invalid character 'x' in literal true (expecting 'e')"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
  ]
  for (const [text, expected] of cases) assert.equal(goSyntaxError(text), expected, text)
})

test('a key that stands twice is named with its path, once for each time', () => {
  const text = '{"a":1,"b":{"c":[{"d":1,"d":2,"d":3}]},"a":"x\\"a\\":"}'
  assert.deepEqual(duplicateKeys(text), [
    'duplicate field "b.c[0].d"',
    'duplicate field "b.c[0].d"',
    'duplicate field "a"',
  ])
  assert.deepEqual(duplicateKeys('{"a":{"x":1},"b":{"x":1},"c":[1,{"x":[]}]}'), [])
})

test('YAML means what it means to kubectl', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['0644', 420],
    ['0o644', 420],
    ['0b11', 3],
    ['1_000', 1000],
    ['yes', true],
    ['off', false],
    ['2024-01-02', '2024-01-02'],
    ['60:30', '60:30'],
    ['0x1f', 31],
    ['-7', -7],
    ['1.0', 1],
    ['.5', 0.5],
    ['"0644"', '0644'],
    ['~', null],
  ]
  for (const [text, expected] of cases) assert.deepEqual(parseYaml(`a: ${text}`).value, { a: expected }, text)
})

test('a YAML bomb is refused', () => {
  const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
  for (let i = 1; i < 30; i++) lines.push(`a${i}: &a${i} [${Array.from({ length: 10 }, () => `*a${i - 1}`).join(',')}]`)
  assert.throws(() => parseYaml(lines.join('\n')), /aliases exceeded/u)
})
