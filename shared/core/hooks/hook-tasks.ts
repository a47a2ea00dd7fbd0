import type { Health } from '../../model/health.ts'
import { idOf, resourceKey, type KubeObject } from '../../model/kubernetes.ts'
import type { LiveObject } from '../../model/live.ts'
import type { HookRun, HookState, Operation } from '../../model/outcome.ts'
import type { HookDeletePolicy, SyncPhase } from '../../model/plan.ts'
import type { LiveView } from '../../model/ports.ts'
import type { Desired } from '../desired.ts'
import type { JudgeHealth } from '../health/health-of.ts'
import { TRACKING_ANNOTATION } from '../tracking.ts'
import { roleOf } from './read-hook.ts'

/** On a hook's object: the operation and the phase that it runs for. */
export const OPERATION_ANNOTATION = 'plumbline.dev/operation'

/** One run of a hook that a sync is to make, is waiting for, or has behind it. */
export type HookTask = {
  /** By phase and object; an operation's record names the run so. */
  readonly key: string
  readonly phase: SyncPhase
  /** As it is sent: with its name, the tracking id and the operation's mark. */
  readonly desired: Desired
  readonly policies: readonly HookDeletePolicy[]
  /** What is there under the name now: this run, or what an earlier sync left. */
  readonly live: LiveObject | undefined
  readonly state: 'due' | HookState
  readonly message: string
}

const SYNC_PHASES: ReadonlySet<SyncPhase> = new Set(['PreSync', 'Sync', 'PostSync', 'SyncFail'])
const DELETE_PHASES: ReadonlySet<SyncPhase> = new Set(['PreDelete', 'PostDelete'])

export type HookWorld = {
  readonly live: LiveView
  readonly operation: Operation | undefined
  readonly revision: string
  readonly teardown: boolean
  readonly application: string
  readonly health: JudgeHealth
}

/** Every run that the hooks of a sync, or of a deletion, ask for. A hook with two phases runs twice. */
export function hookTasks(hooks: readonly Desired[], world: HookWorld): readonly HookTask[] {
  const phases = world.teardown ? DELETE_PHASES : SYNC_PHASES
  return hooks.flatMap((hook) => {
    const role = roleOf(hook.object)
    if (role.kind !== 'hook') return []
    return role.phases.filter((phase) => phases.has(phase)).map((phase) => taskOf(hook, phase, role.policies, world))
  })
}

function taskOf(hook: Desired, phase: SyncPhase, policies: readonly HookDeletePolicy[], world: HookWorld): HookTask {
  const desired = instanceOf(hook, phase, world)
  const key = `${phase}|${desired.key}`
  const live = world.live.get(desired.id)
  return {
    key,
    phase,
    desired,
    policies,
    live,
    ...stateOf(world.operation?.hooks[key], live, markOf(world, phase), world.health),
  }
}

function stateOf(
  run: HookRun | undefined,
  live: LiveObject | undefined,
  mark: string,
  health: JudgeHealth,
): Pick<HookTask, 'state' | 'message'> {
  if (run !== undefined && run.state !== 'Running') return { state: run.state, message: run.message ?? '' }
  if (live !== undefined && live.object.metadata.annotations?.[OPERATION_ANNOTATION] === mark) {
    return hookState(health(live.object))
  }
  // It was made, and is no longer there: nobody will ever know how it would have ended.
  if (run?.uid !== undefined) return { state: 'Failed', message: 'it was deleted while it ran' }
  return { state: 'due', message: '' }
}

/** Argo CD `gitops-engine/pkg/sync/sync_context.go`, getOperationPhase: what has no health is done once it is there. */
function hookState(health: Health | undefined): Pick<HookTask, 'state' | 'message'> {
  const message = health?.message ?? ''
  switch (health?.status) {
    case 'Degraded':
    case 'Unknown':
      return { state: 'Failed', message: message || 'it failed' }
    case 'Progressing':
    case 'Suspended':
      return { state: 'Running', message }
    case 'Healthy':
    case 'Missing':
    case undefined:
      return { state: 'Succeeded', message }
  }
}

function markOf({ operation }: HookWorld, phase: SyncPhase): string {
  return `${operation?.id ?? 'preview'}/${phase}`
}

function instanceOf(hook: Desired, phase: SyncPhase, world: HookWorld): Desired {
  const { object } = hook
  const name = object.metadata.name || generatedName(object, phase, world)
  const id = { ...hook.id, name }
  const annotations = {
    ...object.metadata.annotations,
    [TRACKING_ANNOTATION]: `${world.application}:${id.group}/${id.kind}:${id.namespace}/${name}`,
    [OPERATION_ANNOTATION]: markOf(world, phase),
  }
  const { generateName: _, ...metadata } = object.metadata
  const named = { ...object, metadata: { ...metadata, name, annotations } } as KubeObject
  return { ...hook, id: idOf(named), key: resourceKey(id), object: named }
}

/** The same within one operation, another in the next (Argo CD names them so, `sync_context.go`). */
function generatedName(object: KubeObject, phase: SyncPhase, { revision, operation }: HookWorld): string {
  const prefix = object.metadata['generateName']
  const seconds = operation === undefined ? '' : `-${Math.floor(Date.parse(operation.startedAt) / 1000)}`
  return `${typeof prefix === 'string' ? prefix : ''}${revision.slice(0, 7)}-${phase.toLowerCase()}${seconds}`
}
