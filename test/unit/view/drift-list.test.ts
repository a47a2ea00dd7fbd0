import assert from 'node:assert/strict'
import { test } from 'node:test'
import { driftList } from '../../../shared/view/drift-list.ts'
import { driftOf, field, idOf, resource, snapshot } from './snapshot.ts'

const hidden = { kind: 'hidden' } as const

test('the list has what differs and nothing else', () => {
  const states = ['synced', 'unknown', 'missing', 'extra'] as const
  const resources = states.map((state) => resource(driftOf(idOf('ConfigMap', state), state)))
  assert.deepEqual(driftList(snapshot({ resources })), [
    { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'missing', drift: 'missing', fields: [] },
    { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'extra', drift: 'extra', fields: [] },
  ])
})

test('a field has its values, its author and its place', () => {
  const drift = driftOf(idOf('Deployment', 'web', 'apps'), 'changed', [
    field('changed', '/spec/replicas', {
      desired: { kind: 'value', value: 2 },
      live: { kind: 'value', value: 4 },
      blame: { manager: 'kubectl-scale', operation: 'Update', subresource: 'scale', time: '2026-03-01T09:57:00Z' },
      place: { file: 'deploy/app.yaml', line: 7, column: 3 },
    }),
    field('added-foreign', '/metadata/labels/x', { live: { kind: 'value', value: null } }),
  ])
  assert.deepEqual(driftList(snapshot({ resources: [resource(drift)] })), [
    {
      group: 'apps',
      kind: 'Deployment',
      namespace: 'shop',
      name: 'web',
      drift: 'changed',
      fields: [
        {
          path: '/spec/replicas',
          kind: 'changed',
          desired: 2,
          live: 4,
          manager: 'kubectl-scale',
          operation: 'Update',
          time: '2026-03-01T09:57:00Z',
          file: 'deploy/app.yaml',
          line: 7,
          column: 3,
        },
        { path: '/metadata/labels/x', kind: 'added-foreign', live: null },
      ],
    },
  ])
})

test('a hidden value is a row of plus signs, and two of them differ', () => {
  const drift = driftOf(idOf('Secret', 'db'), 'changed', [
    field('changed', '/data/a', { desired: hidden, live: hidden }),
    field('removed', '/data/b', { desired: hidden }),
  ])
  assert.deepEqual(driftList(snapshot({ resources: [resource(drift)] }))[0]?.fields, [
    { path: '/data/a', kind: 'changed', desired: '++++++++ (after)', live: '++++++++ (before)' },
    { path: '/data/b', kind: 'removed', desired: '++++++++' },
  ])
})
