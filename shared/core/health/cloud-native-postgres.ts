import type { Health, HealthCode } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, statusOf, text } from './facts.ts'

/** The operator's words for what it does, by Argo CD `resource_customizations/postgresql.cnpg.io/Cluster/health.lua`. */
const PHASES: Readonly<Record<string, HealthCode>> = {
  'Cluster in healthy state': 'Healthy',
  'Setting up primary': 'Progressing',
  'Creating a new replica': 'Progressing',
  'Upgrading cluster': 'Progressing',
  'Waiting for the instances to become active': 'Progressing',
  'Promoting to primary cluster': 'Progressing',
  'Switchover in progress': 'Degraded',
  'Failing over': 'Degraded',
  'Upgrading Postgres major version': 'Degraded',
  'Cluster upgrade delayed': 'Degraded',
  'Waiting for user action': 'Degraded',
  'Primary instance is being restarted in-place': 'Degraded',
  'Primary instance is being restarted without a switchover': 'Degraded',
  'Cluster cannot execute instance online upgrade due to missing architecture binary': 'Degraded',
  'Online upgrade in progress': 'Degraded',
  'Applying configuration': 'Degraded',
  'Unable to create required cluster objects': 'Suspended',
  'Cluster cannot proceed to reconciliation due to an unknown plugin being required': 'Suspended',
  'Cluster has incomplete or invalid image catalog': 'Suspended',
  'Cluster is unrecoverable and needs manual intervention': 'Suspended',
}

export function cloudNativePostgresHealth(object: KubeObject): Health {
  if (object.metadata.annotations?.['cnpg.io/reconciliation'] === 'disabled')
    return answer('Suspended', 'its reconciliation is switched off')
  const { phase, phaseReason, conditions } = statusOf(object)
  if (conditions === undefined) return answer('Progressing', text(phaseReason))
  const hibernation = conditionsOf(object).find(({ type }) => type === 'cnpg.io/hibernation')
  if (hibernation !== undefined)
    return answer(hibernation.status === 'True' ? 'Suspended' : 'Degraded', hibernation.message)
  return answer(PHASES[text(phase)] ?? 'Unknown', text(phaseReason))
}
