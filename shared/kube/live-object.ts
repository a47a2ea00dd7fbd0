import { hash } from 'node:crypto'
import { Lru } from '../base/lru.ts'
import { isArray, isObject } from '../model/json.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { LiveObject, Owner } from '../model/live.ts'
import type { FieldsV1 } from '../model/managed-fields.ts'

/** Most objects of a kind have the field sets of their siblings; each set is held once. */
const internedSets = 20_000

/**
 * Turns decoded JSON into live objects. What repeats (field sets, owners, names of managers) is shared between them,
 * which halves what a large cluster takes.
 */
export class LiveDecoder {
  private readonly sets = new Lru<string, FieldsV1>(internedSets)
  private readonly owners = new Lru<string, Owner>(internedSets)

  /**
   * Takes the value over: the caller must not use it afterwards.
   * @param apiVersion and kind are filled in where the server leaves them out, as it does in lists
   */
  decode(value: JsonObject, apiVersion?: string, kind?: string): LiveObject {
    const { apiVersion: ownVersion, kind: ownKind, metadata: meta, ...rest } = value
    const metadata = isObject(meta) ? meta : {}
    const { managedFields, ...kept } = metadata
    const object = {
      apiVersion: typeof ownVersion === 'string' ? ownVersion : (apiVersion ?? ''),
      kind: typeof ownKind === 'string' ? ownKind : (kind ?? ''),
      metadata: kept,
      ...rest,
    } as unknown as KubeObject
    return {
      object,
      uid: text(metadata['uid']),
      resourceVersion: text(metadata['resourceVersion']),
      owners: isArray(managedFields) ? managedFields.filter(isObject).map((entry) => this.owner(entry)) : [],
    }
  }

  private owner(entry: JsonObject): Owner {
    const fields = isObject(entry['fieldsV1']) ? entry['fieldsV1'] : {}
    const digest = digestOf(fields)
    const manager = text(entry['manager'])
    const operation = entry['operation'] === 'Apply' ? 'Apply' : 'Update'
    const apiVersion = text(entry['apiVersion'])
    const time = text(entry['time'])
    const subresource = text(entry['subresource'])
    const key = `${digest}|${manager}|${operation}|${apiVersion}|${time}|${subresource}`
    const known = this.owners.get(key)
    if (known !== undefined) return known
    const owner: Owner = { manager, operation, apiVersion, time, subresource, fields: this.set(digest, fields) }
    this.owners.set(key, owner)
    return owner
  }

  private set(digest: string, fields: JsonObject): FieldsV1 {
    const known = this.sets.get(digest)
    if (known !== undefined) return known
    const compact = compactSet(fields)
    this.sets.set(digest, compact)
    return compact
  }
}

const leaf: FieldsV1 = Object.freeze({})

/** Leaves are most of a set; all share one empty object. */
function compactSet(fields: JsonObject): FieldsV1 {
  const result: Record<string, FieldsV1> = {}
  let empty = true
  for (const key of Object.keys(fields)) {
    empty = false
    const value = fields[key]
    result[key] = isObject(value) ? compactSet(value) : leaf
  }
  return empty ? leaf : result
}

function digestOf(fields: JsonObject): string {
  return hash('sha1', JSON.stringify(fields), 'base64')
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
