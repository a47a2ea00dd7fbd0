import type { SyncRequest } from '../core/guards.ts'
import type { Pass } from '../core/status.ts'
import type { Application } from '../model/application.ts'
import { groupKindKey, resourceKey } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import {
  REHEARSAL_FORMAT,
  type Fault,
  type Rehearsal,
  type RehearsalEnd,
  type RehearsedEffect,
  type RehearsedStep,
} from '../model/rehearsal.ts'
import { effectsOf } from './effects.ts'
import { provenOf } from './proven.ts'
import type { PodAnswers } from './real-pods.ts'
import { askedOfReal } from './real-refusals.ts'
import type { Recording } from './recording.ts'
import type { Run } from './rehearse.ts'
import { planDifferences, unknownsOf } from './unknowns.ts'
import type { World } from './world.ts'

export type ReportInputs = {
  readonly application: Application
  readonly recording: Recording
  readonly file: string | undefined
  readonly world: World
  readonly run: Run
  readonly request: SyncRequest
  readonly faults: readonly Fault[]
  /** The real cluster's own plan, where it was there to plan on, and its digest. */
  readonly real: { readonly plan: Plan; readonly digest: string } | undefined
  readonly lacking: readonly RehearsedEffect[]
  readonly comparesSecrets: boolean
  readonly pods: PodAnswers
  readonly tookMs: number
  /** RFC 3339. */
  readonly rehearsedAt: string
}

/** Everything that a rehearsal has to tell. */
export function reportOf(inputs: ReportInputs): Rehearsal {
  const { application, recording, file, world, run, faults, real } = inputs
  const { log, observer, synced, end, first } = run
  const { outcome } = synced
  const steps = log.finish(outcome, (key) => observer.healthySince(key))
  const effects = [...effectsOf(observer, steps), ...inputs.lacking]
  const standing = endOf(end)
  const failures = failuresOf(inputs, steps, standing)
  const { revision } = end.snapshot
  const objects = { objects: recording.objects.length, context: recording.context, readAt: recording.readAt }
  return {
    format: REHEARSAL_FORMAT,
    application: application.name,
    context: recording.context,
    place: world.place,
    fill: file === undefined ? { kind: 'live', ...objects } : { kind: 'recording', file, ...objects },
    revision: revision ?? NO_REVISION,
    plan: real?.digest ?? '',
    passed: failures.length === 0,
    failures,
    operation: {
      phase: outcome?.phase ?? 'Error',
      message: outcome?.message ?? synced.snapshot.conditions[0]?.message ?? '',
      retries: outcome?.retries ?? 0,
    },
    ...(run.rolledBackTo === undefined ? {} : { rolledBackTo: run.rolledBackTo }),
    faults,
    stages: log.stages,
    steps,
    health: observer.health,
    ready: observer.ready,
    end: standing,
    effects,
    unknowns: [...unknowns(inputs, steps), ...planDifferences(real?.plan, first.plan ?? NO_PLAN)],
    proven: provenOf(steps.map(({ id }) => id)),
    rehearsedAt: inputs.rehearsedAt,
    simulatedMs: run.simulatedMs,
    tookMs: inputs.tookMs,
  }
}

const NO_REVISION = {
  sha: '',
  name: '',
  kind: 'commit',
  subject: '',
  author: '',
  authorEmail: '',
  committedAt: '',
} as const
const NO_PLAN: Plan = {
  application: '',
  revision: '',
  steps: [],
  progress: { wave: 0, waves: 0, due: 0, waitsFor: [] },
}

function unknowns(
  { recording, run, world, real, comparesSecrets, pods }: ReportInputs,
  steps: readonly RehearsedStep[],
): Rehearsal['unknowns'] {
  // Another cluster has its own controllers and answers for itself.
  if (world.place.kind === 'cluster') return nodeless(world, endOf(run.end))
  const { wanted, resources, version } = run
  const { unserved, podStart } = world
  const asked = askedOfReal(real?.plan)
  const podsAsked = pods.asked
  return unknownsOf({
    recording,
    steps,
    wanted,
    resources,
    asked,
    podsAsked,
    unserved,
    comparesSecrets,
    version,
    podStart,
  })
}

/** A control plane alone has no nodes. */
function hasNodes({ place }: World): boolean {
  return place.kind === 'embedded' || place.provider !== 'control-plane'
}

function nodeless(world: World, { off }: RehearsalEnd): Rehearsal['unknowns'] {
  const waiting = off.filter(({ id, health }) => health === 'Progressing' && TENDED.has(groupKindKey(id)))
  return hasNodes(world) || waiting.length === 0 ? [] : [{ kind: 'no-nodes', objects: waiting.map(({ id }) => id) }]
}

export function endOf({ snapshot }: Pass): RehearsalEnd {
  const off = snapshot.resources.flatMap(({ id, sync, health }): RehearsalEnd['off'] => {
    const well = health === undefined || health.status === 'Healthy' || health.status === 'Suspended'
    if (sync === 'Synced' && well) return []
    const told = health === undefined ? {} : { health: health.status }
    return [{ id, sync, ...told, ...(health?.message === undefined ? {} : { message: health.message }) }]
  })
  return { sync: snapshot.sync, health: snapshot.health.status, off }
}

/** Kinds that come to rest in an embedded rehearsal; what others wait for is not there. */
const TENDED: ReadonlySet<string> = new Set([
  'apps|Deployment',
  'apps|StatefulSet',
  'apps|DaemonSet',
  'apps|ReplicaSet',
  'batch|Job',
  '|Pod',
  '|PersistentVolumeClaim',
])

function failuresOf(
  { run, lacking, world }: ReportInputs,
  steps: readonly RehearsedStep[],
  end: RehearsalEnd,
): readonly string[] {
  const failures: string[] = []
  const { outcome, snapshot } = run.synced
  if (run.rolledBackTo !== undefined)
    failures.push(`it comes out degraded, and goes back to ${run.rolledBackTo.slice(0, 7)}`)
  if (outcome?.phase !== 'Succeeded')
    failures.push(outcome?.message ?? snapshot.conditions[0]?.message ?? 'the sync did not run')
  for (const { id, result } of steps) {
    if (result.kind === 'refused' || result.kind === 'failed' || result.kind === 'hook-failed')
      failures.push(`${labelOf(id)}: ${result.reason}`)
  }
  const kept = new Set(steps.filter(({ result }) => result.kind === 'kept').map(({ id }) => resourceKey(id)))
  for (const { id, sync, health, message } of end.off) {
    const stuck = health === 'Progressing' && hasNodes(world) && TENDED.has(groupKindKey(id))
    if (health === 'Degraded' || stuck)
      failures.push(`${labelOf(id)} ends ${health}${message === undefined ? '' : `: ${message}`}`)
    else if (sync !== 'Synced' && outcome?.phase === 'Succeeded' && !kept.has(resourceKey(id)))
      failures.push(`${labelOf(id)} ends ${sync}`)
  }
  for (const effect of lacking) {
    if (effect.kind !== 'permission-lacking') continue
    const { verb, resource, namespace } = effect
    failures.push(`the real cluster does not allow to ${verb} ${resource}${namespace === '' ? '' : ` in ${namespace}`}`)
  }
  return [...new Set(failures)]
}

function labelOf({
  kind,
  namespace,
  name,
}: {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`
}
