import { badRequest, generic, StatusError } from '../errors.ts'
import { isObject, privateCopy, sameJson, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import { guarded, jsonKind } from './patch-error.ts'
import { indexIn, placeOf } from './pointer.ts'
import type { Place } from './pointer.ts'

const maxOperations = 10_000

interface Operation {
  readonly op: string
  readonly path: string | undefined
  readonly from: string | undefined
  readonly value: unknown
}

/**
 * The document after a JSON patch (RFC 6902), as kube-apiserver applies it with evanphx/json-patch v4: negative indexes count from
 * the end, a `replace` may add a key, null and absent are one. The document is not changed; the result is the caller's own.
 * @param validated - whether the operations' fields are checked before any is done
 * @throws StatusError 400 for a body that is no patch, 413 for one too long, 422 for one that does not apply
 */
export function applyJsonPatch(document: unknown, patch: unknown, validated = true): unknown {
  const operations = readOperations(patch, validated)
  if (operations.length > maxOperations) {
    throw new StatusError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    )
  }
  return guarded(() => {
    let current: unknown = privateCopy(document)
    for (const operation of operations) current = apply(current, operation)
    return current
  })
}

function readOperations(patch: unknown, validated: boolean): Operation[] {
  if (patch === null) return []
  if (!Array.isArray(patch)) {
    if (!validated) throw badRequest(`json: cannot unmarshal ${jsonKind(patch)} into Go value of type jsonpatch.Patch`)
    throw undecodable(patch, 'value of type []handlers.jsonPatchOp')
  }
  return patch.map((operation: unknown) => {
    const fields = operation ?? {}
    if (!isObject(fields)) {
      if (validated) throw undecodable(operation, 'value of type handlers.jsonPatchOp')
      throw badRequest(`json: cannot unmarshal ${jsonKind(operation)} into Go value of type jsonpatch.Operation`)
    }
    return {
      op: text(fields, 'op', validated) ?? 'unknown',
      path: text(fields, 'path', validated),
      from: text(fields, 'from', validated),
      value: privateCopy(fields['value']) ?? null,
    }
  })
}

function text(operation: JsonObject, field: string, validated: boolean): string | undefined {
  const value = operation[field]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (!validated) return undefined
  throw undecodable(value, `struct field jsonPatchOp.${field} of type string`)
}

function undecodable(value: unknown, target: string): StatusError {
  return badRequest(`error decoding patch: json: cannot unmarshal ${jsonKind(value)} into Go ${target}`)
}

/** kube-apiserver does not say which operation failed. */
function unfit(): StatusError {
  return generic(422, 'Invalid', 'the server rejected our request due to an error in our request')
}

function apply(document: unknown, operation: Operation): unknown {
  switch (operation.op) {
    case 'add':
      add(placed(document, operation.path), operation.value)
      return document
    case 'remove':
      remove(placed(document, operation.path))
      return document
    case 'replace':
      return replace(document, operation)
    case 'move': {
      const from = placed(document, operation.from)
      const value = get(from)
      remove(from)
      add(placed(document, operation.path), value)
      return document
    }
    case 'copy': {
      const value = privateCopy(get(placed(document, operation.from)))
      add(placed(document, operation.path), value)
      return document
    }
    case 'test':
      test(document, operation)
      return document
    default:
      throw unfit()
  }
}

function placed(document: unknown, pointer: string | undefined): Place {
  const place = pointer === undefined ? undefined : placeOf(document, pointer)
  if (place === undefined) throw unfit()
  return place
}

/** An absent key reads as null; an absent item is an error. */
function get({ holder, key }: Place): unknown {
  if (!Array.isArray(holder)) return Object.hasOwn(holder, key) ? holder[key] : null
  const index = indexIn(holder.length, key)
  if (index === undefined) throw unfit()
  return holder[index]
}

function add({ holder, key }: Place, value: unknown): void {
  if (!Array.isArray(holder)) {
    setOwn(holder, key, value)
    return
  }
  const index = key === '-' ? holder.length : indexIn(holder.length + 1, key)
  if (index === undefined) throw unfit()
  holder.splice(index, 0, value)
}

function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) {
    const index = indexIn(holder.length, key)
    if (index === undefined) throw unfit()
    holder.splice(index, 1)
  } else {
    if (!Object.hasOwn(holder, key)) throw unfit()
    delete holder[key]
  }
}

function replace(document: unknown, { path, value }: Operation): unknown {
  if (path === '') {
    if (!isObject(value) && !Array.isArray(value)) throw unfit()
    return value
  }
  const place = placed(document, path)
  const { holder, key } = place
  get(place)
  if (Array.isArray(holder)) holder[indexIn(holder.length, key) ?? 0] = value
  else setOwn(holder, key, value)
  return document
}

function test(document: unknown, { path, value }: Operation): void {
  const found = path === '' ? document : get(placed(document, path))
  if (!sameJson(found ?? null, value)) throw unfit()
}
