/** Argo CD's words (`gitops-engine/pkg/health/health.go`). */
export type HealthCode = 'Healthy' | 'Progressing' | 'Suspended' | 'Degraded' | 'Missing' | 'Unknown'

export type Health = {
  readonly status: HealthCode
  readonly message?: string
  /** What the object counts as for its application, where that is something else (`aggregateAs` of a health check). */
  readonly aggregateAs?: HealthCode
}

/** Best first; an application is as healthy as the worst of its resources. */
export const HEALTH_ORDER: readonly HealthCode[] = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
]
