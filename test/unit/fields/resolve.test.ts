import test from 'node:test'
import assert from 'node:assert/strict'
import { fieldSetOf } from '../../../shared/fields/object-set.ts'
import { resolvePath } from '../../../shared/fields/resolve.ts'
import { thing, thingOf } from './thing.ts'

const value = thingOf(
  {
    items: [{ name: 'a' }, { name: 'b', value: 'x' }],
    ports: [{ port: 80, protocol: 'UDP' }, { port: 80 }],
    tags: ['p', 'q'],
    args: ['z'],
  },
  { labels: { 'a/b': '1', 'm~n': '2' } },
)

const checkPath = (path: readonly string[], pointer: string, found: unknown): void => {
  const resolved = resolvePath(value, path, thing)
  assert.deepEqual([resolved?.pointer, resolved?.value], [pointer, found])
}

test('a path leads to its value, with indexes in the pointer', () => {
  checkPath(['f:spec', 'f:items', 'k:{"name":"b"}', 'f:value'], '/spec/items/1/value', 'x')
  checkPath(['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}'], '/spec/ports/1', { port: 80 })
  checkPath(['f:spec', 'f:tags', 'v:"q"'], '/spec/tags/1', 'q')
  checkPath(['f:spec', 'f:args', 'i:0'], '/spec/args/0', 'z')
  checkPath(['f:metadata', 'f:labels', 'f:a/b'], '/metadata/labels/a~1b', '1')
  checkPath(['f:metadata', 'f:labels', 'f:m~n'], '/metadata/labels/m~0n', '2')
})

test('a path that leads nowhere gives nothing', () => {
  for (const path of [
    ['f:spec', 'f:none'],
    ['f:spec', 'f:items', 'k:{"name":"z"}'],
    ['f:spec', 'f:args', 'i:1'],
    ['f:spec', 'f:items', 'f:name'],
    ['f:kind', 'f:x'],
    ['f:constructor'],
  ]) {
    assert.equal(resolvePath(value, path, thing), undefined, path.join(' '))
  }
  assert.equal(resolvePath(value, ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}']), undefined)
})

test('every path of an object leads somewhere in it', () => {
  fieldSetOf(value, thing).forEach((path) => assert.ok(resolvePath(value, path, thing), path.join(' ')))
})
