import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { Condition } from './conditions.ts'
import { conditionOf, timeMs, withCondition } from './conditions.ts'
import type { Controller, Setting } from './controller.ts'
import { itsController, itself, splitKey } from './controller.ts'
import { completedIndexes, createJobPod, indexesText, neededIndexes } from './job-pods.ts'
import { claimed, selectorOf } from './ownership.ts'
import { isActive, isReady, isTerminating, phaseOf, restarts } from './pod-state.ts'
import { jobs, pods } from './resources.ts'

/** The wait before a failed pod is replaced, and the longest such wait. */
const backOffMs = 10_000
const longestBackOffMs = 600_000

interface JobState {
  readonly live: KubeObject
  readonly spec: Json
  readonly before: Json
  readonly active: readonly KubeObject[]
  readonly mine: readonly KubeObject[]
  readonly succeeded: number
  readonly failed: number
  readonly indexed: boolean
}

/** Job, after `pkg/controller/job`. */
export function jobController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'jobs'
  return {
    name,
    watches: [
      [jobs, itself(queue, name)],
      [pods, itsController(queue, name, 'Job')],
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const live = host.get(jobs, namespace, object)
      if (!live || isTerminating(live)) return
      if (isOver(live)) expire(setting, live, key)
      else reconcile(setting, live, key)
    },
  }
}

export function isOver(job: KubeObject): boolean {
  const status = objectAt(job, 'status')
  return ['Complete', 'Failed'].some((type) => conditionOf(status, type)?.['status'] === 'True')
}

/** What ended may be told to go after a while. */
function expire({ host, queue }: Setting, live: KubeObject, key: string): void {
  const seconds = numberAt(objectAt(live, 'spec'), 'ttlSecondsAfterFinished')
  if (seconds === undefined) return
  const status = objectAt(live, 'status')
  const over = conditionOf(status, 'Complete') ?? conditionOf(status, 'Failed')
  const left = timeMs(over?.['lastTransitionTime']) + seconds * 1000 - host.clock.now()
  if (left > 0) queue.addAfter('jobs', key, left)
  else host.delete(jobs, live, { propagationPolicy: 'Foreground' })
}

function stateOf({ host }: Setting, live: KubeObject): JobState {
  const spec = objectAt(live, 'spec') ?? {}
  const before = objectAt(live, 'status') ?? {}
  const mine = claimed(host, live, pods, selectorOf(live))
  const indexed = textAt(spec, 'completionMode') === 'Indexed'
  const ended = mine.filter((pod) => phaseOf(pod) === 'Succeeded')
  const succeeded = indexed ? completedIndexes(ended, before).size : ended.length
  const lost = mine.filter((pod) => phaseOf(pod) === 'Failed').length
  return {
    live,
    spec,
    before,
    mine,
    active: mine.filter(isActive),
    succeeded: Math.max(succeeded, numberAt(before, 'succeeded') ?? 0),
    failed: Math.max(lost, numberAt(before, 'failed') ?? 0),
    indexed,
  }
}

function reconcile(setting: Setting, live: KubeObject, key: string): void {
  const { host, queue } = setting
  let state = stateOf(setting, live)
  const suspended = state.spec['suspend'] === true
  const started = state.before['startTime'] !== undefined
  const verdict = suspended ? undefined : judge(state, host.clock.now())
  if (verdict || suspended) for (const pod of state.active) host.delete(pods, pod)
  else manage(setting, state, key)
  state = stateOf(setting, live)
  const status = statusOf(setting, state, verdict, suspended, started)
  const deadline = numberAt(state.spec, 'activeDeadlineSeconds')
  if (!suspended && deadline !== undefined && !verdict) {
    queue.addAfter('jobs', key, Math.max(0, timeMs(status['startTime']) + deadline * 1000 - host.clock.now()))
  }
  if (!sameJson(status, state.before)) host.updateStatus(jobs, { ...live, status })
}

interface Verdict {
  readonly type: 'Complete' | 'Failed'
  readonly reason: string
  readonly message: string
}

