import assert from 'node:assert/strict'
import test from 'node:test'
import { compareStages, earliestFor, turnedWaves, type Stage, type Staged } from '../../../shared/core/stages.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'

const sync = (wave: number): Stage => ({ phase: 'Sync', wave })

test('phases come before waves', () => {
  const stages: Stage[] = [
    { phase: 'SyncFail', wave: -9 },
    { phase: 'PostSync', wave: -1 },
    sync(2),
    sync(-1),
    { phase: 'PreSync', wave: 9 },
  ]
  const sorted = stages.toSorted(compareStages).map(({ phase, wave }) => `${phase} ${wave}`)
  assert.deepEqual(sorted, ['PreSync 9', 'Sync -1', 'Sync 2', 'PostSync -1', 'SyncFail -9'])
})

test('prunes go through their waves backwards, within the waves that they are of', () => {
  assert.deepEqual(
    [...turnedWaves([0, 1, 2, 2, 5])],
    [
      [0, 5],
      [1, 2],
      [2, 1],
      [5, 0],
    ],
  )
  assert.deepEqual([...turnedWaves([3])], [[3, 3]])
})

function staged(
  kind: string,
  name: string,
  stage: Stage,
  more: { readonly namespace?: string; readonly group?: string; readonly spec?: object } = {},
): Staged {
  const { namespace = '', group = '', spec = {} } = more
  const object = { apiVersion: 'v1', kind, metadata: { name }, spec } as unknown as KubeObject
  return { id: { group, kind, namespace, name }, object, stage }
}

test('a namespace and a definition come no later than what needs them', () => {
  const namespace = staged('Namespace', 'shop', sync(5))
  const definition = staged('CustomResourceDefinition', 'widgets.example.com', sync(3), {
    group: 'apiextensions.k8s.io',
    spec: { group: 'example.com', names: { kind: 'Widget' } },
  })
  const all = [
    namespace,
    definition,
    staged('Job', 'before', { phase: 'PreSync', wave: 1 }, { namespace: 'shop', group: 'batch' }),
    staged('Widget', 'w', sync(-2), { namespace: 'shop', group: 'example.com' }),
    staged('Namespace', 'other', sync(4)),
  ]
  const earliest = earliestFor(all)
  assert.deepEqual(all.map(earliest), [
    { phase: 'PreSync', wave: 1 },
    sync(-2),
    { phase: 'PreSync', wave: 1 },
    sync(-2),
    sync(4),
  ])
})
