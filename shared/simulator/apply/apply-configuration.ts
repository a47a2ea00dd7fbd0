import type { FieldSet } from '../../fields/field-set.ts'
import { decodeManagedFields, ManagedFieldsError, ownerId } from '../../fields/managed-fields.ts'
import type { Owner } from '../../fields/managed-fields.ts'
import { fieldSetOf } from '../../fields/object-set.ts'
import type { Schema } from '../../fields/schema.ts'
import { TypedError } from '../../fields/typed-error.ts'
import { validateTyped } from '../../fields/validate.ts'
import { sameValue } from '../../fields/value.ts'
import { zeroObject } from '../../kubernetes/zero-object.ts'
import { badRequest, plainError } from '../errors.ts'
import { privateCopy, splitApiVersion, textAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { conflictStatus, ConflictsError } from './conflicts.ts'
import { ownersAfterUpdate, stripOwner, withoutManagedFields, withOwners } from './field-manager.ts'
import { conflictsBeyondLastApplied, kubectl, syncLastApplied } from './last-applied.ts'
import { applyConfig } from './updater.ts'
import type { Writer } from './updater.ts'
import { withoutReset } from './version.ts'
import type { Convert, VersionContext } from './version.ts'

/** A server-side apply. */
export interface ApplyInput {
  /** The stored object in the version of the request, or null where the apply creates. Never changed. */
  readonly live: KubeObject | null
  readonly config: KubeObject
  /** `deducedSchema` for a kind without one. */
  readonly schema: Schema
  readonly manager: string
  readonly force: boolean
  /** The version of the request's URL. */
  readonly apiVersion: string
  /** The kind of the URL's resource; without it the config's kind is not checked. */
  readonly kind?: string
  /** Empty on the main endpoint. */
  readonly subresource: string
  /** RFC 3339, whole seconds. */
  readonly now: string
  /** What a write through this endpoint never owns, with everything below it. */
  readonly resetFields?: FieldSet
  /** How to reach the kind's other versions; without it what is owned under another version is dropped. */
  readonly convert?: Convert
}

/**
 * The object after a server-side apply, with its new managedFields; the caller may change everything but those. Defaults are not
 * filled in. An apply that changes no value gives the live object's content and time, maybe with other owners.
 * @throws StatusError 409 with the conflicts, 400 and 500 as kube-apiserver words them
 */
export function applyConfiguration(input: ApplyInput): KubeObject {
  checkKind(input)
  const context: VersionContext = {
    apiVersion: input.apiVersion,
    schema: input.schema,
    convert: input.convert,
    resetFields: input.resetFields,
  }
  const result = input.live === null ? created(input, context) : applied(input, context, input.live)
  if (input.manager === kubectl) syncLastApplied(result, input.config)
  return result
}

function checkKind({ config, apiVersion, kind }: ApplyInput): void {
  if (config.apiVersion === apiVersion && (kind === undefined || config.kind === kind)) return
  throw badRequest(`invalid object type: ${kindText(config)}`)
}

function kindText(object: KubeObject): string {
  const [group, version] = splitApiVersion(object.apiVersion ?? '')
  return `${group}/${version}, Kind=${object.kind ?? ''}`
}

/** `namespace/name; group/version, Kind=K`, as errors name an object. */
function describe(object: KubeObject): string {
  return `${textAt(object, 'metadata', 'namespace')}/${textAt(object, 'metadata', 'name')}; ${kindText(object)}`
}

function checkConfig({ config, schema }: ApplyInput): void {
  const managedFields: unknown = config.metadata?.managedFields
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil')
  checkType(config, schema, false, () => `failed to create typed patch object (${describe(config)})`)
}

function checkType(object: JsonObject, schema: Schema, allowDuplicates: boolean, what: () => string): void {
  try {
    validateTyped(object, schema, { allowDuplicates })
  } catch (error) {
    if (!TypedError.is(error)) throw error
    if (error.reason === 'too-deep') throw badRequest(`error decoding YAML: ${error.message}`)
    throw plainError(`${what()}: ${error.message}`)
  }
}

function writerOf({ manager, apiVersion, subresource }: ApplyInput, operation: Writer['operation']): Writer {
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource }
}

function created(input: ApplyInput, context: VersionContext): KubeObject {
  checkConfig(input)
  const writer = writerOf(input, 'Apply')
  const id = ownerId(writer)
  const set = withoutReset(context, fieldSetOf(input.config, input.schema))
  const owners = new Map<string, Owner>(set.isEmpty ? [] : [[id, { ...writer, time: input.now, set }]])
  stripOwner(owners, id)
  return withOwners(privateCopy<JsonObject>(input.config), owners)
}

function applied(input: ApplyInput, context: VersionContext, stored: KubeObject): KubeObject {
  const live = withoutManagedFields(stored)
  const owners = liveOwners(input, context, stored, live)
  checkConfig(input)
  checkType(live, input.schema, true, () => `failed to create typed live object (${describe(stored)})`)
  const writer = writerOf(input, 'Apply')
  const id = ownerId(writer)
  const { object, owners: after } = withKubectl(input, context, live, (force) =>
    applyConfig(context, live, input.config, owners, writer, id, force),
  )
  stripOwner(after, id)
  const changed = !sameValue(live, object)
  const owner = after.get(id)
  if (changed && owner !== undefined) after.set(id, { ...owner, time: input.now })
  return withOwners(object, after)
}

/** An object that nobody tracks yet belongs to `before-first-apply`. */
function liveOwners(
  input: ApplyInput,
  context: VersionContext,
  stored: KubeObject,
  live: JsonObject,
): Map<string, Owner> {
  let owners: Map<string, Owner>
  try {
    owners = decodeManagedFields(stored.metadata.managedFields)
  } catch (error) {
    if (ManagedFieldsError.is(error)) throw plainError(`failed to decode managed fields: ${error.message}`)
    throw error
  }
  if (owners.size > 0) return owners
  const untracked = 'failed to create manager for existing fields: failed to convert new object'
  checkType(live, input.schema, true, () => `${untracked} (${describe(stored)}) to smd typed`)
  const writer = { ...writerOf(input, 'Update'), manager: 'before-first-apply' }
  return ownersAfterUpdate(context, zeroObject(stored.apiVersion, stored.kind), live, owners, writer, input.now)
}

type Attempt = ReturnType<typeof applyConfig>

/** kubectl may take over without force what its client-side apply set. */
function withKubectl(
  input: ApplyInput,
  context: VersionContext,
  live: JsonObject,
  attempt: (force: boolean) => Attempt,
): Attempt {
  try {
    return attempt(input.force)
  } catch (error) {
    if (TypedError.is(error)) throw plainError(error.message)
    if (!ConflictsError.is(error)) throw error
    const left = input.manager === kubectl ? conflictsBeyondLastApplied(context, live, error) : error
    if (left !== undefined) throw conflictStatus(left.conflicts)
    return attempt(true)
  }
}
