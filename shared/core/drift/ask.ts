import type { Schema } from '../../fields/schema.ts'
import { resolveElements } from './resolve.ts'
import type { LiveObject } from '../../model/live.ts'
import { toPointer } from '../../model/pointer.ts'
import type { ApplyRequest, Cancellable, ClusterPort, PatchOperation } from '../../model/ports.ts'
import type { Desired } from '../desired.ts'
import { findForeign, findLeft, findOwnership, findPredicted, findRewritten, type Finding } from './classify.ts'
import { sameMeaning } from './differences.ts'
import type { Foreign } from './foreign.ts'
import type { Sent } from './sent.ts'
import { FIELD_MANAGER } from './trust.ts'

/** What there is to ask the server about one object. */
export type Question = {
  readonly desired: Desired
  readonly live: LiveObject
  readonly sent: Sent
  readonly foreign: readonly Foreign[]
  /** True when an apply is already known to change nothing, so that only the foreign fields are in question. */
  readonly proven: boolean
  /** True when this very manifest was applied before: what is absent now was removed. */
  readonly appliedBefore: boolean
  readonly fieldValidation: ApplyRequest['fieldValidation']
}

/** Asks the server, by dry runs only, what a sync would change. @throws ClusterError */
export async function ask(question: Question, cluster: ClusterPort, options: Cancellable): Promise<readonly Finding[]> {
  const [predicted, foreign] = await Promise.all([
    question.proven ? [] : askApply(question, cluster, options),
    question.foreign.length === 0 ? [] : askForeign(question, cluster, options),
  ])
  return [...predicted, ...foreign, ...findLeft(question.desired, question.sent)]
}

async function askApply(question: Question, cluster: ClusterPort, options: Cancellable): Promise<readonly Finding[]> {
  const { desired, live, sent, fieldValidation } = question
  const request = { object: sent.object, fieldManager: FIELD_MANAGER, force: true, fieldValidation }
  const predicted = await cluster.dryRunApply(request, options)
  const changes = findPredicted(desired, predicted, live, desired.kind?.schema, question.appliedBefore)
  return [
    ...changes,
    ...findRewritten(desired, sent, predicted, desired.kind?.schema),
    ...findOwnership(desired, predicted, live, changes),
  ]
}

/**
 * Which of the fields that somebody added a sync could remove. A default comes back by itself and is not drift; a field
 * that the server will not part with is not drift either, since no sync can change it.
 */
async function askForeign(question: Question, cluster: ClusterPort, options: Cancellable): Promise<readonly Finding[]> {
  const { desired, foreign } = question
  const after = await dryRunRemoval(question, foreign, cluster, options)
  if (after !== undefined) return foreign.map((field) => judged(desired, field, after))
  if (foreign.length === 1) return foreign.map((field) => findForeign(desired, field, 'added-foreign', false))
  // One of them cannot be removed: ask for each, so that it does not hide the others.
  return Promise.all(
    foreign.map(async (field) => {
      const alone = await dryRunRemoval(question, [field], cluster, options)
      return alone === undefined ? findForeign(desired, field, 'added-foreign', false) : judged(desired, field, alone)
    }),
  )
}

function judged(desired: Desired, field: Foreign, after: LiveObject): Finding {
  const schema: Schema | undefined = desired.kind?.schema
  const found = resolveElements(after.object, schema, field.fields)
  const returned = found !== undefined && sameMeaning(found.value, field.value, found.schema)
  return findForeign(desired, field, returned ? 'defaulted' : 'added-foreign', !returned)
}

/** Undefined where the server refuses the removal. */
async function dryRunRemoval(
  { desired, live }: Question,
  foreign: readonly Foreign[],
  cluster: ClusterPort,
  options: Cancellable,
): Promise<LiveObject | undefined> {
  try {
    const operations = removalOf(foreign, live)
    return await cluster.dryRunPatch(
      { gvk: desired.gvk, id: desired.id, fieldManager: FIELD_MANAGER, operations },
      options,
    )
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** The JSON patch that removes the fields from exactly this state of the object, last indices first. */
export function removalOf(
  foreign: readonly { readonly path: Foreign['path'] }[],
  live: LiveObject,
): readonly PatchOperation[] {
  const paths = foreign.map((field) => field.path).sort(lastFirst)
  return [
    { op: 'test', path: '/metadata/uid', value: live.uid },
    ...paths.map((path) => ({ op: 'remove', path: toPointer(path) }) as const),
  ]
}

function lastFirst(a: Foreign['path'], b: Foreign['path']): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const left = a[i]
    const right = b[i]
    if (left === right) continue
    if (typeof left === 'number' && typeof right === 'number') return right - left
    return String(left) < String(right) ? 1 : -1
  }
  return b.length - a.length
}

function isRefusal(error: unknown): boolean {
  const reason = (error as { readonly reason?: unknown } | null)?.reason
  return reason === 'invalid' || reason === 'bad-request' || reason === 'forbidden'
}
