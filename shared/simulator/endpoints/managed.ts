import { FieldSet } from '../../fields/field-set.ts'
import { fieldElement } from '../../fields/path.ts'
import { trackUpdate } from '../apply/track-update.ts'
import type { Convert } from '../apply/version.ts'
import { rfc3339 } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { FieldPath, KindStrategy } from '../kinds/strategy.ts'
import { carryNotes } from '../kinds/json.ts'
import { isObject } from '../object.ts'
import type { KubeObject } from '../object.ts'
import type { ResourceRegistry } from './registry.ts'
import { apiVersionOf } from './resource-type.ts'
import type { ResourceType } from './resource-type.ts'

/** Records who changed what between two states of an object, for every write but an apply. */
export function tracked(
  server: { readonly clock: Clock; readonly registry: ResourceRegistry },
  type: ResourceType,
  live: KubeObject | null,
  next: KubeObject,
  manager: string,
  subresource: string,
): KubeObject {
  const result = trackUpdate({
    live,
    next,
    schema: type.behaviour.schema,
    manager,
    apiVersion: apiVersionOf(type),
    subresource,
    now: rfc3339(server.clock.now()),
    ...resets(type, subresource),
    ...converts(server.registry, type),
  })
  carryNotes(next.metadata, result.metadata)
  return carryNotes(next, result)
}

interface ResetSets {
  readonly main: FieldSet
  readonly status: FieldSet
}

const resetSets = new WeakMap<KindStrategy, ResetSets>()

function setOf(paths: readonly FieldPath[]): FieldSet {
  return FieldSet.of(...paths.map((path) => path.map((name) => fieldElement(name))))
}

/** What writes through this endpoint never own. */
export function resets({ behaviour: { strategy } }: ResourceType, subresource: string): { resetFields?: FieldSet } {
  const part = strategy.parts?.[subresource]
  if (part !== undefined) return { resetFields: setOf(part.resetFields) }
  const fields = strategy.resetFields
  if (fields === undefined) return {}
  let sets = resetSets.get(strategy)
  if (sets === undefined) {
    sets = { main: setOf(fields.main), status: setOf(fields.status) }
    resetSets.set(strategy, sets)
  }
  return { resetFields: subresource === 'status' ? sets.status : sets.main }
}

/** How ownership that was recorded under another served version is compared; nothing for kinds of one version. */
export function converts(registry: ResourceRegistry, type: ResourceType): { convert?: Convert } {
  const own = apiVersionOf(type)
  const others = new Map<string, ResourceType>()
  for (const other of registry.all()) {
    const same = other.storage.group === type.storage.group && other.storage.resource === type.storage.resource
    if (same && apiVersionOf(other) !== own) others.set(apiVersionOf(other), other)
  }
  if (others.size === 0) return {}
  return {
    convert(object, toVersion) {
      if (toVersion === own) return { value: object, schema: type.behaviour.schema }
      const other = others.get(toVersion)
      if (other === undefined) return undefined
      const whole = {
        ...object,
        apiVersion: own,
        kind: type.kind,
        metadata: isObject(object['metadata']) ? object['metadata'] : {},
      }
      return { value: other.fromStorage(type.toStorage(whole)), schema: other.behaviour.schema }
    },
  }
}
