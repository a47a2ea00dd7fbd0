import type { ObjectDrift } from '../model/drift.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { HookTask } from './hooks/hook-tasks.ts'
import { waveOf } from './hooks/read-hook.ts'
import { hasSyncOption, isMadeAnew } from './options.ts'
import type { Pair } from './pair.ts'
import type { PassContext } from './pass-context.ts'
import { compareStages, earliestFor, turnedWaves, type Stage, type Staged } from './stages.ts'

/** One object, or one run of a hook, at its place in the order. Objects in sync are there too: waves wait for them. */
export type Task = { readonly stage: Stage } & (
  | { readonly kind: 'object'; readonly pair: Pair; readonly drift: ObjectDrift }
  | { readonly kind: 'hook'; readonly hook: HookTask }
)

/** Drift was found pair by pair, in the same order. */
export function tasksOf(
  { application, request }: PassContext,
  pairs: readonly Pair[],
  drift: readonly ObjectDrift[],
  hooks: readonly HookTask[],
): readonly Task[] {
  const tasks: Task[] = []
  const { only } = request
  // In one stage nothing waits for what is in sync, and of ten thousand objects most are.
  const isLast = (pair: Pair): boolean => hasSyncOption(application, objectOf(pair), 'PruneLast', 'true')
  const flat = hooks.length === 0 && isFlat(pairs, isLast)
  for (let index = 0; index < drift.length; index++) {
    const pair = pairs[index]
    const object = drift[index]
    if (pair === undefined || object === undefined || (only !== undefined && !only(pair.id))) continue
    if (flat && object.state === 'synced' && !isMadeAnew(objectOf(pair))) continue
    tasks.push({ kind: 'object', pair, drift: object, stage: { phase: 'Sync', wave: waveOf(objectOf(pair)) } })
  }
  for (const hook of hooks) {
    tasks.push({ kind: 'hook', hook, stage: { phase: hook.phase, wave: waveOf(hook.desired.object) } })
  }
  return bubbled(pruned(tasks, isLast))
}

/** Whether all objects are of one wave; where one is to be pruned last, they are not. */
function isFlat(pairs: readonly Pair[], isLast: (pair: Pair) => boolean): boolean {
  let wave: number | undefined
  for (const pair of pairs) {
    const object = objectOf(pair)
    wave ??= waveOf(object)
    if (waveOf(object) !== wave || (pair.kind === 'extra' && isLast(pair))) return false
  }
  return true
}

export function objectOf(pair: Pair): KubeObject {
  return pair.kind === 'extra' ? pair.live.object : pair.desired.object
}

/** Prunes go through their waves from the last to the first; those that are to be last come after every wave. */
function pruned(tasks: readonly Task[], isLast: (pair: Pair) => boolean): readonly Task[] {
  const prunes = tasks.filter((task) => task.kind === 'object' && task.pair.kind === 'extra')
  if (prunes.length === 0) return tasks
  const turned = turnedWaves(prunes.map(({ stage }) => stage.wave))
  const waves = tasks.map(({ stage }) => (stage.phase === 'Sync' ? stage.wave : 0))
  const afterAll = waves.reduce((most, wave) => Math.max(most, wave), 0) + 1
  return tasks.map((task) => {
    if (task.kind !== 'object' || task.pair.kind !== 'extra') return task
    const wave = isLast(task.pair) ? afterAll : (turned.get(task.stage.wave) ?? task.stage.wave)
    return { ...task, stage: { phase: 'Sync', wave } }
  })
}

function bubbled(tasks: readonly Task[]): readonly Task[] {
  const [first] = tasks
  // One stage is all that most applications have.
  if (first === undefined || tasks.every(({ stage }) => compareStages(stage, first.stage) === 0)) return tasks
  const staged = tasks.flatMap((task): readonly Staged[] => {
    if (task.kind === 'hook') return [{ id: task.hook.desired.id, object: task.hook.desired.object, stage: task.stage }]
    return task.pair.kind === 'extra' ? [] : [{ id: task.pair.id, object: objectOf(task.pair), stage: task.stage }]
  })
  const earliest = earliestFor(staged)
  return tasks.map((task) => {
    if (task.kind === 'hook' || task.pair.kind === 'extra') return task
    return { ...task, stage: earliest({ id: task.pair.id, object: objectOf(task.pair), stage: task.stage }) }
  })
}
