import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { statusOf } from './facts.ts'

const PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner'

/** Argo CD `gitops-engine/pkg/health/health_pvc.go` at 20e178f: a claim that waits for its first pod is well. */
export function persistentVolumeClaimHealth(object: KubeObject): Health {
  switch (statusOf(object)['phase']) {
    case 'Bound':
      return answer('Healthy')
    case 'Lost':
      return answer('Degraded', 'its volume is gone')
    case 'Pending':
      return object.metadata.annotations?.[PROVISIONER] === undefined
        ? answer('Healthy', 'Waiting for consumer')
        : answer('Progressing', 'its volume is being provisioned')
    default:
      return answer('Unknown')
  }
}
