import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../../shared/model/json.ts'
import type { Path } from '../../../shared/model/pointer.ts'
import { alignPath } from '../../../shared/render/align.ts'

const made: Json = {
  spec: {
    list: [
      { name: 'new' },
      { name: 'a', ports: [{ containerPort: 81 }, { containerPort: 80, name: 'http' }] },
      { name: 'b' },
    ],
    args: ['-x', '-v', '-y'],
    plain: [{ q: 1 }],
  },
}
const source: Json = {
  spec: {
    list: [{ name: 'b' }, { name: 'a', ports: [{ containerPort: 80, name: 'http' }] }],
    args: ['-y'],
    plain: [{ q: 2 }],
  },
}

test('a path leads to the same item in another list, and ends where the other has none', () => {
  const table: readonly (readonly [Path, Path, boolean])[] = [
    [['spec', 'list', 2, 'name'], ['spec', 'list', 0, 'name'], true],
    [['spec', 'list', 1, 'ports', 1], ['spec', 'list', 1, 'ports', 0], true],
    [['spec', 'list', 1, 'ports', 0, 'containerPort'], ['spec', 'list', 1, 'ports'], false],
    [['spec', 'list', 0, 'name'], ['spec', 'list'], false],
    [['spec', 'list', '1', 'image'], ['spec', 'list', 1], false],
    [['spec', 'args', 2], ['spec', 'args', 0], true],
    [['spec', 'args', 1], ['spec', 'args'], false],
    [['spec', 'plain', 0, 'q'], ['spec', 'plain', 0, 'q'], true],
    [['status'], [], false],
    [[], [], true],
  ]
  for (const [path, expected, whole] of table) {
    assert.deepEqual(alignPath(made, path, source), { path: expected, whole }, path.join('.'))
  }
})
