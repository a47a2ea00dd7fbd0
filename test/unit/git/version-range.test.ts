import test from 'node:test'
import assert from 'node:assert/strict'
import { newestTagInRange } from '../../../shared/git/version-range.ts'

const tags = [
  'v0.0.3',
  'v0.2.3',
  'v0.2.9',
  'v0.9.0',
  'v1.0.0',
  '1.2.0',
  'v1.2.3',
  'v1.2.10',
  'v1.10.0',
  'v2.0.0-rc.1',
  'v2.0.0-rc.10',
]
const all = [...tags, 'v2', 'v3.1', 'latest', 'release-9.9.9', 'v1.2.3.4']

test('a range picks the newest tag in it, as Argo CD does', () => {
  const table: readonly (readonly [string, string | undefined])[] = [
    ['*', 'v3.1'],
    ['x', 'v3.1'],
    ['1.*', 'v1.10.0'],
    ['v1.x', 'v1.10.0'],
    ['1.2.*', 'v1.2.10'],
    ['v1.2.x', 'v1.2.10'],
    ['~1.2', 'v1.2.10'],
    ['~1.2.3', 'v1.2.10'],
    ['~>1.2.3', 'v1.2.10'],
    ['~1', 'v1.10.0'],
    ['^1.2', 'v1.10.0'],
    ['^1', 'v1.10.0'],
    ['^0.2.3', 'v0.2.9'],
    ['^0.0.3', 'v0.0.3'],
    ['^0', 'v0.9.0'],
    ['>=1.0.0 <1.3.0', 'v1.2.10'],
    ['>= 1.0.0, < 1.3.0', 'v1.2.10'],
    ['>1.2', 'v3.1'],
    ['>1.2 <2', 'v1.10.0'],
    ['<1', 'v0.9.0'],
    ['<=1', 'v1.10.0'],
    ['<=1.2', 'v1.2.10'],
    ['=1.2.3', 'v1.2.3'],
    ['=1.2', 'v1.2.10'],
    ['1.0.0 - 1.2', 'v1.2.10'],
    ['^0.2 || ~1.2', 'v1.2.10'],
    ['>=1.0.0 <2.0.0 !=1.10.0', 'v1.2.10'],
    ['>=2.0.0-0 <2.0.0-z', 'v2.0.0-rc.10'],
    ['>=2.0.0-0 <2.0.0', undefined],
    ['>=4', undefined],
    // A plain version is a name of a tag, not a range; nor is any other word.
    ['1.2', undefined],
    ['v2', undefined],
    ['main', undefined],
    ['release-*', undefined],
    ['', undefined],
    ['>=', undefined],
    ['1.2.3.*', undefined],
    ['|| 1', undefined],
  ]
  for (const [range, expected] of table) assert.equal(newestTagInRange(range, all), expected, range)
})
