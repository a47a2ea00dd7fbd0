import { objectAt, textMapAt } from '../kinds/json.ts'
import { usageIn } from '../kinds/quota-usage.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { keyOf, splitKey } from './controller.ts'
import type { Host } from './host.ts'
import { quotas } from './resources.ts'

/** Counts what namespaces with quotas use. */
export function quotaController({ host, queue }: Setting): Controller {
  const name = 'quotas'
  return {
    name,
    watches: [[quotas, ({ object }) => queue.add(name, keyOf(object))]],
    watchAll({ namespace, type, resource }) {
      if (namespace === '' || (type === 'MODIFIED' && resource.resource !== 'pods' && resource.resource !== 'services'))
        return
      for (const quota of host.list(quotas, namespace)) queue.add(name, keyOf(quota))
    },
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const live = host.get(quotas, namespace, object)
      if (live) reconcile(host, live)
    },
  }
}

function reconcile(host: Host, live: KubeObject): void {
  const list = (resource: string, namespace?: string): Iterable<KubeObject> => {
    const dot = resource.indexOf('.')
    const [plural, group] = dot < 0 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)]
    return host.store.list({ group, resource: plural }, namespace)
  }
  const hard = { ...textMapAt(objectAt(live, 'spec'), 'hard') }
  const used = usageIn(live, { list })
  const status = { hard, used }
  const before = objectAt(live, 'status')
  if (sameJson({ hard: before?.['hard'] ?? {}, used: before?.['used'] ?? {} }, status)) return
  host.updateStatus(quotas, { ...live, status })
}
