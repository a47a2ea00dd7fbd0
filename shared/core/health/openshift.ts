import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsIn, conditionsOf, objects, statusOf } from './facts.ts'

/** Argo CD `resource_customizations/route.openshift.io/Route/health.lua`: every router has to admit it. */
export function openshiftRouteHealth(object: KubeObject): Health {
  const ingresses = statusOf(object)['ingress']
  if (ingresses === undefined) return answer('Progressing', 'it is to be admitted')
  const told = objects(ingresses).flatMap((ingress) => conditionsIn(ingress['conditions']))
  const admitted = told.filter(({ type }) => type === 'Admitted')
  if (admitted.filter(({ status }) => status === 'True').length >= objects(ingresses).length) return answer('Healthy')
  const refused = admitted.find(({ status }) => status === 'False')
  return refused === undefined ? answer('Progressing', 'it is to be admitted') : answer('Degraded', refused.message)
}

/** Argo CD `resource_customizations/apps.openshift.io/DeploymentConfig/health.lua`. */
export function deploymentConfigHealth(object: KubeObject): Health {
  const conditions = conditionsOf(object)
  if (statusOf(object)['conditions'] === undefined) return answer('Progressing', 'its pods are to run')
  const well = ['Available', 'Progressing'].filter((name) =>
    conditions.some(({ type, status }) => type === name && status === 'True'),
  )
  return answer(well.length === 2 ? 'Healthy' : well.length === 1 ? 'Progressing' : 'Degraded')
}

const FAILED: ReadonlySet<string> = new Set(['CatalogSourcesUnhealthy', 'InstallPlanFailed', 'ResolutionFailed'])

/** Argo CD `resource_customizations/operators.coreos.com/Subscription/health.lua`. */
export function subscriptionHealth(object: KubeObject): Health {
  if (statusOf(object)['conditions'] === undefined) return answer('Progressing', 'its install plan is to be made')
  const conditions = conditionsOf(object)
  const failed = conditions.find(
    ({ type, status, reason }) =>
      (FAILED.has(type) && status === 'True') ||
      (type === 'InstallPlanMissing' && reason !== 'ReferencedInstallPlanNotFound'),
  )
  if (failed !== undefined) return answer('Degraded', failed.message || failed.type)
  const pending = conditions.some(({ type, status }) => type === 'InstallPlanPending' && status === 'True')
  return pending ? answer('Progressing', 'its install plan is pending') : answer('Healthy')
}
