import { mergeValues } from '../../fields/merge.ts'
import { fieldSetOf } from '../../fields/object-set.ts'
import { removeFields } from '../../fields/remove.ts'
import { deducedSchema, type Schema } from '../../fields/schema.ts'
import type { FieldDrift } from '../../model/drift.ts'
import { canonicalJson, isObject, parseJson, stringifyJson, type Json, type JsonObject } from '../../model/json.ts'
import { isKubeObject, type KubeObject } from '../../model/kubernetes.ts'
import type { PatchOperation } from '../../model/ports.ts'
import { removalOf } from '../drift/ask.ts'
import { LAST_APPLIED_ANNOTATION } from '../drift/system-fields.ts'
import type { Pair } from '../pair.ts'
import { stepsOf } from './steps-of.ts'

type Both = Pair & { readonly kind: 'both' }

/** The object with kubectl's copy of what was applied, so that the next three-way merge knows what has left Git. */
export function withLastApplied(object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, [LAST_APPLIED_ANNOTATION]: `${stringifyJson(object)}\n` }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/**
 * The patch of a three-way merge (`kubectl apply` on the client's side): what the last applied configuration had and Git no
 * longer has goes, what Git has is laid over the live object, everything else stays. Fields that the plan shows as somebody
 * else's go too, since a sync leaves no drift.
 */
export function clientSidePatch(
  object: KubeObject,
  { desired, live }: Both,
  fields: readonly FieldDrift[],
): readonly PatchOperation[] {
  const schema = desired.kind?.schema ?? deducedSchema
  const foreign = fields.filter((field) => field.kind === 'added-foreign')
  const removals = removalOf(
    foreign.map((field) => ({ path: stepsOf(field.path, live.object) })),
    live,
  )
  const bare = removals.reduce<Json>(
    (value, { op, path }) => (op === 'remove' ? without(value, stepsOf(path, value)) : value),
    live.object,
  )
  const dropped = removeFields(bare, droppedSince(live.object, object, schema), schema) as Json
  const merged = mergeValues(dropped, withLastApplied(object), schema) as KubeObject
  return operationsTo(merged, live.object)
}

/** The patch that makes of the live object what Git has, and nothing else (`kubectl replace`). */
export function replacement(object: KubeObject, live: KubeObject): readonly PatchOperation[] {
  const { annotations, labels } = object.metadata
  const metadata = { ...live.metadata, annotations, labels } as KubeObject['metadata']
  const status = live['status'] === undefined ? {} : { status: live['status'] }
  return operationsTo({ ...object, metadata, ...status }, live)
}

function droppedSince(live: KubeObject, object: KubeObject, schema: Schema): ReturnType<typeof fieldSetOf> {
  const text = live.metadata.annotations?.[LAST_APPLIED_ANNOTATION]
  const last = text === undefined ? undefined : parsed(text)
  const now = fieldSetOf(object, schema)
  return (last === undefined ? now : fieldSetOf(last, schema)).difference(now)
}

function parsed(text: string): KubeObject | undefined {
  try {
    const value = parseJson(text)
    return isKubeObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** One operation for each part that differs: top-level fields, labels and annotations. */
function operationsTo(next: KubeObject, live: KubeObject): readonly PatchOperation[] {
  const { metadata: nextMeta, status: _1, apiVersion: _2, kind: _3, ...rest } = next
  const { metadata: liveMeta, status: _4, apiVersion: _5, kind: _6, ...had } = live
  return [
    ...partsTo(rest, had, ''),
    ...partsTo(
      { labels: nextMeta.labels, annotations: nextMeta.annotations },
      { labels: liveMeta.labels, annotations: liveMeta.annotations },
      '/metadata',
    ),
  ]
}

function partsTo(next: JsonObject, had: JsonObject, at: string): readonly PatchOperation[] {
  const keys = new Set([...Object.keys(next), ...Object.keys(had)])
  return [...keys].flatMap((key): readonly PatchOperation[] => {
    const value = next[key]
    if (canonicalJson(value) === canonicalJson(had[key])) return []
    const path = `${at}/${key}`
    if (value !== undefined) return [{ op: 'add', path, value }]
    return had[key] === undefined ? [] : [{ op: 'remove', path }]
  })
}

function without(value: Json, path: readonly (string | number)[]): Json {
  const [step, ...rest] = path
  if (step === undefined) return value
  if (Array.isArray(value) && typeof step === 'number') {
    const items = value as readonly Json[]
    return rest.length === 0
      ? items.toSpliced(step, 1)
      : items.map((item, index) => (index === step ? without(item, rest) : item))
  }
  if (!isObject(value)) return value
  if (rest.length === 0) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== step))
  const below = value[String(step)]
  return below === undefined ? value : { ...value, [String(step)]: without(below, rest) }
}
