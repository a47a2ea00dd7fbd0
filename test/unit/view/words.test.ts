import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verdictMark } from '../../../shared/view/marks.ts'
import type { Verdict } from '../../../shared/model/verdict.ts'
import { countOf, driftCounts, driftWords, shortRevision, shortSha } from '../../../shared/view/words.ts'
import { driftOf, idOf, resource, SHA } from './snapshot.ts'

const REVISIONS: readonly (readonly [name: string, sha: string, expected: string])[] = [
  ['main', SHA, 'main@3f2c1ab'],
  ['WORKTREE', SHA, 'WORKTREE@3f2c1ab'],
  ['WORKTREE', '', 'WORKTREE'],
  [SHA, SHA, '3f2c1ab'],
  ['3f2c1ab7d', SHA, '3f2c1ab'],
  ['', SHA, '3f2c1ab'],
  ['deadbeef', SHA, 'deadbeef@3f2c1ab'],
  ['release/1.2', SHA, 'release/1.2@3f2c1ab'],
]

for (const [name, sha, expected] of REVISIONS) {
  test(`${name || 'no name'} is shown as ${expected}`, () => assert.equal(shortRevision({ name, sha }), expected))
}

test('a sha is cut to 7 characters, a name is not', () => {
  assert.equal(shortSha(SHA), '3f2c1ab')
  assert.equal(shortSha('main'), 'main')
})

test('objects are counted by what is wrong with them', () => {
  const states = ['changed', 'changed', 'missing', 'extra', 'unknown', 'synced'] as const
  const resources = states.map((state, index) => resource(driftOf(idOf('ConfigMap', `c${index}`), state)))
  assert.equal(driftWords(driftCounts(resources)), '2 drifted, 1 missing, 1 extra, 1 unknown')
  assert.equal(driftWords(driftCounts(resources.slice(5))), '')
})

test('a count has its noun', () => {
  assert.equal(countOf(1, 'field'), '1 field')
  assert.equal(countOf(0, 'field'), '0 fields')
  assert.equal(countOf(2, 'copy', 'copies'), '2 copies')
})

const VERDICTS: readonly (readonly [Partial<Verdict>, string, string])[] = [
  [{ verdict: 'verified', signer: 'Ada' }, 'Verified by Ada', '✓ signed'],
  [{ verdict: 'verified' }, 'Verified', '✓ signed'],
  [{ verdict: 'unsigned' }, 'Unsigned', '○ unsigned'],
  [{ verdict: 'untrusted', keyId: 'B5A69788776F5' }, 'Untrusted B5A69788776F5', '? untrusted'],
  [{ verdict: 'invalid' }, 'Bad signature', '✗ bad signature'],
]

for (const [verdict, word, short] of VERDICTS) {
  test(`a commit that is ${verdict.verdict} is called ${word}`, () => {
    const mark = verdictMark({ sha: SHA, verdict: 'unsigned', reason: '', format: 'none', ...verdict })
    assert.equal(mark.word, word)
    assert.equal(`${mark.glyph} ${mark.short}`, short)
  })
}
