import { forbidden, notFound } from '../errors.ts'
import { objectAt, textAt } from '../kinds/json.ts'
import type { Plugin } from './request.ts'

const immortal = new Set(['default', 'kube-system', 'kube-public'])
const reviews = new Set(['localsubjectaccessreviews', 'subjectaccessreviews'])

/** New content needs a namespace that exists and is not on its way out; three namespaces cannot be deleted. */
export const namespaceLifecycle: Plugin = ({ operation, group, resource, namespace, name, next, live, context }) => {
  const what = { group, name: resource }
  if (operation === 'delete') {
    if (group === '' && resource === 'namespaces' && immortal.has(name)) {
      throw forbidden(what, name, 'this namespace may not be deleted')
    }
    return
  }
  if (namespace === '' || resource === 'namespaces' || reviews.has(resource)) return
  if (operation === 'update' && live !== undefined) return
  const home = context.lookup('namespaces', '', namespace)
  if (!home) throw notFound({ group: '', name: 'namespaces' }, namespace)
  const ending =
    home.metadata.deletionTimestamp !== undefined || textAt(objectAt(home, 'status'), 'phase') === 'Terminating'
  if (operation !== 'create' || !ending) return
  const problem = `unable to create new content in namespace ${namespace} because it is being terminated`
  throw forbidden(what, next?.metadata.name ?? name, problem, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ])
}
