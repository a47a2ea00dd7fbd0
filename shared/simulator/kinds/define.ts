import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { decodeAs } from './codec.ts'
import { settle } from './settle.ts'
import { sameGiven, sameMeaning } from './same.ts'
import { setDefaults } from './defaults.ts'
import { bounded } from './bounded.ts'
import type { FieldError } from './field-error.ts'
import { structOfKind } from './go-types.ts'
import {
  validateKnownFinalizers,
  validateMetadata,
  validateMetadataChange,
  validateMetadataUpdate,
} from './metadata.ts'
import type { NameCheck } from './names.ts'
import { pathSegmentName, subdomainName } from './names.ts'
import type { FieldPath, KindStrategy, StrategyContext } from './strategy.ts'

/** What is peculiar to a kind; everything left out follows the common pattern of the registry strategies. */
export interface KindRules {
  /** Rule for metadata.name; a DNS subdomain where absent. */
  readonly name?: NameCheck
  /** Top-level fields whose change bumps metadata.generation; none means the kind has no generation. */
  readonly generation?: readonly string[]
  /** Whether a list or map given empty is a change where there was none (`reflect.DeepEqual` in the strategy). */
  readonly generationOfEmpty?: boolean
  /** Whether labels count for generation too (EndpointSlice). */
  readonly generationOfLabels?: boolean
  /** Whether annotations count for generation too (Deployment). */
  readonly generationOfAnnotations?: boolean
  /** The kind has a status that only `/status` writes. */
  readonly status?: boolean
  /** What `/status` may not change beside metadata that is always kept; `['spec']` where absent. */
  readonly statusKeeps?: readonly FieldPath[]
  /** More to do on create and update, after status and generation. */
  readonly prepare?: (next: KubeObject, live: KubeObject | undefined, context: StrategyContext) => void
  /** Checks beside metadata. On create `live` is undefined. */
  readonly validate?: (next: KubeObject, context: StrategyContext, live: KubeObject | undefined) => FieldError[]
  /** Checks of an update alone, after `validate`, or before it where `changeFirst`. */
  readonly validateChange?: (next: KubeObject, live: KubeObject, context: StrategyContext) => FieldError[]
  readonly changeFirst?: boolean
  /** Runs before anything is prepared; what it refuses is all that is answered. */
  readonly begin?: (next: KubeObject, live: KubeObject | undefined, context: StrategyContext) => FieldError[]
  /**
   * What the kind's own update rules check of metadata beside what is checked for all kinds, which repeats causes: the change
   * (where absent), the metadata as of a new object, both (`late`: the change after `validate`), or nothing (then a create checks no name rule of its own either).
   */
  readonly metadataOnUpdate?: 'change' | 'whole' | 'both' | 'late' | 'none'
  /** The kind's own rules bear finalizers without a domain that are not the server's. */
  readonly anyFinalizer?: boolean
  /** More to do on a write of the status. */
  readonly prepareStatus?: (next: KubeObject, live: KubeObject, context: StrategyContext) => void
  readonly validateStatus?: (next: KubeObject, live: KubeObject, context: StrategyContext) => FieldError[]
  readonly unconditional?: boolean
  readonly createOnUpdate?: boolean
  readonly deletePolicy?: 'Orphan'
  readonly gracePeriodSeconds?: (o: KubeObject, requested: number | undefined) => number | undefined
  readonly warnings?: (o: KubeObject, live: KubeObject | undefined) => string[]
  readonly fieldSelectors?: Readonly<Record<string, (o: KubeObject) => string>>
  readonly resetFields?: { readonly main: readonly FieldPath[]; readonly status: readonly FieldPath[] }
}

/** Builds the strategy of a kind from its rules. */
export function defineKind(rules: KindRules): KindStrategy {
  const status = rules.status ?? false
  return {
    setDefaults,
    canonicalize: (o) => {
      settle(o)
      if (status) setDefaults(o)
    },
    prepareForCreate: (o, context) => prepareCreate(rules, o, context),
    prepareForUpdate: (next, live, context) => prepareUpdate(rules, next, live, context),
    ...(status && { prepareForStatusUpdate: (next, live, context) => keepForStatus(rules, next, live, context) }),
    validateCreate: (o, context) => refused.get(o) ?? bounded(() => validateNew(rules, o, context)),
    validateUpdate: (next, live, context) =>
      refused.get(next) ?? bounded(() => validateChanged(rules, next, live, context)),
    validateStatus: (next, live, context) => [
      ...validateMetadataUpdate(next, live),
      ...(rules.metadataOnUpdate === 'none' ? [] : ownChange(rules, next, live)),
      ...(rules.validateStatus?.(next, live, context) ?? []),
    ],
    resetFields: rules.resetFields ?? (status ? statusResets : noResets),
    ...(rules.deletePolicy && { deletePolicyDefault: rules.deletePolicy }),
    ...(rules.gracePeriodSeconds && { gracePeriodSeconds: rules.gracePeriodSeconds }),
    allowUnconditionalUpdate: rules.unconditional ?? true,
    allowCreateOnUpdate: rules.createOnUpdate ?? false,
    ...(rules.warnings && { warnings: rules.warnings }),
    ...(rules.fieldSelectors && { fieldSelectors: rules.fieldSelectors }),
  }
}

