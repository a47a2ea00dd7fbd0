import assert from 'node:assert/strict'
import { test } from 'node:test'
import { paintFor, plainPaint } from '../../../../cli/format/colour.ts'
import { diffText } from '../../../../cli/format/diff-text.ts'
import { progressText, startProgress } from '../../../../cli/format/progress.ts'
import {
  applicationTable,
  historyTable,
  outcomeLine,
  planTable,
  resourceTable,
  treeTable,
} from '../../../../cli/format/tables.ts'
import { textWidth } from '../../../../cli/format/text-width.ts'
import { applicationRow } from '../../../../shared/view/application-row.ts'
import { historyRows } from '../../../../shared/view/history-rows.ts'
import { outcomeRow } from '../../../../shared/view/outcome-rows.ts'
import { objectDiff } from '../../../../shared/view/object-diff.ts'
import { planRows } from '../../../../shared/view/plan-rows.ts'
import { resourceRows } from '../../../../shared/view/resource-rows.ts'
import { treeRows } from '../../../../shared/view/tree-rows.ts'
import { APPLICATION, driftOf, field, idOf, node, NOW, resource, SHA, snapshot } from '../../view/snapshot.ts'

const DEPLOYMENT = idOf('Deployment', 'guestbook-ui', 'apps')
const RESOURCES = [
  resource(driftOf(DEPLOYMENT, 'changed', [field('changed', '/spec/replicas')]), { status: 'Healthy' }),
  resource(driftOf(idOf('ConfigMap', 'guestbook-config'), 'missing'), { status: 'Missing' }),
]
const VERDICT = { sha: SHA, verdict: 'verified', reason: 'good', format: 'ssh', signer: 'Ada' } as const

test('applications are listed with their state, their commit and their drift', () => {
  const rows = [
    applicationRow(snapshot({ sync: 'OutOfSync', resources: RESOURCES, verdict: VERDICT })),
    applicationRow(snapshot({ application: { ...APPLICATION, name: 'shop' }, health: { status: 'Progressing' } })),
  ]
  assert.equal(
    applicationTable(rows, {}),
    [
      'NAME       SYNC         HEALTH         REVISION        DESTINATION    DRIFT',
      'guestbook  ⚠ OutOfSync  ♥ Healthy      main@3f2c1ab ✓  kind-dev/shop  1 drifted, 1 missing',
      'shop       ✓ Synced     … Progressing  main@3f2c1ab    kind-dev/shop',
      '',
    ].join('\n'),
  )
})

for (const count of [0, 1, 7, 500]) {
  for (const width of [80, 40]) {
    test(`${count} applications with names of 63 characters fit ${width} columns`, () => {
      const rows = Array.from({ length: count }, (_, index) =>
        applicationRow(
          snapshot({ application: { ...APPLICATION, name: `${index}-`.padEnd(63, 'x') }, resources: RESOURCES }),
        ),
      )
      const lines = applicationTable(rows, { width }).split('\n').slice(0, -1)
      assert.equal(lines.length, count === 0 ? 0 : count + 1)
      assert.ok(lines.every((line) => textWidth(line) <= width))
      // What is wrong stays readable longest: the mark is never what is cut.
      assert.ok(lines.slice(1).every((line) => line.includes('✓')))
    })
  }
}

test('resources are a table, and columns without content are not in it', () => {
  assert.equal(
    resourceTable(resourceRows(snapshot({ resources: RESOURCES.slice(1) })), {}),
    [
      'KIND       NAMESPACE  NAME              SYNC         HEALTH     DETAIL',
      'ConfigMap  shop       guestbook-config  ⚠ OutOfSync  ○ Missing  Missing, a sync creates it',
      '',
    ].join('\n'),
  )
})

test('the tree is drawn with lines from parents to children', () => {
  const tree = [
    node(DEPLOYMENT, 'd', [], '2/2', { status: 'Healthy' }),
    node(idOf('ReplicaSet', 'a', 'apps'), 'a', ['d'], '0/0', { status: 'Healthy' }),
    node(idOf('ReplicaSet', 'b', 'apps'), 'b', ['d'], '2/2', { status: 'Healthy' }),
    node(idOf('Pod', 'p'), 'p', ['a'], 'Running'),
  ]
  assert.equal(
    treeTable(treeRows(snapshot({ resources: RESOURCES, tree })), {}),
    [
      'OBJECT                        HEALTH     DETAIL',
      '⚠ Deployment guestbook-ui     ♥ Healthy  2/2 · 1 field',
      '├─ ♥ ReplicaSet a             ♥ Healthy  0/0',
      '│  └─ · Pod p                            Running',
      '└─ ♥ ReplicaSet b             ♥ Healthy  2/2',
      '○ ConfigMap guestbook-config  ○ Missing  Missing, a sync creates it',
      '',
    ].join('\n'),
  )
})

