import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldDrift, ObjectDrift } from '../../../shared/model/drift.ts'
import type { Json } from '../../../shared/model/json.ts'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import { objectDiff, type ObjectDiff } from '../../../shared/view/object-diff.ts'
import { driftOf, field, idOf, minutesAgo, NOW } from './snapshot.ts'

const DEPLOYMENT = idOf('Deployment', 'web', 'apps')
const LIVE: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '7',
    generation: 3,
    creationTimestamp: '2026-01-01T00:00:00Z',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  },
  spec: {
    replicas: 4,
    progressDeadlineSeconds: 600,
    template: {
      spec: {
        containers: [
          { name: 'web', image: 'nginx:1.27', env: [{ name: 'HAND', value: '1' }] },
          { name: 'sidecar', image: 'x' },
        ],
      },
    },
  },
  status: { replicas: 4 },
}

function value(value: Json): FieldDrift['live'] {
  return { kind: 'value', value }
}

function by(manager: string, minutes: number): Pick<FieldDrift, 'blame'> {
  return { blame: { manager, operation: 'Update', subresource: '', time: minutesAgo(minutes) } }
}

function at(line: number): Pick<FieldDrift, 'place'> {
  return { place: { file: 'deploy/app.yaml', line, column: 3 } }
}

function changed(...fields: readonly FieldDrift[]): ObjectDrift {
  return driftOf(DEPLOYMENT, 'changed', fields)
}

const SIGNS = { context: ' ', add: '+', remove: '-' } as const

function text(diff: ObjectDiff): string {
  return diff.hunks.flatMap(({ lines }) => lines.map(({ kind, text }) => `${SIGNS[kind]}${text}`)).join('\n')
}

test('exactly the drift is shown, from the cluster to Git', () => {
  const drift = changed(
    field('changed', '/spec/replicas', { desired: value(2), live: value(4), ...by('kubectl-scale', 3), ...at(7) }),
  )
  const diff = objectDiff(drift, { live: LIVE }, { now: NOW, context: 1 })
  assert.equal(diff.title, 'Deployment shop/web')
  assert.equal(text(diff), ' spec:\n-  replicas: 4\n+  replicas: 2\n   progressDeadlineSeconds: 600')
  assert.equal(diff.hunks[0]?.header, 'deploy/app.yaml:7 · kubectl-scale, 3 min ago')
  assert.equal(diff.hunks[0]?.lines[1]?.field?.path, '/spec/replicas')
  assert.equal(diff.hunks[0]?.oldStart, 6)
})

test('additions by hand go, what is gone comes back, all at once', () => {
  const drift = changed(
    field('added-foreign', '/spec/template/spec/containers/0/env/0', {
      live: value({ name: 'HAND', value: '1' }),
      ...by('hand', 2),
    }),
    field('added-foreign', '/spec/template/spec/containers/1', { live: value({ name: 'sidecar', image: 'x' }) }),
    field('removed', '/spec/template/spec/containers/0/livenessProbe', { desired: value({ periodSeconds: 5 }) }),
    field('removed', '/spec/template/spec/containers/1', { desired: value({ name: 'log', image: 'y' }) }),
    field('removed', '/metadata/labels/team', { desired: value('web') }),
  )
  const diff = objectDiff(drift, { live: LIVE }, { now: NOW, context: 0 })
  assert.equal(
    text(diff),
    [
      '+  labels:',
      '+    team: web',
      '-        env:',
      '-        - name: HAND',
      "-          value: '1'",
      '-      - name: sidecar',
      '-        image: x',
      '+        livenessProbe:',
      '+          periodSeconds: 5',
      '+      - name: log',
      "+        image: 'y'",
    ].join('\n'),
  )
  assert.deepEqual(
    diff.hunks.flatMap((hunk) => hunk.fields.map(({ path, kind }) => `${kind} ${path}`)),
    [
      'removed /metadata/labels/team',
      'added-foreign /spec/template/spec/containers/0/env/0',
      'added-foreign /spec/template/spec/containers/1',
      'removed /spec/template/spec/containers/0/livenessProbe',
      'removed /spec/template/spec/containers/1',
    ],
  )
})

