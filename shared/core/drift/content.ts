import { canonicalJson, type Json } from '../../model/json.ts'
import type { LiveObject } from '../../model/live.ts'

/**
 * All of a live object that a sync could depend on, as one text: its content and who owns it, without status, versions and
 * times. Status churn leaves it as it is.
 */
export function contentText(live: LiveObject): string {
  const owners = live.owners.map(({ manager, operation, apiVersion, subresource, fields }) => ({
    manager,
    operation,
    apiVersion,
    subresource,
    fields: subresource === 'status' ? {} : fields,
  }))
  const { status: _, metadata, ...rest } = live.object
  const { resourceVersion: _1, generation: _2, managedFields: _3, ...kept } = metadata
  return canonicalJson({ rest: rest as Json, metadata: kept, owners })
}
