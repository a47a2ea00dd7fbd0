import { gvkOf, type KubeObject } from '../../model/kubernetes.ts'
import type { LiveObject } from '../../model/live.ts'
import type { Step } from '../../model/plan.ts'
import type { Cancellable, ClockPort, ClusterPort, PatchOperation } from '../../model/ports.ts'
import { assertNever } from '../../base/assert-never.ts'
import type { Desired } from '../desired.ts'
import { removalOf } from '../drift/ask.ts'
import type { Covers } from '../drift/ignore.ts'
import { sentObject } from '../drift/sent.ts'
import { FIELD_MANAGER, type TrustedManagers } from '../drift/trust.ts'
import { CLIENT_SIDE_MANAGER } from '../options.ts'
import type { Pair } from '../pair.ts'
import { adoptionOf } from './adopt.ts'
import { clientSidePatch, replacement, withLastApplied } from './client-side.ts'
import { keepIgnored } from './keep-ignored.ts'
import { pinnedWrite, type PinnedTarget } from './pinned-write.ts'
import { stepsOf } from './steps-of.ts'

export type StepContext = {
  readonly cluster: ClusterPort
  readonly clock: ClockPort
  readonly trustedFor: (step: Step) => TrustedManagers
  /** The paths that ignoreDifferences leaves out, where a rule names the object. */
  readonly ignoredIn: (step: Step, live: KubeObject, desired: KubeObject) => Promise<Covers> | undefined
  readonly cancel: Cancellable
}

type Both = Pair & { readonly kind: 'both' }

const POLL_MS = 100
const PATIENCE_MS = 120_000

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
      await create(step, pair.desired.object, context)
      return
    case 'both':
      await update(step, pair, context)
      return
    case 'extra':
      await remove(step, pair.live, context)
      return
    default:
      assertNever(pair)
  }
}

async function create(step: Step, object: KubeObject, context: StepContext): Promise<void> {
  if (step.manner.method === 'client-side') await apply(step, withLastApplied(object), context, CLIENT_SIDE_MANAGER)
  else await apply(step, object, context)
}

async function update(step: Step, pair: Both, context: StepContext): Promise<void> {
  switch (step.manner.method) {
    case 'apply':
      return serverSide(step, pair, context)
    case 'client-side':
      return patch(step, pair, clientSidePatch(await wanted(step, pair, context), pair, step.fields), context)
    case 'replace':
      return patch(step, pair, replacement(await wanted(step, pair, context), pair.live.object), context)
    case 'recreate':
      await remove(step, pair.live, context)
      await untilGone(step, pair, context)
      return apply(step, pair.desired.object, context)
  }
}

async function serverSide(step: Step, pair: Both, context: StepContext): Promise<void> {
  const { desired, live } = pair
  const { cluster, cancel } = context
  const adoption = adoptionOf(live, step.manner.migrateFrom)
  const foreign = step.fields.filter((field) => field.kind === 'added-foreign')
  let state = live
  if (adoption !== undefined || foreign.length > 0) {
    const removed = foreign.map((field) => ({ path: stepsOf(field.path, live.object) }))
    const change = async (now: LiveObject): Promise<LiveObject> => {
      const operations = [...removalOf(removed, now), pinnedTo(now), ...(adoption ?? [])]
      return cluster.patch({ gvk: desired.gvk, id: desired.id, fieldManager: FIELD_MANAGER, operations }, cancel)
    }
    state = await pinnedWrite(live, targetOf(step, pair, context), change, context)
  }
  // Where only foreign fields differed an apply would change nothing, and is not sent.
  if (adoption === undefined && foreign.length > 0 && foreign.length === step.fields.length) return
  const object = await wanted(step, pair, context)
  const applyTo = async ({ uid, resourceVersion }: LiveObject): Promise<void> =>
    apply(step, { ...object, metadata: { ...object.metadata, uid, resourceVersion } }, context)
  await pinnedWrite(state, targetOf(step, pair, context), applyTo, context)
}

function targetOf(step: Step, { desired }: Both, context: StepContext): PinnedTarget {
  return { gvk: desired.gvk, id: desired.id, schema: desired.kind?.schema, trusted: context.trustedFor(step) }
}

/** The desired object without what is left to controllers, and with what ignoreDifferences is to leave alone as it is. */
async function wanted(
  step: Step,
  { desired, live }: { readonly desired: Desired; readonly live: LiveObject },
  context: StepContext,
): Promise<KubeObject> {
  const { object } = sentObject(desired.object, live, desired.kind?.schema, context.trustedFor(step))
  const ignored = step.manner.respectIgnored ? context.ignoredIn(step, live.object, desired.object) : undefined
  return ignored === undefined ? object : keepIgnored(object, live.object, await ignored)
}

/** The server compares the resourceVersion that a patch leaves with the one that it has stored. */
function pinnedTo(live: LiveObject): PatchOperation {
  return { op: 'replace', path: '/metadata/resourceVersion', value: live.resourceVersion }
}

async function patch(
  _: Step,
  { desired, live }: Both,
  changes: readonly PatchOperation[],
  context: StepContext,
): Promise<void> {
  if (changes.length === 0) return
  const operations = [{ op: 'test', path: '/metadata/uid', value: live.uid } as const, ...changes, pinnedTo(live)]
  const request = { gvk: desired.gvk, id: desired.id, fieldManager: CLIENT_SIDE_MANAGER, operations }
  await context.cluster.patch(request, context.cancel)
}

async function apply(
  step: Step,
  object: KubeObject,
  context: StepContext,
  fieldManager: string = FIELD_MANAGER,
): Promise<void> {
  const fieldValidation = step.manner.validate ? 'Strict' : 'Ignore'
  await context.cluster.apply({ object, fieldManager, force: true, fieldValidation }, context.cancel)
}

async function remove(step: Step, live: LiveObject, context: StepContext): Promise<void> {
  const gvk = gvkOf(live.object)
  const { propagation } = step.manner
  const removeIn = async ({ uid, resourceVersion }: LiveObject): Promise<void> =>
    context.cluster.delete({ gvk, id: step.id, uid, resourceVersion, propagation }, context.cancel)
  const target = { gvk, id: step.id, schema: undefined, trusted: context.trustedFor(step) }
  await pinnedWrite(live, target, removeIn, context)
}

async function untilGone(step: Step, { desired, live }: Both, context: StepContext): Promise<void> {
  const { cluster, clock, cancel } = context
  const deadline = clock.now() + PATIENCE_MS
  while (clock.now() < deadline) {
    const left = await cluster.read(desired.gvk, step.id, cancel)
    if (left?.uid !== live.uid) return
    await clock.sleep(POLL_MS, cancel)
  }
  throw new Error(`${step.id.kind} ${step.id.name} is not gone after ${PATIENCE_MS / 1000} s; it has finalizers`)
}
