import type { Cluster } from '../kube/cluster.ts'
import { ClusterError } from '../kube/cluster-error.ts'
import { isObject, stringifyJson, valueAt } from '../model/json.ts'
import { resourceKey, type KubeObject, type ResourceId } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import type { Cancellable } from '../model/ports.ts'
import { ownsPod, refusal } from './faults.ts'
import type { Interceptor } from './faulty-server.ts'

/** What the real server says of the pods that workloads would make. */
export type PodAnswers = {
  /** Workloads, by key, whose pods it was asked about. */
  readonly asked: ReadonlySet<string>
  readonly refused: readonly { readonly workload: ResourceId; readonly code: number; readonly message: string }[]
}

export const NOTHING_ASKED: PodAnswers = { asked: new Set(), refused: [] }

/** More are not worth the wait. */
const MOST = 200
/**
 * What only the real server can judge: webhooks, policies and pod security. Quotas, limits and what is missing yet are judged
 * where they change while the sync runs.
 */
const ONLY_THERE = /admission webhook|failed calling webhook|violates PodSecurity|ValidatingAdmissionPolicy/

/**
 * Asks the real server, by dry runs, whether it would take a pod of each workload that the plan makes or changes: controllers
 * make pods, so that no dry run of the sync's own objects says so.
 */
export async function askForPods(
  cluster: Cluster,
  plan: Plan,
  wanted: ReadonlyMap<string, KubeObject>,
  options: Cancellable,
): Promise<PodAnswers> {
  const asked = new Set<string>()
  const refused: PodAnswers['refused'][number][] = []
  const workloads = plan.steps.filter(({ action, readiness }) => action !== 'prune' && readiness.kind !== 'refused')
  const ask = async (workload: ResourceId): Promise<void> => {
    const pod = podOf(workload, wanted.get(resourceKey(workload)))
    if (pod === undefined) return
    const path = `/api/v1/namespaces/${encodeURIComponent(workload.namespace)}/pods?dryRun=All&fieldManager=plumbline`
    try {
      await cluster.send({ method: 'POST', path, body: stringifyJson(pod) }, options)
      asked.add(resourceKey(workload))
    } catch (error) {
      // Where pods may not be made by hand, or the namespace is not there yet, nothing is known.
      if (!ClusterError.is(error)) throw error
      if (!ONLY_THERE.test(error.message) || error.message.includes('does not support dry run')) return
      asked.add(resourceKey(workload))
      refused.push({ workload, code: error.status ?? 403, message: error.message })
    }
  }
  await Promise.all(workloads.slice(0, MOST).map(async ({ id }) => ask(id)))
  return { asked, refused }
}

function podOf({ kind, name, namespace }: ResourceId, workload: KubeObject | undefined): KubeObject | undefined {
  const template = valueAt(workload, ['spec', 'template'])
  if (!isObject(template) || !isObject(template['spec']) || kind === 'CronJob') return undefined
  const meta = isObject(template['metadata']) ? template['metadata'] : {}
  const metadata = { ...meta, generateName: `${name}-`, namespace } as unknown as KubeObject['metadata']
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec: template['spec'] }
}

/** Pods that the real server would not take are not taken here, in its words. */
export function podRefusals({ refused }: PodAnswers): readonly Interceptor[] {
  return refused.map(({ workload, code, message }): Interceptor => {
    const answer = refusal(code, code === 403 ? 'Forbidden' : 'InternalError', message)
    return (request) => (ownsPod(request, workload) ? { answer } : undefined)
  })
}