function judge({ spec, before, active, succeeded, failed }: JobState, nowMs: number): Verdict | undefined {
  const limit = numberAt(spec, 'backoffLimit') ?? 6
  const again = active.reduce((sum, pod) => sum + restarts(pod), 0)
  const retried = textAt(objectAt(objectAt(spec, 'template'), 'spec'), 'restartPolicy') === 'OnFailure' && again > limit
  if (failed > limit || (retried && again > 0)) {
    return { type: 'Failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
  }
  const deadline = numberAt(spec, 'activeDeadlineSeconds')
  const since = timeMs(before['startTime'])
  if (deadline !== undefined && since > 0 && nowMs - since >= deadline * 1000) {
    return { type: 'Failed', reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }
  }
  const wanted = numberAt(spec, 'completions')
  const enough = wanted === undefined ? succeeded > 0 && active.length === 0 : succeeded >= wanted
  if (!enough) return undefined
  return { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
}

/** Keeps as many pods running as there is work for. */
function manage(setting: Setting, state: JobState, key: string): void {
  const { host, queue } = setting
  const { spec, active, succeeded, live } = state
  const parallel = numberAt(spec, 'parallelism') ?? 1
  const completions = numberAt(spec, 'completions')
  const left = completions === undefined ? (succeeded > 0 ? active.length : parallel) : completions - succeeded
  const wanted = Math.max(0, Math.min(parallel, left))
  for (const pod of active.slice(wanted)) host.delete(pods, pod)
  const missing = wanted - active.length
  if (missing <= 0) return
  const wait = backOff(state, host.clock.now())
  if (wait > 0) {
    queue.addAfter('jobs', key, wait)
    return
  }
  const indexes = state.indexed ? neededIndexes(state.mine, completions ?? 0, state.before) : []
  for (let i = 0; i < missing; i++) createJobPod(host, live, state.indexed ? indexes[i] : undefined)
}

function backOff({ mine, failed }: JobState, nowMs: number): number {
  if (failed === 0) return 0
  const last = Math.max(
    ...mine
      .filter((pod) => phaseOf(pod) === 'Failed')
      .map((pod) => timeMs(conditionOf(objectAt(pod, 'status'), 'Ready')?.['lastTransitionTime'])),
  )
  return last + Math.min(longestBackOffMs, backOffMs * 2 ** (failed - 1)) - nowMs
}

function statusOf(
  { host }: Setting,
  state: JobState,
  verdict: Verdict | undefined,
  suspended: boolean,
  started: boolean,
): Json {
  const now = host.now()
  const { before, active, succeeded, failed, mine } = state
  const fresh = suspended ? undefined : started ? before['startTime'] : now
  const conditions = conditionsOf(before, verdict, suspended, now)
  const ready = active.filter(isReady).length
  const terminating = mine.filter((pod) => isTerminating(pod) && !['Succeeded', 'Failed'].includes(phaseOf(pod))).length
  const indexes = state.indexed ? indexesText(completedIndexes(mine, before)) : ''
  return {
    ...(conditions.length > 0 && { conditions }),
    ...(fresh !== undefined && { startTime: fresh }),
    ...(verdict?.type === 'Complete' && { completionTime: now }),
    ...(active.length > 0 && !verdict && { active: active.length }),
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
    terminating,
    ...(indexes !== '' && { completedIndexes: indexes }),
    uncountedTerminatedPods: {},
    ready: verdict ? 0 : ready,
  }
}

function conditionsOf(before: Json, verdict: Verdict | undefined, suspended: boolean, now: string): readonly Json[] {
  let conditions = (before['conditions'] as readonly Json[] | undefined) ?? []
  const set = (condition: Condition): void => {
    const next = withCondition(conditions, condition, now)
    if (next === conditions) return
    conditions = next.map((one) => (one['type'] === condition.type ? { ...one, lastProbeTime: now } : one))
  }
  if (suspended) set({ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' })
  else if (conditions.some((condition) => condition['type'] === 'Suspended')) {
    set({ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' })
  }
  if (!verdict) return conditions
  const { type, reason, message } = verdict
  const target = type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget'
  set({ type: target, status: 'True', reason, message })
  set({ type, status: 'True', reason, message })
  return conditions
}
