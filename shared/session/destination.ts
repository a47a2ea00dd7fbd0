import type { Application } from '../model/application.ts'

const IN_CLUSTER_SERVER = 'https://kubernetes.default.svc'

/**
 * The context that an application goes to: the chosen one for Argo CD's own cluster (`https://kubernetes.default.svc`,
 * `in-cluster`, or nothing), else the context of that name.
 */
export function contextOf(application: Application, chosen: string): string {
  const { server, name } = application.destination
  if (name !== undefined && name !== '') return name === 'in-cluster' ? chosen : name
  return server === undefined || server === '' || server === IN_CLUSTER_SERVER ? chosen : server
}
