/** Argo CD's words (`gitops-engine/pkg/health/health.go`). */
export type HealthCode = 'Healthy' | 'Progressing' | 'Suspended' | 'Degraded' | 'Missing' | 'Unknown'

export type Health = { readonly status: HealthCode; readonly message?: string }

/** Best first; an application is as healthy as the worst of its resources. */
export const HEALTH_ORDER: readonly HealthCode[] = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
]
