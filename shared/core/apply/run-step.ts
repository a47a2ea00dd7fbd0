import type { Json } from '../../model/json.ts'
import { gvkOf, type KubeObject } from '../../model/kubernetes.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Step } from '../../model/plan.ts'
import { fromPointer } from '../../model/pointer.ts'
import type { Cancellable, ClusterPort, DeleteRequest, PatchOperation } from '../../model/ports.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { Desired } from '../desired.ts'
import { removalOf } from '../drift/ask.ts'
import { sentObject } from '../drift/sent.ts'
import { FIELD_MANAGER, type TrustedManagers } from '../drift/trust.ts'
import type { Pair } from '../pair.ts'
import { adoptionOf } from './adopt.ts'
import { pinnedWrite } from './pinned-write.ts'

export type StepContext = {
  readonly cluster: ClusterPort
  readonly trustedFor: (step: Step) => TrustedManagers
  readonly propagation: DeleteRequest['propagation']
  readonly cancel: Cancellable
}

/**
 * Does one step to exactly the state that it was planned on: the writes carry uid and resourceVersion, so that the server
 * refuses them (409) when the object has moved.
 * @throws ClusterError
 */
export async function runStep(step: Step, pair: Pair, context: StepContext): Promise<void> {
  switch (pair.kind) {
    case 'unreadable':
      // The planner refuses such steps.
      return
    case 'missing':
      await apply(pair.desired.object, context)
      return
    case 'both':
      await update(step, pair.desired, pair.live, context)
      return
    case 'extra':
      await prune(pair.live, pair, context)
      return
    default:
      assertNever(pair)
  }
}

async function update(step: Step, desired: Desired, live: LiveObject, context: StepContext): Promise<void> {
  const { cluster, cancel } = context
  const adoption = adoptionOf(live)
  const foreign = step.fields.filter((field) => field.kind === 'added-foreign')
  let state = live
  if (adoption !== undefined || foreign.length > 0) {
    const removed = foreign.map((field) => ({ path: stepsOf(field.path, live.object) }))
    const patch = async (now: LiveObject): Promise<LiveObject> => {
      const operations = [...removalOf(removed, now), pinnedTo(now), ...(adoption ?? [])]
      return cluster.patch({ gvk: desired.gvk, id: desired.id, fieldManager: FIELD_MANAGER, operations }, cancel)
    }
    state = await pinnedWrite(live, desired, patch, context)
  }
  // Where only foreign fields differed an apply would change nothing, and is not sent.
  if (adoption === undefined && foreign.length === step.fields.length) return
  const { object } = sentObject(desired.object, live, desired.kind?.schema, context.trustedFor(step))
  const applyTo = async ({ uid, resourceVersion }: LiveObject): Promise<void> =>
    apply({ ...object, metadata: { ...object.metadata, uid, resourceVersion } }, context)
  await pinnedWrite(state, desired, applyTo, context)
}

/** The server compares the resourceVersion that a patch leaves with the one that it has stored. */
function pinnedTo(live: LiveObject): PatchOperation {
  return { op: 'replace', path: '/metadata/resourceVersion', value: live.resourceVersion }
}

async function apply(object: KubeObject, context: StepContext): Promise<void> {
  const request = { object, fieldManager: FIELD_MANAGER, force: true, fieldValidation: 'Strict' } as const
  await context.cluster.apply(request, context.cancel)
}

async function prune(live: LiveObject, { id }: Pair, context: StepContext): Promise<void> {
  const { cluster, cancel, propagation } = context
  const gvk = gvkOf(live.object)
  const remove = async ({ uid, resourceVersion }: LiveObject): Promise<void> =>
    cluster.delete({ gvk, id, uid, resourceVersion, propagation }, cancel)
  await pinnedWrite(live, { gvk, id }, remove, context)
}

/** Pointer steps are strings; against the object, those that meet a list are its indices. */
function stepsOf(pointer: string, object: Json): readonly (string | number)[] {
  let here: unknown = object
  return fromPointer(pointer).map((step) => {
    const index = Array.isArray(here) ? Number(step) : step
    here = (here as Record<string | number, unknown> | undefined)?.[index]
    return index
  })
}
