import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts'
import type { FieldSet } from './field-set.ts'
import { quoted } from './go-format.ts'
import { compareText, isMap } from './value.ts'

/** One entry of `metadata.managedFields` as it stands in JSON. */
export interface ManagedFieldsEntry {
  manager?: string
  operation?: string
  apiVersion?: string
  /** RFC 3339, whole seconds. */
  time?: string
  fieldsType?: string
  fieldsV1?: Record<string, unknown>
  subresource?: string
}

/** What one manager owns. */
export interface Owner {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly apiVersion: string
  readonly subresource: string
  readonly time: string | undefined
  readonly set: FieldSet
}

/** Owners by `ownerId`. */
export type Owners = ReadonlyMap<string, Owner>

/** Entries that cannot be read; the message is the server's. */
export class ManagedFieldsError extends Error {
  readonly reason = 'malformed'

  static is(error: unknown): error is ManagedFieldsError {
    return error instanceof ManagedFieldsError
  }
}

/** What tells two owners apart: manager, operation, subresource and, for updates, the version. Sorts as the server sorts. */
export function ownerId(owner: Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>): string {
  return JSON.stringify({
    manager: owner.manager === '' ? undefined : owner.manager,
    operation: owner.operation,
    apiVersion: owner.operation === 'Apply' || owner.apiVersion === '' ? undefined : owner.apiVersion,
    subresource: owner.subresource === '' ? undefined : owner.subresource,
  })
}

/**
 * Reads `metadata.managedFields`; of two entries of one owner the later counts.
 * @throws ManagedFieldsError
 */
export function decodeManagedFields(entries: unknown): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  if (!Array.isArray(entries)) return owners
  for (const [i, entry] of entries.entries()) {
    const owner = decodeEntry(isMap(entry) ? entry : {}, i)
    owners.set(ownerId(owner), owner)
  }
  return owners
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Owner {
  const { operation, apiVersion = '', fieldsType = '' } = entry
  if (operation !== 'Apply' && operation !== 'Update')
    throw new ManagedFieldsError('operation must be `Apply` or `Update`')
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty')
  if (fieldsType === '') throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`)
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType ${quoted(fieldsType)} in managed fields entry ${index}`)
  }
  return {
    manager: entry.manager ?? '',
    operation,
    apiVersion,
    subresource: entry.subresource ?? '',
    time: entry.time,
    set: decodeSet(entry.fieldsV1),
  }
}

function decodeSet(fields: unknown): FieldSet {
  try {
    return decodeFieldsV1(fields)
  } catch (error) {
    throw new ManagedFieldsError(`error decoding set: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}

/** Writes owners as `metadata.managedFields`, in order; undefined where nobody owns anything. */
export function encodeManagedFields(owners: Owners): ManagedFieldsEntry[] | undefined {
  if (owners.size === 0) return undefined
  return [...owners.values()].sort(compareOwners).map(encodeOwner)
}

function encodeOwner(owner: Owner): ManagedFieldsEntry {
  return {
    ...(owner.manager === '' ? {} : { manager: owner.manager }),
    operation: owner.operation,
    apiVersion: owner.apiVersion,
    ...(owner.time === undefined ? {} : { time: owner.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(owner.set),
    ...(owner.subresource === '' ? {} : { subresource: owner.subresource }),
  }
}

/** Seconds since 1970; 0 for an owner without time, as the server counts it. */
export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time)
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000)
}

/** Appliers first, then by time, manager, version and subresource. */
function compareOwners(a: Owner, b: Owner): number {
  if (a.operation !== b.operation) return a.operation === 'Apply' ? -1 : 1
  const age = a.time === b.time ? 0 : secondsOf(a.time) - secondsOf(b.time)
  if (age !== 0) return age
  return (
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  )
}
