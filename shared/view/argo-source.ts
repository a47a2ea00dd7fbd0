import { isObject, type Json, type JsonObject } from '../model/json.ts'
import type { ApplicationSnapshot } from '../model/status.ts'

/** The Application's spec as the person wrote it, with the project that it falls to. */
export function writtenSpec({ application }: ApplicationSnapshot): JsonObject {
  const raw = isObject(application.raw) ? application.raw['spec'] : undefined
  return { ...(isObject(raw) ? raw : {}), project: application.project }
}

/** What is deployed from where: one source as `source`, several as `sources`. */
export function sourcesOf(snapshot: ApplicationSnapshot): { readonly [key: string]: Json } {
  const { source, sources } = writtenSpec(snapshot)
  if (sources !== undefined) return { sources }
  return source === undefined ? {} : { source }
}

/** An application with several sources has `revisions` in place of `revision`. */
export function revisionOf(revision: string, snapshot: ApplicationSnapshot): { readonly [key: string]: Json } {
  return writtenSpec(snapshot)['sources'] === undefined ? { revision } : { revisions: [revision] }
}
