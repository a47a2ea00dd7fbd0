import type { ObjectDrift } from '../model/drift.ts'
import type { Step, StepAction, StepReadiness } from '../model/plan.ts'
import type { HookTask } from './hooks/hook-tasks.ts'
import { mannerOf } from './options.ts'
import type { Pair } from './pair.ts'
import type { PassContext } from './pass-context.ts'
import type { Stage } from './stages.ts'
import { objectOf } from './tasks.ts'

/** Nobody has said yet when it may run. */
type Draft = Omit<Step, 'rank' | 'readiness'>

/** The step that brings one object to what Git wants. */
export function objectStep({ application, request }: PassContext, pair: Pair, drift: ObjectDrift, stage: Stage): Draft {
  return {
    id: drift.id,
    apiVersion: drift.apiVersion,
    action: actionOf(drift),
    reason: reasonOf(drift),
    fields: drift.fields,
    ...stage,
    manner: mannerOf(application, objectOf(pair), request, drift.failure?.reason === 'invalid'),
    effects: [],
    ...(drift.uid === undefined ? {} : { uid: drift.uid }),
    ...(drift.resourceVersion === undefined ? {} : { resourceVersion: drift.resourceVersion }),
  }
}

/** The step that runs a hook; what an earlier sync left of it goes first where its policy says so. */
export function hookStep({ application, request }: PassContext, hook: HookTask, stage: Stage): Draft {
  const { id, object } = hook.desired
  const replaces = hook.live !== undefined && hook.state === 'due'
  return {
    id,
    apiVersion: object.apiVersion,
    action: 'create',
    reason: replaces ? `${hook.phase} hook; it replaces the one of an earlier sync` : `${hook.phase} hook`,
    fields: [],
    ...stage,
    hook: { deletePolicies: hook.policies },
    manner: mannerOf(application, object, request, false),
    effects: [],
    ...(replaces ? { uid: hook.live.uid, resourceVersion: hook.live.resourceVersion } : {}),
  }
}

function actionOf(drift: ObjectDrift): StepAction {
  switch (drift.state) {
    case 'missing':
      return 'create'
    case 'changed':
    case 'unknown':
      return 'update'
    case 'extra':
      return 'prune'
    case 'synced':
      return 'none'
  }
}

function reasonOf(drift: ObjectDrift): string {
  switch (drift.state) {
    case 'missing':
      return drift.going === true ? 'it is being deleted, and Git has it' : 'Git has it, the cluster does not'
    case 'changed':
      return drift.fields.length === 1 ? '1 field differs' : `${drift.fields.length} fields differ`
    case 'unknown':
      return 'its state could not be found out'
    case 'extra':
      return 'the cluster has it, Git no longer does'
    case 'synced':
      return 'in sync'
  }
}

/** Why the server would refuse an object's step; undefined where it would not, or where making it anew is asked for. */
export function serverRefusal(drift: ObjectDrift, step: Draft): StepReadiness | undefined {
  const { failure } = drift
  if (failure === undefined) return undefined
  if (failure.reason === 'invalid' && step.manner.method === 'recreate') return undefined
  return { kind: 'refused', rule: `server:${failure.reason}`, reason: failure.message }
}
