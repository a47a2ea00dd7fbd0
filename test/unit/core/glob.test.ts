import assert from 'node:assert/strict'
import test from 'node:test'
import { globFits } from '../../../shared/core/glob.ts'

const cases: readonly (readonly [pattern: string, text: string, separator: string, fits: boolean])[] = [
  ['*', 'anything', '', true],
  ['*', 'a/b', '/', false],
  ['**', 'a/b', '/', true],
  ['https://github.com/org/*', 'https://github.com/org/repo', '/', true],
  ['https://github.com/org/*', 'https://github.com/org/repo/deep', '/', false],
  ['team-?', 'team-a', '', true],
  ['team-?', 'team-ab', '', false],
  ['team-[ab]', 'team-b', '', true],
  ['team-[!ab]', 'team-b', '', false],
  ['team-[a-c]', 'team-c', '', true],
  ['{dev,test}-*', 'test-1', '', true],
  ['{dev,test}-*', 'prod-1', '', false],
  ['a.b', 'axb', '', false],
  ['', '', '', true],
  ['\\*', '*', '', true],
  ['\\*', 'x', '', false],
]

for (const [pattern, text, separator, fits] of cases) {
  test(`${pattern || 'the empty glob'} ${fits ? 'fits' : 'does not fit'} ${text || 'nothing'}`, () => {
    assert.equal(globFits(pattern, text, separator), fits)
  })
}

test("a stranger's glob takes no time to speak of", () => {
  const began = performance.now()
  assert.equal(globFits('*a'.repeat(200), `${'a'.repeat(2000)}b`), false)
  globFits('{a,b}'.repeat(50), 'a'.repeat(50))
  assert.ok(performance.now() - began < 2000)
})
