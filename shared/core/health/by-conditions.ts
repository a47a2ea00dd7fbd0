import type { Health, HealthCode } from '../../model/health.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, statusOf, wanted, type StatusCondition } from './facts.ts'

/** Conditions that, when True, say by themselves how an object is. The first that is True decides. */
const TELLING: ReadonlyMap<string, HealthCode> = new Map([
  ['Stalled', 'Degraded'],
  ['Failed', 'Degraded'],
  ['Failure', 'Degraded'],
  ['ReplicaFailure', 'Degraded'],
  ['Degraded', 'Degraded'],
  ['Suspended', 'Suspended'],
  ['Paused', 'Suspended'],
  ['Reconciling', 'Progressing'],
  ['Progressing', 'Progressing'],
  ['Issuing', 'Progressing'],
])

/** Conditions that sum an object up: True is well, False is not, Unknown is not known yet. The first present decides. */
const SUMMING = ['Ready', 'Healthy', 'Available', 'Established', 'Programmed', 'Accepted', 'Succeeded', 'Complete']

/** Reasons by which a controller says that False is only for now. */
const UNDER_WAY =
  /^(?:Creating|Pending|Progressing|InProgress|Reconcil|Provisioning|Initiali[sz]|Waiting|Starting|Updating|Deploying)/

/**
 * How an object of a kind without a rule of its own is, by the conventions for conditions that most controllers keep
 * (Kubernetes `api-conventions.md`; the words of cli-utils `kstatus`). Undefined where no condition says it.
 */
export function healthByConditions(object: KubeObject): Health | undefined {
  const conditions = conditionsOf(object)
  if (conditions.length === 0) return undefined
  const summary = SUMMING.map((name) => conditions.find(({ type }) => type === name)).find((one) => one !== undefined)
  // Some controllers leave Progressing at True for good, as a Deployment's does; beside a True summary it says nothing.
  const telling = tellingOf(
    summary?.status === 'True' ? conditions.filter(({ type }) => type !== 'Progressing') : conditions,
  )
  if (summary === undefined && telling === undefined) return undefined
  const generation = wanted(object.metadata.generation) ?? 0
  const observed = wanted(statusOf(object)['observedGeneration']) ?? summary?.observedGeneration
  if (observed !== undefined && observed < generation) {
    return answer('Progressing', 'the newest spec has not been observed yet')
  }
  if (telling !== undefined) return telling
  if (summary === undefined) return undefined
  if (summary.status === 'True') return answer('Healthy', summary.message)
  return answer(isFailed(summary) ? 'Degraded' : 'Progressing', summary.message || summary.reason)
}

function isFailed({ type, status, reason }: StatusCondition): boolean {
  return status === 'False' && type !== 'Complete' && !UNDER_WAY.test(reason)
}

function tellingOf(conditions: readonly StatusCondition[]): Health | undefined {
  for (const [name, code] of TELLING) {
    const found = conditions.find(({ type, status }) => type === name && status === 'True')
    if (found !== undefined) return answer(code, found.message || found.reason)
  }
  return undefined
}