test('a plan lists its steps and what is in their way', () => {
  const manner = {
    method: 'apply' as const,
    propagation: 'Foreground' as const,
    validate: true,
    respectIgnored: false,
    migrateFrom: [],
  }
  const place = { phase: 'Sync', wave: 0, rank: 0 } as const
  const step = {
    id: DEPLOYMENT,
    apiVersion: 'apps/v1',
    reason: 'Git has it',
    fields: [],
    manner,
    effects: [],
    ...place,
  }
  const progress = { wave: 1, waves: 1, due: 1, waitsFor: [] }
  const steps = [
    { ...step, action: 'create', readiness: { kind: 'ready' } },
    { ...step, action: 'prune', readiness: { kind: 'refused', rule: 'r', reason: 'a sync without prune leaves it' } },
  ] as const
  assert.equal(
    planTable(planRows({ application: 'guestbook', revision: SHA, steps, progress }), {}),
    [
      'STEP      KIND        NAMESPACE  NAME          CHANGE      OBSTACLE',
      '+ create  Deployment  shop       guestbook-ui  Git has it',
      '✗ prune   Deployment  shop       guestbook-ui  Git has it  a sync without prune leaves it',
      '',
    ].join('\n'),
  )
})

test('the history has the newest first', () => {
  const entry = { revision: SHA, deployStartedAt: '', initiatedBy: 'ada', automated: false }
  const history = [
    { ...entry, id: 9, deployedAt: '2026-03-01T08:00:00Z', automated: true },
    { ...entry, id: 10, deployedAt: '2026-03-01T09:00:00Z' },
  ]
  assert.equal(
    historyTable(historyRows({ history }, NOW), {}),
    [
      'ID  REVISION           DEPLOYED  BY',
      '10  3f2c1ab (current)  1 h ago   ada',
      ' 9  3f2c1ab            2 h ago   auto-sync',
      '',
    ].join('\n'),
  )
  assert.equal(historyTable(historyRows({ history: [] }, NOW), {}), '')
})

test('an ended step is one line, and the lines of a sync align', () => {
  const step = { id: DEPLOYMENT, apiVersion: 'apps/v1', action: 'update', result: 'Synced', moved: false } as const
  assert.equal(
    outcomeLine(outcomeRow({ ...step, message: 'applied' }), {}),
    '✓ changed    Deployment guestbook-ui           applied',
  )
  const refused = outcomeRow({ ...step, result: 'SyncFailed', message: `no\n${'x'.repeat(400)}` })
  assert.equal(
    outcomeLine(refused, { width: 60 }),
    `✗ failed     Deployment guestbook-ui           no ${'x'.repeat(9)}…`,
  )
})

const drift = driftOf(idOf('ConfigMap', 'c'), 'changed', [
  field('changed', '/data/mode', { desired: { kind: 'value', value: 'a' }, live: { kind: 'value', value: 'b' } }),
])
const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'shop' }, data: { mode: 'b' } }

test('a diff is unified, from the cluster to Git', () => {
  const place = { file: 'deploy/c.yaml', line: 6, column: 3 }
  const blame = { manager: 'hand', operation: 'Update', subresource: '', time: '2026-03-01T09:57:00Z' } as const
  const [first] = drift.fields
  assert.ok(first !== undefined)
  const diff = objectDiff(
    { ...drift, fields: [{ ...first, place, blame }], notes: [first] },
    { live },
    { now: NOW, context: 1 },
  )
  assert.equal(
    diffText([diff, { ...diff, hunks: [] }], plainPaint),
    [
      '--- ConfigMap shop/c (cluster)',
      '+++ ConfigMap shop/c (Git)',
      '@@ -6,2 +6,2 @@ deploy/c.yaml:6 · hand, 3 min ago',
      ' data:',
      '-  mode: b',
      '+  mode: a',
      '# 1 more field set by controllers',
      '',
    ].join('\n'),
  )
})

test('what goes is red and what comes is green', () => {
  const text = diffText([objectDiff(drift, { live }, { now: NOW, context: 0 })], paintFor({ isTTY: true }, {}))
  assert.ok(text.includes('\u001B[31m-  mode: b\u001B[39m'))
  assert.ok(text.includes('\u001B[32m+  mode: a\u001B[39m'))
})

test('no diff is no text', () => assert.equal(diffText([], plainPaint), ''))

test('the footer counts waves, steps and time', () => {
  assert.equal(progressText({ done: 4, total: 9, wave: 1, waves: 3 }, 12_400), 'wave 1/3  4/9  12 s')
  assert.equal(progressText({ done: 0, total: 1, wave: 1, waves: 1 }, 400), '0/1  0 s')
  assert.equal(
    progressText({ done: 9, total: 9, waiting: 'Deployment web' }, 200_000),
    '9/9  3 min 20 s  waiting for Deployment web',
  )
})

class Screen {
  text = ''
  readonly isTTY: boolean
  readonly columns = 20

  constructor(isTTY: boolean) {
    this.isTTY = isTTY
  }

  write(text: string): void {
    this.text += text
  }
}

test('on a terminal the footer stays below the lines and is gone at the end', () => {
  const screen = new Screen(true)
  let now = 0
  const progress = startProgress(screen, () => now)
  progress.line('first')
  progress.update({ done: 1, total: 2, waiting: 'a name that is far too long for it' })
  now = 3000
  progress.line('second')
  progress.end()
  const clear = '\r\u001B[2K'
  assert.equal(screen.text, `${clear}first\n${clear}1/2  0 s  waiting…${clear}second\n1/2  3 s  waiting…${clear}`)
})

test('without a terminal there are only the lines', () => {
  const screen = new Screen(false)
  const progress = startProgress(screen, () => 0)
  progress.update({ done: 1, total: 2 })
  progress.line('first')
  progress.end()
  assert.equal(screen.text, 'first\n')
})
