import { isArray, isObject, type Json, type JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import type { Covers } from '../drift/ignore.ts'

/** The desired object with the live value wherever ignoreDifferences covers it (RespectIgnoreDifferences=true). */
export function keepIgnored(desired: KubeObject, live: KubeObject, covers: Covers): KubeObject {
  return kept(desired, live, [], covers) as KubeObject
}

function kept(
  want: Json | undefined,
  have: Json | undefined,
  path: readonly (string | number)[],
  covers: Covers,
): Json | undefined {
  if (path.length > 0 && covers(path)) return have
  if (isObject(want) && isObject(have)) return keptMap(want, have, path, covers)
  if (isArray(want) && isArray(have)) {
    return want.flatMap((item, index) => kept(item, have[index], [...path, index], covers) ?? [])
  }
  return want
}

function keptMap(want: JsonObject, have: JsonObject, path: readonly (string | number)[], covers: Covers): Json {
  const out: Record<string, Json | undefined> = {}
  for (const [key, value] of Object.entries(want)) {
    const next = kept(value, Object.hasOwn(have, key) ? have[key] : undefined, [...path, key], covers)
    if (next !== undefined) out[key] = next
  }
  for (const [key, value] of Object.entries(have)) {
    if (!Object.hasOwn(want, key) && covers([...path, key])) out[key] = value
  }
  return out
}
