import type { Health } from '../../model/health.ts'
import { parseJson } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsIn, conditionsOf, type StatusCondition } from './facts.ts'

/** Where `autoscaling/v1` keeps what later versions have in `status.conditions`. */
const CONDITIONS_ANNOTATION = 'autoscaling.alpha.kubernetes.io/conditions'

const SCALE_FAILURES: ReadonlySet<string> = new Set(['FailedGetScale', 'FailedUpdateScale'])
/** What the autoscaler gives as reason when it cannot compute (Kubernetes `pkg/controller/podautoscaler/horizontal.go`). */
const COMPUTE_FAILURES: ReadonlySet<string> = new Set([
  'FailedGetResourceMetric',
  'FailedGetContainerResourceMetric',
  'FailedGetObjectMetric',
  'FailedGetPodsMetric',
  'FailedGetExternalMetric',
  'InvalidSelector',
  'InvalidMetricSourceType',
])

/**
 * Argo CD `gitops-engine/pkg/health/health_hpa.go` since argo-cd#26274: any failure outweighs what else is well, and the
 * failures are those of every kind of metric.
 */
export function horizontalPodAutoscalerHealth(object: KubeObject): Health {
  const conditions = object.apiVersion === 'autoscaling/v1' ? annotatedConditions(object) : conditionsOf(object)
  if (conditions === undefined) return answer('Unknown', `the annotation ${CONDITIONS_ANNOTATION} is not JSON`)
  const failed = conditions.find(isFailed)
  if (failed !== undefined) return answer('Degraded', failed.message)
  const well = conditions.find(isWell)
  return well === undefined ? answer('Progressing', 'it has not computed a scale yet') : answer('Healthy', well.message)
}

function annotatedConditions(object: KubeObject): readonly StatusCondition[] | undefined {
  const annotation = object.metadata.annotations?.[CONDITIONS_ANNOTATION]
  if (annotation === undefined) return []
  try {
    return conditionsIn(parseJson(annotation))
  } catch {
    return undefined
  }
}

function isFailed({ type, reason }: StatusCondition): boolean {
  if (type === 'AbleToScale') return SCALE_FAILURES.has(reason)
  return type === 'ScalingActive' && COMPUTE_FAILURES.has(reason)
}

function isWell({ type, status }: StatusCondition): boolean {
  return status === 'True' && (type === 'AbleToScale' || type === 'ScalingLimited')
}
