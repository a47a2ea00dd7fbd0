import assert from 'node:assert/strict'
import test from 'node:test'
import { projectOf } from '../../../../shared/core/read-project.ts'
import { windowProblems, windowsSay } from '../../../../shared/core/windows/windows.ts'
import { sampleApplication, sampleProjects } from '../sample-application.ts'

const ALL = { applications: ['*'] }
/** A Wednesday. */
const at = (time: string): number => Date.parse(`2026-07-01T${time}:00Z`)

type Case = readonly [what: string, windows: readonly object[], now: string, automatic: boolean, manual: boolean]

const night = { ...ALL, schedule: '0 22 * * *', duration: '8h' }
const noon = { ...ALL, schedule: '0 12 * * *', duration: '1h' }

const cases: readonly Case[] = [
  ['no window', [], '03:00', true, true],
  ['an allow that is open', [{ kind: 'allow', ...night }], '03:00', true, true],
  ['an allow that is closed', [{ kind: 'allow', ...night }], '12:30', false, false],
  ['an allow that is closed, with manualSync', [{ kind: 'allow', ...night, manualSync: true }], '12:30', false, true],
  ['the first minute', [{ kind: 'allow', ...night }], '22:00', true, true],
  ['the minute before', [{ kind: 'allow', ...night }], '21:59', false, false],
  ['the minute after', [{ kind: 'allow', ...night }], '06:00', false, false],
  ['a deny that is open', [{ kind: 'deny', ...noon }], '12:30', false, false],
  ['a deny that is closed', [{ kind: 'deny', ...noon }], '13:30', true, true],
  [
    'a deny within an allow',
    [
      { kind: 'allow', ...ALL, schedule: '@daily', duration: '24h' },
      { kind: 'deny', ...noon },
    ],
    '12:30',
    false,
    false,
  ],
  [
    'two denies of which one forbids the person',
    [
      { kind: 'deny', ...noon, manualSync: true },
      { kind: 'deny', ...noon },
    ],
    '12:30',
    false,
    false,
  ],
  ['a deny with manualSync', [{ kind: 'deny', ...noon, manualSync: true }], '12:30', false, true],
  [
    'a time zone: 22:00 in Berlin is 20:00',
    [{ kind: 'allow', ...night, timeZone: 'Europe/Berlin' }],
    '20:30',
    true,
    true,
  ],
  [
    'a time zone: 06:30 in Berlin is over',
    [{ kind: 'allow', ...night, timeZone: 'Europe/Berlin' }],
    '04:30',
    false,
    false,
  ],
  ['a deny that cannot be read', [{ kind: 'deny', ...ALL, schedule: 'often', duration: '1h' }], '12:30', false, false],
  [
    'an allow that cannot be read',
    [{ kind: 'allow', ...ALL, schedule: '0 12 * * *', duration: 'long' }],
    '12:30',
    false,
    false,
  ],
  ['a window of other applications', [{ kind: 'deny', ...noon, applications: ['shop-*'] }], '12:30', true, true],
  [
    'a window of its namespace',
    [{ kind: 'deny', ...noon, applications: [], namespaces: ['gue*'] }],
    '12:30',
    false,
    false,
  ],
  [
    'a window of its cluster',
    [{ kind: 'deny', ...noon, applications: [], clusters: ['https://kubernetes*'] }],
    '12:30',
    false,
    false,
  ],
  [
    'one list of two that fits',
    [{ kind: 'deny', ...noon, applications: ['shop'], namespaces: ['guest'] }],
    '12:30',
    false,
    false,
  ],
  [
    'one list of two that fits, with andOperator',
    [{ kind: 'deny', ...noon, applications: ['shop'], namespaces: ['guest'], andOperator: true }],
    '12:30',
    true,
    true,
  ],
  ['a window of nobody', [{ kind: 'deny', ...noon, applications: [] }], '12:30', true, true],
]

for (const [what, syncWindows, now, automatic, manual] of cases) {
  test(`${what}: ${automatic ? 'open' : manual ? 'open to a person' : 'closed'} at ${now}`, () => {
    const project = projectOf('team', sampleProjects({ syncWindows }))
    assert.ok(project)
    const said = windowsSay(sampleApplication(), project, at(now))
    assert.deepEqual({ automatic: said.automatic, manual: said.manual }, { automatic, manual })
    assert.equal(said.reason === '', automatic && manual)
  })
}

test('an answer says until when it holds', () => {
  const project = projectOf('team', sampleProjects({ syncWindows: [{ kind: 'allow', ...night }] }))
  assert.ok(project)
  assert.equal(windowsSay(sampleApplication(), project, at('12:00')).changesAt, at('22:00'))
  assert.equal(windowsSay(sampleApplication(), project, at('23:00')).changesAt, at('06:00') + 24 * 3_600_000)
})

test('a window that cannot be read is told of by what is wrong with it', () => {
  const bad = [
    { kind: 'deny', schedule: '0 0 12 * * *', duration: '1h' },
    { kind: 'deny', schedule: '@daily', duration: 'x' },
    { kind: 'deny', schedule: '@daily', duration: '1h', timeZone: 'Nowhere/Land' },
  ]
  const project = projectOf('team', sampleProjects({ syncWindows: bad }))
  assert.ok(project)
  assert.equal(windowProblems(project).length, 3)
})

test('a sync goes on where every window in its way says so', () => {
  const deny = { kind: 'deny', ...noon }
  const allow = { kind: 'allow', ...night }
  assert.equal(goesOn([deny], '12:30'), false)
  assert.equal(goesOn([{ ...deny, syncOverrun: true }], '12:30'), true)
  assert.equal(goesOn([{ ...deny, syncOverrun: true }, deny], '12:30'), false)
  assert.equal(goesOn([allow], '12:30'), false)
  assert.equal(goesOn([{ ...allow, syncOverrun: true }], '12:30'), true)
  assert.equal(goesOn([{ ...allow, syncOverrun: true }, allow], '12:30'), false)
  assert.equal(goesOn([allow, { ...deny, syncOverrun: true }], '12:30'), true)
  assert.equal(goesOn([], '12:30'), true)
})

function goesOn(syncWindows: readonly object[], now: string): boolean {
  const project = projectOf('team', sampleProjects({ syncWindows }))
  assert.ok(project)
  return windowsSay(sampleApplication(), project, at(now)).goesOn
}
