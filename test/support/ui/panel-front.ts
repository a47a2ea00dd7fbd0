import type { RehearsalShown } from '../../../shared/model/front.ts'
import type { ApplicationSnapshot } from '../../../shared/model/status.ts'
import { timelineOf, trackSync, type SyncTrack } from '../../../shared/view/sync-track.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import { toYaml } from '../../../shared/view/yaml.ts'
import { recorded, snapshotOf } from './fixtures.ts'

/** A front that says what was recorded. */
export function panelFront(snapshot: ApplicationSnapshot, asked: unknown[] = []): HostAnswers {
  const { plan, diffs, outcome } = recorded()
  const log =
    <P, R>(name: string, result: (params: P) => R) =>
    async (params: P): Promise<R> => {
      asked.push([name, params])
      return result(params)
    }
  return {
    hello: async () => ({ front: 'window', openFiles: true, editFiles: true, pickFolders: true, version: '0' }),
    'application/watch': async () => ({ snapshot, local: true }),
    'application/unwatch': async () => null,
    'application/refresh': log('refresh', () => null),
    'application/plan': async () => ({ plan, context: 'embedded', production: false }),
    'application/sync': log('sync', () => outcome ?? null),
    'application/terminate': log('terminate', () => true),
    'application/diff': async () => diffs,
    'application/object': async ({ id }) => toYaml({ apiVersion: 'v1', kind: id.kind, metadata: { name: id.name } }),
    'application/history': async () =>
      snapshot.history.map((entry) => ({ entry, subject: 'Put up a notice board', author: 'Grace' })),
    'application/rollback': log('rollback', () => ({ shown: { plan, context: 'embedded', production: false } })),
    'application/events': async (_, { part, signal }) => {
      part(EVENTS)
      await aborted(signal)
      return null
    },
    'application/logs': async (_, { part, signal }) => {
      part(LINES.map((text) => ({ pod: 'p', container: 'c', time: '2026-11-20T12:00:00Z', text })))
      await aborted(signal)
      return null
    },
    'application/rehearse': log('rehearse', () => rehearsal()),
    'application/ignore': log('ignore', () => ({ file: 'apps/shop.yaml', line: 20, column: 5 })),
    'resource/delete': log('delete', () => null),
    'open/place': log('open', () => null),
  }
}

/** The recorded sync, told as a rehearsal of it. */
export function rehearsal(): RehearsalShown {
  const waves = snapshotOf('waves')
  let track: SyncTrack | undefined
  for (const { at, event } of recorded().events) track = trackSync(track, event, Date.parse(at))
  if (track === undefined) throw new Error('nothing was recorded')
  return {
    id: 'r1',
    application: 'waves',
    revision: 'f669ddd',
    on: 'embedded',
    startedAt: new Date().toISOString(),
    passed: true,
    summary: 'would succeed: create 6; 4 pods start',
    planHash: 'abc',
    timeline: timelineOf(track, waves, undefined, 0),
    effects: ['4 pods start', 'Service shop loses its endpoint for about 2 s'],
    unknowns: ['the webhook policy.example.com was not called', 'no controller runs for kind Certificate'],
    differences: [],
    markdown: '# Rehearsal',
  }
}

const about = { group: '', kind: 'Pod', namespace: 'shop', name: 'shop-7d9f-x2l' }
const EVENTS = [
  {
    uid: '1',
    type: 'Warning',
    reason: 'BackOff',
    message: 'Back-off pulling image "example.com/shop:1.28": '.repeat(8),
    about,
    source: 'kubelet',
    time: new Date(Date.now() - 40_000).toISOString(),
    count: 7,
  },
  {
    uid: '2',
    type: 'Normal',
    reason: 'Scheduled',
    message: 'Successfully assigned shop/shop-7d9f-x2l to node-1',
    about,
    source: 'default-scheduler',
    time: new Date(Date.now() - 400_000).toISOString(),
    count: 1,
  },
] as const

const LINES = [
  '2026-11-20 12:00:00 INFO listening on :8080',
  'WARN slow answer from the database: 1200 ms',
  'level=error msg="<img src=x onerror=alert(1)>"',
  'GET / 200',
]

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
