import { isArray, isObject, type Json, type JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'

/** One entry of `status.conditions`; what is not written is empty. */
export type StatusCondition = {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly observedGeneration: number | undefined
}

/** The object behind keys; empty where there is none, so that a half-written object never stops a health check. */
export function part(value: Json | undefined, ...keys: readonly string[]): JsonObject {
  let here: Json | undefined = value
  for (const key of keys) here = isObject(here) ? here[key] : undefined
  return isObject(here) ? here : {}
}

export function specOf(object: KubeObject): JsonObject {
  return part(object, 'spec')
}

export function statusOf(object: KubeObject): JsonObject {
  return part(object, 'status')
}

/** A count that the server leaves out when it is zero. */
export function count(value: Json | undefined): number {
  return wanted(value) ?? 0
}

/** A count that may be left open, which is not the same as zero. */
export function wanted(value: Json | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function objects(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : []
}

export function conditionsIn(value: Json | undefined): readonly StatusCondition[] {
  return objects(value).map((entry) => ({
    type: text(entry['type']),
    status: text(entry['status']),
    reason: text(entry['reason']),
    message: text(entry['message']),
    observedGeneration: wanted(entry['observedGeneration']),
  }))
}

export function conditionsOf(object: KubeObject): readonly StatusCondition[] {
  return conditionsIn(statusOf(object)['conditions'])
}

/** Whether the controller has yet to see the newest spec. */
export function isStale(object: KubeObject): boolean {
  return count(object.metadata.generation) > count(statusOf(object)['observedGeneration'])
}