const noResets = { main: [], status: [] }
const statusResets = { main: [['status']], status: [['spec']] }

/** What `begin` refused, until validation tells it. */
const refused = new WeakMap<KubeObject, FieldError[]>()

function begin(rules: KindRules, next: KubeObject, live: KubeObject | undefined, context: StrategyContext): boolean {
  const errors = rules.begin?.(next, live, context) ?? []
  if (errors.length > 0) refused.set(next, errors)
  else refused.delete(next)
  return errors.length === 0
}

function prepareCreate(rules: KindRules, o: KubeObject, context: StrategyContext): void {
  if (!begin(rules, o, undefined, context)) return
  if (rules.status) resetStatus(o)
  if (rules.generation) o.metadata.generation = 1
  rules.prepare?.(o, undefined, context)
}

/** The status of a new object is its zero value, defaulted, as it is read back from storage. */
function resetStatus(o: KubeObject): void {
  const type = structOfKind(o.apiVersion, o.kind)?.byName.get('status')?.type
  if (type?.kind !== 'struct') return
  const status = decodeAs(type.of, {})
  o['status'] = status
}

function prepareUpdate(rules: KindRules, next: KubeObject, live: KubeObject, context: StrategyContext): void {
  if (!begin(rules, next, live, context)) return
  if (rules.status) copyField(next, live, 'status')
  keepGeneration(next, live)
  rules.prepare?.(next, live, context)
  if (!rules.generation) return
  const same = rules.generationOfEmpty ? sameGiven : sameMeaning
  const changed =
    rules.generation.some((field) => !same(next[field], live[field])) ||
    (rules.generationOfLabels === true && !sameJson(next.metadata.labels ?? {}, live.metadata.labels ?? {})) ||
    (rules.generationOfAnnotations === true &&
      !sameJson(next.metadata.annotations ?? {}, live.metadata.annotations ?? {}))
  if (changed) next.metadata.generation = (live.metadata.generation ?? 0) + 1
}

function keepGeneration(next: KubeObject, live: KubeObject): void {
  if (live.metadata.generation === undefined) delete next.metadata.generation
  else next.metadata.generation = live.metadata.generation
}

function copyField(next: KubeObject, live: KubeObject, field: string): void {
  if (Object.hasOwn(live, field)) next[field] = live[field]
  else delete next[field]
}

function keepForStatus(rules: KindRules, next: KubeObject, live: KubeObject, context: StrategyContext): void {
  keepGeneration(next, live)
  for (const path of rules.statusKeeps ?? [['spec']]) keepPath(next, live, path)
  rules.prepareStatus?.(next, live, context)
}

function keepPath(next: Record<string, unknown>, live: Record<string, unknown>, path: FieldPath): void {
  const [head, ...rest] = path
  if (head === undefined) return
  const inner = next[head]
  const old = live[head]
  if (rest.length > 0 && isRecord(inner) && isRecord(old)) keepPath(inner, old, rest)
  else if (Object.hasOwn(live, head)) next[head] = old
  else delete next[head]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function validateChanged(rules: KindRules, next: KubeObject, live: KubeObject, context: StrategyContext): FieldError[] {
  const mode = rules.metadataOnUpdate ?? 'change'
  const change = (): FieldError[] => rules.validateChange?.(next, live, context) ?? []
  return [
    ...validateMetadataUpdate(next, live),
    ...(mode === 'change' || mode === 'both' ? ownChange(rules, next, live) : []),
    ...(rules.changeFirst ? change() : []),
    ...(mode === 'change' || mode === 'none' ? [] : ownMetadata(rules, next)),
    ...(rules.validate?.(next, context, live) ?? []),
    ...(mode === 'late' ? ownChange(rules, next, live) : []),
    ...(rules.changeFirst ? [] : change()),
  ]
}

function ownChange(rules: KindRules, next: KubeObject, live: KubeObject): FieldError[] {
  const change = validateMetadataChange(next.metadata, live.metadata)
  return rules.anyFinalizer ? change : [...change, ...validateKnownFinalizers(next.metadata)]
}

function ownMetadata(rules: KindRules, o: KubeObject): FieldError[] {
  const errors = validateMetadata(o.metadata, rules.name ?? subdomainName)
  return rules.anyFinalizer ? errors : [...errors, ...validateKnownFinalizers(o.metadata)]
}

function validateNew(rules: KindRules, o: KubeObject, context: StrategyContext): FieldError[] {
  const errors = [
    ...(rules.metadataOnUpdate === 'none' ? [] : ownMetadata(rules, o)),
    ...(rules.validate?.(o, context, undefined) ?? []),
  ]
  return errors.length > 0 ? errors : validateMetadata(o.metadata, pathSegmentName)
}
