import assert from 'node:assert/strict'
import test from 'node:test'
import type { ResourceId } from '../../../shared/model/kubernetes.ts'
import type { Outcome, StepOutcome } from '../../../shared/model/outcome.ts'
import type { Plan, Step } from '../../../shared/model/plan.ts'
import { StepLog } from '../../../shared/rehearsal/steps.ts'

const id = (kind: string, name: string): ResourceId => ({ group: '', kind, namespace: 'shop', name })

function step(of: ResourceId, change: Partial<Step> = {}): Step {
  return {
    id: of,
    apiVersion: 'v1',
    action: 'create',
    reason: 'Git has it',
    fields: [],
    phase: 'Sync',
    wave: 0,
    manner: { method: 'apply', validate: true, propagation: 'Foreground', respectIgnored: false, migrateFrom: [] },
    effects: [],
    rank: 0,
    readiness: { kind: 'ready' },
    ...change,
  }
}

function planOf(...steps: readonly Step[]): Plan {
  return { application: 'shop', revision: 'r', steps, progress: { wave: 1, waves: 2, due: steps.length, waitsFor: [] } }
}

function outcome(of: ResourceId, change: Partial<StepOutcome> = {}): StepOutcome {
  return {
    id: of,
    apiVersion: 'v1',
    action: 'create',
    result: 'Synced',
    message: 'created',
    moved: false,
    phase: 'Sync',
    ...change,
  }
}

const ended = (...steps: readonly StepOutcome[]): Outcome => ({
  phase: 'Succeeded',
  message: '',
  startedAt: '',
  finishedAt: '',
  revision: 'r',
  steps,
})

function results(plan: Plan, end: Outcome | undefined, started: readonly ResourceId[] = []): readonly string[] {
  const log = new StepLog(
    plan,
    () => 7,
    () => undefined,
  )
  for (const one of started) log.take({ kind: 'step-started', id: one, action: 'create', rank: 0 })
  return log.finish(end, () => undefined).map(({ id: of, result }) => `${of.name} ${result.kind}`)
}

test('what each step came to', () => {
  const a = id('ConfigMap', 'a')
  const cases: readonly (readonly [string, Step, StepOutcome | undefined, boolean, readonly string[]])[] = [
    ['made', step(a), outcome(a), true, ['a created']],
    ['changed', step(a, { action: 'update' }), outcome(a, { action: 'update' }), true, ['a changed']],
    [
      'made anew',
      step(a, { action: 'update', manner: { ...step(a).manner, method: 'recreate' } }),
      outcome(a, { action: 'update' }),
      true,
      ['a replaced'],
    ],
    ['pruned', step(a, { action: 'prune' }), outcome(a, { action: 'prune', result: 'Pruned' }), true, ['a pruned']],
    ['kept', step(a, { action: 'prune' }), outcome(a, { action: 'prune', result: 'PruneSkipped' }), false, ['a kept']],
    ['refused before it began', step(a), outcome(a, { result: 'SyncFailed' }), false, ['a refused']],
    ['refused when it was tried', step(a), outcome(a, { result: 'SyncFailed' }), true, ['a failed']],
    ['never come to', step(a), undefined, false, ['a not-reached']],
    ['only after a failure', step(a, { phase: 'SyncFail' }), undefined, false, []],
    ['in sync', step(a, { action: 'none' }), undefined, false, []],
  ]
  for (const [name, planned, told, began, expected] of cases) {
    const end = told === undefined ? ended() : ended(told)
    assert.deepEqual(results(planOf(planned), end, began ? [a] : []), expected, name)
  }
})

test('a hook of two phases is two steps', () => {
  const job = id('Job', 'check')
  const hook = { deletePolicies: [] }
  const plan = planOf(step(job, { phase: 'PreSync', hook }), step(job, { phase: 'PostSync', hook }))
  const end = ended(
    outcome(job, { phase: 'PreSync', hookPhase: 'Succeeded' }),
    outcome(job, { phase: 'PostSync', hookPhase: 'Failed', result: 'SyncFailed' }),
  )
  assert.deepEqual(results(plan, end, [job, job]), ['check hook-succeeded', 'check hook-failed'])
})

test('a hook with generateName is the step that was planned, whatever name it got', () => {
  const planned = id('Job', 'migrate-abc1234-presync')
  const run = id('Job', 'migrate-abc1234-presync-1760000000')
  const plan = planOf(step(planned, { phase: 'PreSync', hook: { deletePolicies: [] } }))
  const end = ended(outcome(run, { phase: 'PreSync', hookPhase: 'Succeeded' }))
  assert.deepEqual(results(plan, end, [run]), ['migrate-abc1234-presync hook-succeeded'])
})
