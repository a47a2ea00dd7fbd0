import { isObject } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'

/** Holds a definition while its objects are deleted. */
export const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io'

interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** Sets a condition in place of the one of its type; the time moves only when the status does. */
export function setCondition(definition: KubeObject, condition: Condition, now: string): void {
  const status = isObject(definition['status']) ? definition['status'] : {}
  const before = conditionsOf(definition)
  const old = before.find(({ type }) => type === condition.type)
  const lastTransitionTime = old?.['status'] === condition.status ? old['lastTransitionTime'] : now
  const next = {
    type: condition.type,
    status: condition.status,
    lastTransitionTime,
    reason: condition.reason,
    message: condition.message,
  }
  const conditions = old === undefined ? [...before, next] : before.map((other) => (other === old ? next : other))
  definition['status'] = { ...status, conditions }
}

export function conditionsOf(definition: KubeObject): JsonObject[] {
  const conditions = isObject(definition['status']) ? definition['status']['conditions'] : []
  return Array.isArray(conditions) ? conditions.filter(isObject) : []
}

export function isTrue(definition: KubeObject, type: string): boolean {
  return conditionsOf(definition).some((condition) => condition['type'] === type && condition['status'] === 'True')
}

/** The first step of a definition's end, as apiextensions `registry/customresourcedefinition/etcd.go` takes it. */
export function markDefinitionTerminating(definition: KubeObject, now: string): void {
  const finalizers = definition.metadata.finalizers ?? []
  if (!finalizers.includes(cleanupFinalizer)) definition.metadata.finalizers = [...finalizers, cleanupFinalizer]
  setCondition(
    definition,
    {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionPending',
      message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
    },
    now,
  )
}
