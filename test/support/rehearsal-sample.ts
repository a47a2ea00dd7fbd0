import type { Rehearsal, RehearsedStep } from '../../shared/model/rehearsal.ts'

/** A rehearsal of two steps that passed, changed as told. */
export function sampleRehearsal(change: Partial<Rehearsal> = {}): Rehearsal {
  return {
    format: 1,
    application: 'shop',
    context: 'kind-dev',
    place: { kind: 'embedded' },
    fill: { kind: 'live', context: 'kind-dev', objects: 12, readAt: '2026-01-01T00:00:00Z' },
    revision: {
      sha: '3f2c1ab000000000000000000000000000000000',
      name: 'main',
      kind: 'commit',
      subject: 'Change',
      author: 'Ada',
      authorEmail: 'ada@example.com',
      committedAt: '2026-01-01T00:00:00Z',
    },
    plan: 'p1',
    passed: true,
    failures: [],
    operation: { phase: 'Succeeded', message: 'successfully synced', retries: 0 },
    faults: [],
    stages: 2,
    steps: [
      sampleStep({}),
      sampleStep({ key: 'Sync|apps|Deployment|shop|web', result: { kind: 'changed' }, stage: 2, wave: 1 }),
    ],
    health: [],
    ready: [],
    end: { sync: 'Synced', health: 'Healthy', off: [] },
    effects: [],
    unknowns: [],
    proven: { proven: 2, total: 2, unproven: [] },
    rehearsedAt: '2026-01-01T00:00:00.000Z',
    simulatedMs: 4000,
    tookMs: 700,
    ...change,
  }
}

export function sampleStep(change: Partial<RehearsedStep>): RehearsedStep {
  const key = change.key ?? 'Sync||ConfigMap|shop|settings'
  const [, group = '', kind = '', namespace = '', name = ''] = key.split('|')
  return {
    key,
    id: { group, kind, namespace, name },
    apiVersion: group === '' ? 'v1' : `${group}/v1`,
    phase: 'Sync',
    wave: 0,
    stage: 1,
    hook: false,
    result: { kind: 'created' },
    reason: 'Git has it, the cluster does not',
    fields: [],
    startMs: 0,
    endMs: 0,
    ...change,
  }
}