test('an object that is missing is all additions, one that is extra all removals', () => {
  const origin = { file: 'deploy/app.yaml', document: 0, start: { line: 12, column: 1 }, exact: true }
  const missing = objectDiff({ ...driftOf(DEPLOYMENT, 'missing'), origin }, { desired: LIVE }, { now: NOW })
  assert.equal(missing.hunks[0]?.header, 'deploy/app.yaml:12 · Missing')
  assert.equal(missing.source, 'deploy/app.yaml:12')
  assert.ok(missing.hunks[0]?.lines.every(({ kind }) => kind === 'add'))
  assert.ok(!/status|uid|resourceVersion|last-applied|generation|creationTimestamp/.test(text(missing)))
  const extra = objectDiff(driftOf(DEPLOYMENT, 'extra'), { live: LIVE }, { now: NOW })
  assert.equal(extra.hunks[0]?.header, 'Extra')
  assert.ok(extra.hunks[0]?.lines.every(({ kind }) => kind === 'remove'))
})

test('what is in sync, unknown or not at hand has no hunks', () => {
  for (const state of ['synced', 'unknown', 'missing', 'extra', 'changed'] as const) {
    assert.deepEqual(objectDiff(driftOf(DEPLOYMENT, state), {}, { now: NOW }).hunks, [])
  }
})

const SECRET = idOf('Secret', 'db')
const LIVE_SECRET: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'db',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"password":"aHVudGVyMg=="}}' },
  },
  data: { password: 'aHVudGVyMg==', user: 'cm9vdA==', extra: 'aGFuZA==' },
  stringData: { token: 'hunter2' },
  type: 'Opaque',
}

test('a Secret shows which values change and never a value', () => {
  const hidden = { kind: 'hidden' } as const
  const drift = driftOf(SECRET, 'changed', [
    field('changed', '/data/password', { desired: hidden, live: hidden }),
    field('added-foreign', '/data/extra', { live: hidden }),
    field('removed', '/data/lost', { desired: hidden }),
  ])
  const diff = objectDiff(drift, { live: LIVE_SECRET, desired: LIVE_SECRET }, { now: NOW, context: 5 })
  assert.equal(
    text(diff),
    [
      ' apiVersion: v1',
      ' kind: Secret',
      ' metadata:',
      '   name: db',
      ' data:',
      '-  password: ++++++++ (before)',
      '+  password: ++++++++ (after)',
      '   user: ++++++++',
      '-  extra: ++++++++',
      '+  lost: ++++++++',
      ' stringData:',
      '   token: ++++++++',
      ' type: Opaque',
    ].join('\n'),
  )
  for (const state of ['missing', 'extra', 'changed'] as const) {
    const shown = JSON.stringify(
      objectDiff({ ...drift, state }, { live: LIVE_SECRET, desired: LIVE_SECRET }, { now: NOW }).hunks,
    )
    assert.ok(!/hunter2|aHVudGVy|cm9vd|aGFuZA/.test(shown), shown)
  }
})

test('keys of an attacker change no prototype', () => {
  const live = JSON.parse(
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"__proto__":"1"}}',
  ) as KubeObject
  const drift = driftOf(idOf('ConfigMap', 'c'), 'changed', [
    field('changed', '/data/__proto__', { desired: value('2'), live: value('1') }),
    field('removed', '/__proto__/polluted', { desired: value('yes') }),
    field('removed', '/constructor/prototype/polluted', { desired: value('yes') }),
  ])
  const diff = objectDiff(drift, { live }, { now: NOW })
  assert.match(text(diff), /-  __proto__: '1'\n\+  __proto__: '2'/)
  assert.equal(({} as { readonly polluted?: string }).polluted, undefined)
})

test('500 drifted fields among 10,000 lines are found in well under a second', () => {
  const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, `value ${index}`]))
  const live: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data }
  const fields = Array.from({ length: 500 }, (_, index) =>
    field('changed', `/data/key-${index * 20}`, { desired: value('new'), live: value(`value ${index * 20}`) }),
  )
  const started = performance.now()
  const diff = objectDiff(driftOf(idOf('ConfigMap', 'c'), 'changed', fields), { live }, { now: NOW })
  assert.equal(diff.hunks.flatMap((hunk) => hunk.fields).length, 500)
  assert.ok(performance.now() - started < 3000)
})
