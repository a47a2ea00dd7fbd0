import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import type { FieldDrift } from '../../shared/model/drift.ts'
import { isObject, type Json } from '../../shared/model/json.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import { openLine, type Line } from '../support/line-session.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { testServers, type StartedServer } from '../support/test-servers.ts'

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    team: blue
spec:
  replicas: 2
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
        - name: web
          image: web:1
          env:
            - {name: MODE, value: quiet}
          volumeMounts:
            - {name: scratch, mountPath: /scratch, readOnly: false}
      volumes:
        - {name: scratch, emptyDir: {}}
`

/** What somebody does to the Deployment, and what is told of it. */
type Case = {
  readonly name: string
  readonly edit: (line: Line, path: string) => Promise<unknown>
  /** Differences that count. */
  readonly drift: readonly Told[]
  /** Differences shown on request. */
  readonly notes?: readonly Told[]
  readonly spec?: Readonly<Record<string, unknown>>
  /** What has to be there after the next sync. */
  readonly after?: (object: KubeObject) => void
}

type Told = readonly [kind: string, path: string, desired: unknown, live: unknown, blame: string | undefined]

/** An `emptyDir` mount that says `readOnly: false`: the server leaves out what is false, which is no drift. */
const REWRITTEN: Told = [
  'admission-rewritten',
  '/spec/template/spec/containers/0/volumeMounts/0/readOnly',
  false,
  undefined,
  undefined,
]

const hand = async (line: Line, path: string, body: Json): Promise<unknown> =>
  line.write({ manager: 'hand', path, body })

const applied = (spec: Json): Json => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec,
})

const CASES: readonly Case[] = [
  {
    name: 'a value that somebody changed is changed',
    edit: async (line, path) => hand(line, path, { spec: { replicas: 5 } }),
    drift: [['changed', '/spec/replicas', 2, 5, 'hand Update']],
    after: ({ spec }) => assert.equal(isObject(spec) && spec['replicas'], 2),
  },
  {
    name: 'a field that somebody took away is removed, and nobody is blamed who cannot be known',
    edit: async (line, path) => hand(line, path, { metadata: { labels: { team: null } } }),
    drift: [['removed', '/metadata/labels/team', 'blue', undefined, undefined]],
    after: ({ metadata }) => assert.deepEqual(metadata.labels, { team: 'blue' }),
  },
  {
    name: 'what somebody added to a map and to a keyed list is foreign, entry by entry',
    edit: async (line, path) =>
      line.write({
        manager: 'hand',
        path,
        type: 'json',
        body: [
          { op: 'add', path: '/metadata/labels/owner', value: 'me' },
          { op: 'add', path: '/spec/template/spec/containers/0/env/-', value: { name: 'DEBUG', value: '1' } },
        ],
      }),
    drift: [
      ['added-foreign', '/metadata/labels/owner', undefined, 'me', 'hand Update'],
      [
        'added-foreign',
        '/spec/template/spec/containers/0/env/1',
        undefined,
        { name: 'DEBUG', value: '1' },
        'hand Update',
      ],
    ],
    after: ({ metadata }) => assert.deepEqual(metadata.labels, { team: 'blue' }),
  },
  {
    name: 'a value that another applier holds is a conflict',
    edit: async (line, path) => line.write({ manager: 'rival', path, type: 'apply', body: applied({ replicas: 7 }) }),
    drift: [['conflict', '/spec/replicas', 2, 7, 'rival Apply']],
  },
  {
    name: "an autoscaler's replicas are its own: told on request, and not fought over",
    edit: async (line, path) =>
      line.write({ manager: 'autoscaler', path: `${path}/scale`, body: { spec: { replicas: 9 } } }),
    drift: [],
    notes: [['controller-owned', '/spec/replicas', 2, 9, 'autoscaler Update']],
    after: ({ spec }) => assert.equal(isObject(spec) && spec['replicas'], 9),
  },
  {
    name: 'kubectl scale is a person, not an autoscaler',
    edit: async (line, path) =>
      line.write({ manager: 'kubectl', path: `${path}/scale`, body: { spec: { replicas: 9 } } }),
    drift: [['changed', '/spec/replicas', 2, 9, 'kubectl Update']],
    after: ({ spec }) => assert.equal(isObject(spec) && spec['replicas'], 2),
  },
  {
    name: 'a default that somebody wrote down comes back when removed, and is no drift',
    edit: async (line, path) =>
      line.write({ manager: 'rival', path, type: 'apply', body: applied({ progressDeadlineSeconds: 600 }) }),
    drift: [],
    notes: [['defaulted', '/spec/progressDeadlineSeconds', undefined, 600, 'rival Apply']],
  },
  {
    name: 'a value that was changed and changed back is a matter of ownership only',
    edit: async (line, path) => {
      await hand(line, path, { spec: { replicas: 3 } })
      await hand(line, path, { spec: { replicas: 2 } })
    },
    drift: [],
    notes: [['ownership-only', '/spec/replicas', 2, 2, 'hand Update']],
  },
  {
    name: 'ignoreDifferences leaves out what a JSON pointer names, and it stays to be seen',
    spec: { ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }] },
    edit: async (line, path) => hand(line, path, { spec: { replicas: 5 }, metadata: { labels: { team: 'red' } } }),
    drift: [['changed', '/metadata/labels/team', 'blue', 'red', 'hand Update']],
    notes: [['changed', '/spec/replicas', 2, 5, 'hand Update']],
  },
  {
    name: 'ignoreDifferences leaves out what a jq expression selects',
    spec: {
      ignoreDifferences: [
        {
          group: 'apps',
          kind: 'Deployment',
          jqPathExpressions: ['.spec.template.spec.containers[] | select(.name == "web") | .image'],
        },
      ],
    },
    edit: async (line, path) =>
      line.write({
        manager: 'hand',
        path,
        type: 'json',
        body: [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'web:2' }],
      }),
    drift: [],
    notes: [['changed', '/spec/template/spec/containers/0/image', 'web:1', 'web:2', 'hand Update']],
  },
  {
    name: 'ignoreDifferences leaves to a manager what is its own',
    spec: { ignoreDifferences: [{ group: '*', kind: '*', managedFieldsManagers: ['hand'] }] },
    edit: async (line, path) => hand(line, path, { spec: { replicas: 5 }, metadata: { labels: { more: 'yes' } } }),
    drift: [],
    notes: [['controller-owned', '/spec/replicas', 2, 5, 'hand Update']],
  },
]

for (const server of testServers) {
  test(`on ${server.name} every kind of difference is told as what it is`, async (t) => {
    const skip = (await gitIsMissing()) ?? (await server.missing())
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    for (const [index, one] of CASES.entries()) {
      await t.test(one.name, async (t) => check(t, running, `case-${index}`, one))
    }
  })
}

async function check(t: TestContext, server: StartedServer, name: string, one: Case): Promise<void> {
  const line = await openLine(
    t,
    server,
    { name, ...(one.spec ? { spec: withNamespace(one.spec) } : {}) },
    { 'web.yaml': DEPLOYMENT },
  )
  const path = `/apis/apps/v1/namespaces/${name}/deployments/web`
  const first = await line.sync()
  assert.equal(first.snapshot.sync, 'Synced', JSON.stringify(first.snapshot.conditions))
  await one.edit(line, path)
  const pass = await line.look()
  assert.deepEqual(line.fields(pass).map(told).sort(byPath), [...one.drift].sort(byPath))
  assert.deepEqual(line.notes(pass).map(told).filter(isTold).sort(byPath), [...(one.notes ?? [])].sort(byPath))
  assert.equal(pass.snapshot.sync, one.drift.length === 0 ? 'Synced' : 'OutOfSync')
  // A sync leaves no drift, and sends nothing where there is none.
  const before = await line.get(path)
  const healed = await line.sync()
  assert.equal(healed.snapshot.sync, 'Synced', JSON.stringify(line.fields(healed)))
  assert.equal(healed.plan?.steps.length, one.drift.length === 0 ? 0 : 1)
  const after = await line.get(path)
  if (one.drift.length === 0) assert.equal(after.metadata.resourceVersion, before.metadata.resourceVersion)
  one.after?.(after)
}

function withNamespace(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { syncPolicy: { syncOptions: ['CreateNamespace=true'] }, ...spec }
}

function told({ kind, path, desired, live, blame }: FieldDrift): Told {
  return [
    kind,
    path,
    value(desired),
    value(live),
    blame === undefined ? undefined : `${blame.manager} ${blame.operation}`,
  ]
}

function value(side: FieldDrift['live']): unknown {
  return side.kind === 'value' ? side.value : undefined
}

/** What the server leaves out is noted in every case and belongs to none. */
function isTold([kind, path]: Told): boolean {
  return kind !== REWRITTEN[0] || path !== REWRITTEN[1]
}

function byPath(a: Told, b: Told): number {
  return a[1] < b[1] ? -1 : 1
}

test('a value that the server writes otherwise is told on request and is no drift', async (t) => {
  const [server] = testServers
  const skip = await gitIsMissing()
  if (skip !== undefined || server === undefined) return t.skip(skip)
  const line = await openLine(t, await server.start(t), { name: 'rewritten' }, { 'web.yaml': DEPLOYMENT })
  const pass = await line.sync()
  assert.deepEqual(line.notes(pass).map(told), [REWRITTEN])
  assert.equal(pass.snapshot.sync, 'Synced')
})
