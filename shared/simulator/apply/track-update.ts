import type { FieldSet } from '../../fields/field-set.ts'
import { decodeManagedFields, ManagedFieldsError } from '../../fields/managed-fields.ts'
import type { Owner } from '../../fields/managed-fields.ts'
import type { Schema } from '../../fields/schema.ts'
import { TypedError } from '../../fields/typed-error.ts'
import { validateTyped } from '../../fields/validate.ts'
import { zeroObject } from '../../kubernetes/zero-object.ts'
import { goContainer } from '../kinds/json.ts'
import { isObject } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { asCompared } from './autoscaler-metrics.ts'
import { ownersAfterUpdate, withoutManagedFields, withOwners } from './field-manager.ts'
import type { Convert, VersionContext } from './version.ts'

/** A write that is not an apply: create, update or another patch. */
export interface UpdateInput {
  /** The stored object in the version of the request, or null for a create. Never changed. */
  readonly live: KubeObject | null
  /** What is about to be stored, defaults filled in. */
  readonly next: KubeObject
  readonly schema: Schema
  readonly manager: string
  readonly apiVersion: string
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
 * `next` with the managedFields that it gets: what it changed is the manager's, and nobody else's. Owners given in `next` replace
 * the live ones on the main endpoint; `[]` and `[{}]` clear them. Where owners are cleared only an apply starts them anew. Values
 * that do not fit their type leave the object without owners. The result shares everything else with `next`.
 */
export function trackUpdate(input: UpdateInput): KubeObject {
  const { live, next, schema } = input
  const owners = startingOwners(input)
  const object = withoutManagedFields(next)
  if (owners.size === 0 && typeof live?.metadata.uid === 'string' && live.metadata.uid !== '')
    return withOwners(object, owners)
  const before = live === null ? zeroObject(next.apiVersion, next.kind) : asCompared(withoutManagedFields(live))
  const context: VersionContext = {
    apiVersion: input.apiVersion,
    schema,
    convert: input.convert,
    resetFields: input.resetFields,
  }
  const writer = {
    manager: input.manager === '' ? 'unknown' : input.manager,
    operation: 'Update' as const,
    apiVersion: input.apiVersion,
    subresource: input.subresource,
  }
  try {
    validateTyped(object, schema, { allowDuplicates: true })
    validateTyped(before, schema, { allowDuplicates: true })
    return withOwners(object, ownersAfterUpdate(context, before, object, owners, writer, input.now))
  } catch (error) {
    if (TypedError.is(error)) return withOwners(object, new Map())
    throw error
  }
}

/** Subresources cannot write owners; elsewhere those of the request count, unless they are absent or malformed. */
function startingOwners({ live, next, subresource }: UpdateInput): Map<string, Owner> {
  const stored = live?.metadata.managedFields
  if (subresource !== '') return readable(stored) ?? new Map()
  // An empty list that the decoder left out still resets.
  const given = goContainer(next.metadata as Record<string, unknown>, 'managedFields')
  if (isReset(given)) return new Map()
  const owners = readable(given)
  return owners === undefined || owners.size === 0 ? (readable(stored) ?? new Map()) : owners
}

function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false
  const [first] = entries
  return entries.length === 0 || (entries.length === 1 && isObject(first) && Object.keys(first).length === 0)
}

function readable(entries: unknown): Map<string, Owner> | undefined {
  try {
    return decodeManagedFields(entries)
  } catch (error) {
    if (ManagedFieldsError.is(error)) return undefined
    throw error
  }
}
