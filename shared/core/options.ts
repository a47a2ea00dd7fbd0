import type { Application } from '../model/application.ts'
import type { KubeObject } from '../model/kubernetes.ts'

const SYNC_OPTIONS_ANNOTATION = 'argocd.argoproj.io/sync-options'

/**
 * Whether a sync option holds for an object: what the object's annotation says, else what the application says (Argo CD
 * `docs/user-guide/sync-options.md`).
 */
export function hasSyncOption(application: Application, object: KubeObject, name: string, value: string): boolean {
  const own = (object.metadata.annotations?.[SYNC_OPTIONS_ANNOTATION] ?? '').split(',')
  return (optionValue(own, name) ?? optionValue(application.syncPolicy.syncOptions, name)) === value
}

/** Whether a sync option is set on the application itself. */
export function applicationOption(application: Application, name: string): string | undefined {
  return optionValue(application.syncPolicy.syncOptions, name)
}

function optionValue(options: readonly string[], name: string): string | undefined {
  for (const option of options) {
    const [key, value] = option.trim().split('=', 2)
    if (key === name) return value ?? ''
  }
  return undefined
}
