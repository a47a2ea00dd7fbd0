import { isObject } from '../model/json.ts'
import { groupKindKey, type KubeObject, type ResourceId } from '../model/kubernetes.ts'
import type { SyncPhase } from '../model/plan.ts'

/** A wave of a phase. */
export type Stage = { readonly phase: SyncPhase; readonly wave: number }

/** Phases in their order (Argo CD `gitops-engine/pkg/sync/sync_tasks.go`); a sync that fails ends with SyncFail. */
const PHASE_ORDER: Readonly<Record<SyncPhase, number>> = {
  PreDelete: 0,
  PreSync: 1,
  Sync: 2,
  PostSync: 3,
  PostDelete: 4,
  SyncFail: 5,
}

export function compareStages(a: Stage, b: Stage): number {
  return PHASE_ORDER[a.phase] - PHASE_ORDER[b.phase] || a.wave - b.wave
}

/** One string for one stage, for maps. */
export function stageKey({ phase, wave }: Stage): string {
  return `${phase}|${wave}`
}

/** `wave 2`, `PostSync`, `PreSync wave -1`. */
export function stageWords({ phase, wave }: Stage): string {
  return phase === 'Sync' ? `wave ${wave}` : wave === 0 ? phase : `${phase} wave ${wave}`
}

/** Something that has a place in the order, and whatever else has to be there before it. */
export type Staged = { readonly id: ResourceId; readonly object: KubeObject; readonly stage: Stage }

/**
 * Namespaces and definitions come no later than what needs them, whatever wave they name (Argo CD
 * `gitops-engine/pkg/sync/sync_tasks.go`). Undefined for everything else.
 */
export function earliestFor(all: readonly Staged[]): (one: Staged) => Stage {
  const needed = new Map<string, Stage>()
  const note = (key: string, stage: Stage): void => {
    const known = needed.get(key)
    if (known === undefined || compareStages(stage, known) < 0) needed.set(key, stage)
  }
  for (const { id, stage } of all) {
    if (id.namespace !== '') note(`namespace|${id.namespace}`, stage)
    note(`kind|${groupKindKey(id)}`, stage)
  }
  return ({ id, object, stage }) => {
    const key = providedBy(id, object)
    const first = key === undefined ? undefined : needed.get(key)
    return first !== undefined && compareStages(first, stage) < 0 ? first : stage
  }
}

function providedBy(id: ResourceId, object: KubeObject): string | undefined {
  if (id.kind === 'Namespace' && id.group === '') return `namespace|${id.name}`
  const spec = object['spec']
  if (id.kind !== 'CustomResourceDefinition' || !isObject(spec) || !isObject(spec['names'])) return undefined
  const { group } = spec
  const { kind } = spec['names']
  return typeof group === 'string' && typeof kind === 'string' ? `kind|${groupKindKey({ group, kind })}` : undefined
}

/**
 * The waves of prunes, turned around: what came last goes first. The first and the last wave change places, and so on
 * inwards, so that prunes stay within the waves that they are of.
 */
export function turnedWaves(waves: readonly number[]): ReadonlyMap<number, number> {
  const sorted = [...new Set(waves)].sort((a, b) => a - b)
  return new Map(sorted.map((wave, index) => [wave, sorted[sorted.length - 1 - index] ?? wave]))
}
