import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileJsonPath } from '../../../../shared/simulator/crd/json-path.ts'

const object = {
  metadata: { labels: { 'app.io/x': 'y', plain: 'z' } },
  spec: {
    list: [
      { type: 'A', n: 1 },
      { type: 'B', n: 2 },
    ],
    text: 'x',
  },
}

function check(path: string, expected: readonly unknown[] | undefined): void {
  test(`${path} leads to ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(compileJsonPath(path)?.(object), expected)
  })
}

check('.spec.text', ['x'])
check('$.spec.text', ['x'])
check('.spec.nope', [])
check('.spec.list[0].type', ['A'])
check('.spec.list[-1].type', ['B'])
check('.spec.list[*].n', [1, 2])
check('.spec.list[0:1].n', [1])
check('.spec.list[?(@.type=="B")].n', [2])
check('.spec.list[?(@.n>1)].type', ['B'])
check(".metadata.labels['app.io/x']", ['y'])
check('.metadata.labels.app\\.io/x', ['y'])
check('..type', ['A', 'B'])
check('.spec.list[?(', undefined)
check('.constructor', [])
