import type { Health } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { statusOf, text } from './facts.ts'

/** Argo Workflows' Workflow, by Argo CD `gitops-engine/pkg/health/health_argo.go`. */
export function workflowHealth(object: KubeObject): Health {
  const status = statusOf(object)
  const message = text(status['message'])
  switch (text(status['phase'])) {
    case '':
    case 'Pending':
    case 'Running':
      return answer('Progressing', message)
    case 'Succeeded':
      return answer('Healthy', message)
    case 'Failed':
    case 'Error':
      return answer('Degraded', message)
    default:
      return answer('Unknown', message)
  }
}
