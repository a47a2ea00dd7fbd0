import { badRequest } from '../errors.ts'
import { isObject, privateCopy, setOwn } from '../object.ts'
import type { JsonObject } from '../object.ts'
import { guarded, jsonKind } from './patch-error.ts'

/**
 * The document after a JSON merge patch (RFC 7386), as kube-apiserver applies it: nulls within a new or replaced value are dropped
 * too, also within lists. The document is not changed; what the patch does not touch is shared with it.
 * @param validated - whether the patch is decoded by itself first, which refuses what is no object; else a list becomes the document
 * @throws StatusError 400 for a body that is no patch
 */
export function applyMergePatch(document: JsonObject, patch: unknown, validated = true): unknown {
  if (patch === null || (!validated && !isObject(patch) && !Array.isArray(patch))) {
    throw badRequest('Invalid JSON Patch')
  }
  if (!validated && Array.isArray(patch)) return withoutNulls(patch)
  if (!isObject(patch)) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonKind(patch)} into Go value of type map[string]interface {}`,
    )
  }
  return guarded(() => merge(document, patch))
}

function merge(document: JsonObject, patch: JsonObject): JsonObject {
  const out: JsonObject = {}
  for (const key of Object.keys(document)) {
    if (!Object.hasOwn(patch, key)) setOwn(out, key, document[key])
    else if (patch[key] !== null) setOwn(out, key, mergeValue(document[key], patch[key]))
  }
  for (const key of Object.keys(patch)) {
    if (patch[key] !== null && !Object.hasOwn(document, key)) setOwn(out, key, withoutNulls(patch[key]))
  }
  return out
}

function mergeValue(current: unknown, patch: unknown): unknown {
  if (!isObject(current)) return withoutNulls(patch)
  return isObject(patch) ? merge(current, patch) : privateCopy(patch)
}

/** Keys that are null go; items that are null stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const key of Object.keys(value)) if (value[key] !== null) setOwn(out, key, withoutNulls(value[key]))
  return out
}
