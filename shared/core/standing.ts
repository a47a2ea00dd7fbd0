import type { Health } from '../model/health.ts'
import type { ResourceId } from '../model/kubernetes.ts'
import type { Operation } from '../model/outcome.ts'
import type { StepReadiness } from '../model/plan.ts'
import { ignoresHealthCheck, type JudgeHealth } from './health/health-of.ts'
import { isMadeAnew } from './options.ts'
import { isGoing } from './pair.ts'
import type { Task } from './tasks.ts'

/**
 * Where one task stands. `due` is to run, `waiting` is under way and may have `more` to run after, `left` was refused and holds nobody up; `failed` ends the
 * sync, at once where it is a hook, else when nothing of its wave is due any more.
 */
export type Standing =
  | { readonly kind: 'done' }
  | { readonly kind: 'due' }
  | { readonly kind: 'left'; readonly readiness: StepReadiness }
  | { readonly kind: 'waiting'; readonly reason: string; readonly more: boolean }
  | { readonly kind: 'failed'; readonly reason: string; readonly atOnce: boolean }

/** @param gates whether later waves wait for this one, so that its objects have to be healthy */
export function standingOf(
  task: Task,
  readiness: StepReadiness,
  operation: Operation | undefined,
  gates: boolean,
  health: JudgeHealth,
): Standing {
  if (task.kind === 'hook') {
    const { state, message, desired } = task.hook
    switch (state) {
      case 'due':
        return readiness.kind === 'ready' ? { kind: 'due' } : { kind: 'left', readiness }
      case 'Succeeded':
        return { kind: 'done' }
      case 'Running':
        return { kind: 'waiting', reason: `the ${task.hook.phase} hook ${nameOf(desired.id)} to end`, more: false }
      case 'Failed':
        return {
          kind: 'failed',
          reason: `the ${task.hook.phase} hook ${nameOf(desired.id)} failed: ${message}`,
          atOnce: true,
        }
    }
  }
  const { pair, drift } = task
  // It is made again when it has gone; a sync that ended before would leave nothing of it.
  if (drift.going === true && readiness.kind === 'ready') {
    return { kind: 'waiting', reason: `${nameOf(pair.id)} to be gone`, more: true }
  }
  if (drift.state !== 'synced' || readiness.kind !== 'ready') {
    if (pair.kind === 'extra' && isGoing(pair.live)) {
      return gates ? { kind: 'waiting', reason: `${nameOf(pair.id)} to be gone`, more: false } : { kind: 'done' }
    }
    return readiness.kind === 'ready' ? { kind: 'due' } : { kind: 'left', readiness }
  }
  if (pair.kind === 'both' && isMadeAnew(pair.desired.object) && operation !== undefined && !ranIn(operation, task)) {
    return { kind: 'due' }
  }
  if (!gates || pair.kind !== 'both' || ignoresHealthCheck(pair.live.object)) return { kind: 'done' }
  return byHealth(health(pair.live.object), pair.id)
}

function byHealth(health: Health | undefined, id: ResourceId): Standing {
  switch (health?.status) {
    case undefined:
    case 'Healthy':
      return { kind: 'done' }
    case 'Degraded': {
      const reason = `${nameOf(id)} is degraded${health.message === undefined ? '' : `: ${health.message}`}`
      // What a custom resource's conditions say while its controller has not seen the change yet means little.
      return isBuiltIn(id) ? { kind: 'failed', reason, atOnce: false } : { kind: 'waiting', reason, more: false }
    }
    case 'Progressing':
    case 'Suspended':
    case 'Missing':
    case 'Unknown':
      return { kind: 'waiting', reason: `${nameOf(id)} to be healthy`, more: false }
  }
}

function isBuiltIn({ group }: ResourceId): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io')
}

function ranIn(operation: Operation, task: Task & { readonly kind: 'object' }): boolean {
  const { group, kind, namespace, name } = task.pair.id
  return operation.steps.some(
    ({ id, result }) =>
      result === 'Synced' && id.name === name && id.kind === kind && id.namespace === namespace && id.group === group,
  )
}

function nameOf({ kind, namespace, name }: ResourceId): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`
}
