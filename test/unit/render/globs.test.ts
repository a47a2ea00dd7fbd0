import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileGlob } from '../../../shared/render/globs.ts'

test('globs match as gobwas/glob does without separators', () => {
  const table: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['*', ['', 'a', 'a/b'], []],
    ['*.yaml', ['.yaml', 'a.yaml', 'a/b.yaml'], ['a.yml', 'a.yaml/b']],
    ['**/*.yaml', ['a/b.yaml', 'a/b/c.yaml'], ['b.yaml']],
    ['a?c', ['abc', 'a/c', 'aéc', 'a😀c'], ['ac', 'abbc']],
    ['[abc].yaml', ['a.yaml', 'c.yaml'], ['d.yaml', '.yaml']],
    ['[a-c]*', ['a', 'bz'], ['d', '']],
    ['[!a-c]*', ['d', 'é'], ['a', '']],
    ['[!ab]', ['c'], ['a', 'b']],
    ['{a,b}.yaml', ['a.yaml', 'b.yaml'], ['c.yaml', 'a,b.yaml']],
    ['{*.yaml,*.yml}', ['x.yml', 'd/x.yaml'], ['x.json']],
    ['{a{b,c},d}', ['ab', 'ac', 'd'], ['a', 'b', 'ad']],
    ['x{,y}z', ['xz', 'xyz'], ['xyyz']],
    [String.raw`a\*b`, ['a*b'], ['aab']],
    [String.raw`\{a\}`, ['{a}'], ['a']],
    ['a,b', ['a,b'], ['a', 'b']],
    ['a.b+(c)|$', ['a.b+(c)|$'], ['aXb+(c)|$']],
  ]
  for (const [glob, matching, others] of table) {
    const match = compileGlob(glob)
    assert.ok(match !== undefined, glob)
    for (const text of matching) assert.equal(match(text), true, `${glob} ${text}`)
    for (const text of others) assert.equal(match(text), false, `${glob} ${text}`)
  }
})

test('a malformed glob is known as such', () => {
  for (const glob of ['{a', 'a}', '[a', '[]', '{a,b', 'a\\', ']', '*'.repeat(5000)]) {
    assert.equal(compileGlob(glob), undefined, glob.slice(0, 20))
  }
})

test('a hostile glob takes no longer than its length', () => {
  const match = compileGlob(`${'*a'.repeat(200)}b`)
  const before = performance.now()
  assert.equal(match?.('a'.repeat(4000)), false)
  assert.ok(performance.now() - before < 3000)
})
