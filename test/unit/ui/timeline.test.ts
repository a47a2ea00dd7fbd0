import assert from 'node:assert/strict'
import test from 'node:test'
import type { Timeline, TimelineStep } from '../../../shared/model/front.ts'
import { layoutTimeline } from '../../../shared/ui/timeline/timeline-layout.ts'
import {
  timelineOf,
  timelineOfOutcome,
  trackHealth,
  trackSync,
  trackWords,
  type SyncTrack,
} from '../../../shared/view/sync-track.ts'
import { recorded, snapshotOf } from '../../support/ui/fixtures.ts'

test('a recorded sync has its hooks and waves as lanes, in the order in which they ran', () => {
  const timeline = timelineOf(tracked(Infinity), snapshotOf('waves'), undefined, 0)
  const { lanes } = layoutTimeline(timeline)
  assert.deepEqual(
    lanes.map(({ stage, rows }) => [
      stage,
      ...rows.map(({ label, hook, result }) => `${label}${hook ? '*' : ''} ${result}`),
    ]),
    [
      ['PreSync', 'Namespace waves created', 'Job migrate* created'],
      ['wave 0', 'ConfigMap settings created'],
      ['wave 1', 'Deployment database created'],
      ['wave 2', 'Deployment server created'],
      ['PostSync', 'Job smoke* created'],
    ],
  )
  assert.ok(lanes.every(({ rows }) => rows.every(({ bar }) => bar.from >= 0 && bar.to > bar.from && bar.to <= 1)))
})

test('a sync under way has a now-line, and says how far it is', () => {
  const track = tracked(9)
  const timeline = timelineOf(track, snapshotOf('waves'), undefined, track.startedAt + 500)
  assert.equal(layoutTimeline(timeline).now, 1)
  assert.equal(trackWords(track), 'Syncing 1/6, wave 1 of 5, waits for the PreSync hook Job waves/migrate to end')
  assert.equal(timeline.steps.find(({ id }) => id.name === 'migrate')?.result, 'running')
})

test('a sync that nobody watched shows what its steps did, without times', () => {
  const { outcome } = recorded()
  assert.ok(outcome !== undefined)
  const layout = layoutTimeline(timelineOfOutcome(outcome, snapshotOf('waves')))
  assert.deepEqual(layout.ticks, [])
  assert.ok(layout.lanes.length >= 4 && layout.lanes.every(({ rows }) => rows.every(({ took }) => took === '')))
})

test('the health of an object is a line from change to change', () => {
  const waves = snapshotOf('waves')
  const start = tracked(Infinity)
  const sick = {
    ...waves,
    resources: waves.resources.map((one) => ({ ...one, health: { status: 'Progressing' as const } })),
  }
  const seen = trackHealth(trackHealth(start, sick, start.startedAt + 100), waves, start.startedAt + 900)
  const row = layoutTimeline(timelineOf(seen, waves, undefined, 0))
    .lanes.flatMap(({ rows }) => rows)
    .find(({ label }) => label === 'Deployment server')
  assert.deepEqual(
    row?.health.map(({ status }) => status),
    ['Progressing', 'Healthy'],
  )
  assert.equal(row?.health[0]?.to, row?.health[1]?.from)
})

test('a run beside its rehearsal tells which step came out otherwise', () => {
  const step: TimelineStep = {
    id: { group: '', kind: 'ConfigMap', namespace: 'n', name: 'a' },
    stage: 'wave 0',
    startMs: 0,
    endMs: 100,
    result: 'created',
    message: '',
    hook: false,
  }
  const actual: Timeline = { steps: [{ ...step, result: 'failed' }], health: [], totalMs: 100 }
  const predicted: Timeline = { steps: [step], health: [], totalMs: 200 }
  const [row] = layoutTimeline(actual, predicted).lanes[0]?.rows ?? []
  assert.deepEqual([row?.differs, row?.beside?.result, row?.beside?.to], [true, 'created', 0.5])
})

test('there are at most nine ticks, whatever the length', () => {
  for (const totalMs of [1, 90, 3_000, 61_000, 3_600_000, 90_000_000]) {
    const { ticks } = layoutTimeline({ steps: [], health: [], totalMs })
    assert.ok(ticks.length >= 1 && ticks.length <= 9, `${totalMs}: ${ticks.length}`)
  }
})

/** The recorded events, up to one of them. */
function tracked(count: number): SyncTrack {
  let track: SyncTrack | undefined
  for (const { at, event } of recorded().events.slice(0, count)) track = trackSync(track, event, Date.parse(at))
  assert.ok(track !== undefined)
  return track
}
