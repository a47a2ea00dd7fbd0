import type { Json } from '../kinds/json.ts'
import { objectAt, objectsAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { Condition } from './conditions.ts'
import { conditionOf } from './conditions.ts'

/** What keeps a namespace from ending. */
export interface Remains {
  /** Objects left by `resource.group`. */
  readonly resources: ReadonlyMap<string, number>
  readonly finalizers: ReadonlyMap<string, number>
}

const fine = (type: string, reason: string, message: string): Condition => ({ type, status: 'False', reason, message })

function counted(counts: ReadonlyMap<string, number>, verb: string): string {
  return [...counts]
    .map(([name, count]) => `${name} ${verb} ${count} resource instances`)
    .sort()
    .join(', ')
}

function conditionsFor({ resources, finalizers }: Remains): Condition[] {
  const content = 'NamespaceContentRemaining'
  const held = 'NamespaceFinalizersRemaining'
  return [
    fine('NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    fine(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    resources.size === 0
      ? fine(content, 'ContentRemoved', 'All content successfully removed')
      : {
          type: content,
          status: 'True',
          reason: 'SomeResourcesRemain',
          message: `Some resources are remaining: ${counted(resources, 'has')}`,
        },
    finalizers.size === 0
      ? fine(held, 'ContentHasNoFinalizers', 'All content-preserving finalizers finished')
      : {
          type: held,
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${counted(finalizers, 'in')}`,
        },
  ]
}

/** The namespace with conditions that say what remains in it; undefined where they say so already. */
export function withRemains(live: KubeObject, remains: Remains, now: string): KubeObject | undefined {
  const status = objectAt(live, 'status') ?? {}
  const conditions = conditionsFor(remains).map((wanted): Json => {
    const known = conditionOf(status, wanted.type)
    const since = known && known['status'] === wanted.status ? known['lastTransitionTime'] : now
    return {
      type: wanted.type,
      status: wanted.status,
      lastTransitionTime: since,
      reason: wanted.reason,
      message: wanted.message,
    }
  })
  if (sameJson(conditions, objectsAt(status, 'conditions'))) return undefined
  return { ...live, status: { ...status, conditions } }
}
