import type { ResourceId } from '../../shared/model/kubernetes.ts'

/** The object that a resource key names: `resourceKey` the other way round. */
export function idOfKey(key: string): ResourceId {
  const [group = '', kind = '', namespace = '', name = ''] = key.split('|')
  return { group, kind, namespace, name }
}
