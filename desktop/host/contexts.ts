import { CLUSTER_METHODS } from '../../shared/agent/cluster-contract.ts'
import type { KubeContextRow } from '../../shared/model/kube-context.ts'
import type { Cancellable } from '../../shared/model/ports.ts'
import { HostError } from './host-error.ts'
import type { Services } from './window-desk.ts'

/** The kubeconfig that the settings name, as methods take it. */
export async function kubeconfigOf({
  settings,
}: Pick<Services, 'settings'>): Promise<{ readonly kubeconfig?: string }> {
  const { kubeconfig } = await settings.get()
  return kubeconfig === '' ? {} : { kubeconfig }
}

export async function contextRows(services: Services, options: Cancellable = {}): Promise<readonly KubeContextRow[]> {
  return services.hub.ask(CLUSTER_METHODS.contextRows, await kubeconfigOf(services), options)
}

/** Whether prunes, deletions and syncs on a context ask for its name. What cannot be found out counts as production. */
export async function isProduction(services: Services, context: string): Promise<boolean> {
  try {
    const rows = await contextRows(services)
    const row = rows.find((one) => (context === '' ? one.current : one.name === context))
    return row?.production === true
  } catch {
    return true
  }
}

/** @throws HostError `production` unless the context's name was typed */
export async function guardProduction(
  services: Services,
  context: string,
  typedName: string | undefined,
): Promise<void> {
  if (typedName === context || !(await isProduction(services, context))) return
  throw new HostError('production', `${context} is a production context: its name has to be typed`)
}
