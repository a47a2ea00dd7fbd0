import { HEALTH_ORDER, type Health } from '../../model/health.ts'
import type { Json } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, count, objects, part, specOf, statusOf, text, wanted } from './facts.ts'

/** Argo Rollouts' Rollout, by Argo CD `resource_customizations/argoproj.io/Rollout/health.lua`. */
export function rolloutHealth(object: KubeObject): Health {
  const spec = specOf(object)
  const status = statusOf(object)
  if (object['status'] === undefined || !isObserved(object))
    return answer('Progressing', 'the newest spec has not been observed yet')
  const phase = text(status['phase'])
  // Since v1.0 its controller says it in a word.
  const told = phase === 'Paused' ? 'Suspended' : HEALTH_ORDER.find((code) => code === phase)
  if (told !== undefined) return answer(told, text(status['message']))
  const broken = conditionsOf(object).find(
    ({ type, reason }) => type === 'InvalidSpec' || (type === 'Progressing' && STOPPED.has(reason)),
  )
  if (broken !== undefined) return answer('Degraded', broken.message)
  if (objects(status['pauseConditions']).length > 0 || spec['paused'] === true)
    return answer('Suspended', 'it is paused')
  const hash = text(status['currentPodHash'])
  if (hash === '') return answer('Progressing', 'its status has not been written yet')
  const updated = count(status['updatedReplicas'])
  if (updated < (wanted(spec['replicas']) ?? 1)) return answer('Progressing', 'more replicas are to be updated')
  if (count(status['availableReplicas']) < updated)
    return answer('Progressing', 'updated replicas are to become available')
  return byStrategy(object, hash, updated)
}

const STOPPED: ReadonlySet<string> = new Set(['RolloutAborted', 'ProgressDeadlineExceeded'])

/** Its controller writes the generation as a text; what is no number is of versions that wrote none. */
function isObserved(object: KubeObject): boolean {
  const status = statusOf(object)
  const observed = numberIn(status['observedGeneration'])
  if (observed !== undefined && observed < count(object.metadata.generation)) return false
  const workload = object.metadata.annotations?.['rollout.argoproj.io/workload-generation']
  if (specOf(object)['workloadRef'] === undefined || workload === undefined) return true
  return numberIn(status['workloadObservedGeneration']) === numberIn(workload)
}

function numberIn(value: Json | undefined): number | undefined {
  const digits = text(value)
  return wanted(value) ?? (/^\d+$/.test(digits) ? Number(digits) : undefined)
}

function byStrategy(object: KubeObject, hash: string, updated: number): Health {
  const status = statusOf(object)
  const strategy = part(object, 'spec', 'strategy')
  const stable = text(status['stableRS']) || text(part(status, 'canary')['stableRS'])
  if (strategy['blueGreen'] !== undefined) {
    if (text(part(status, 'blueGreen')['activeSelector']) !== hash)
      return answer('Progressing', 'the active service is to be switched over')
    if (stable !== '' && stable !== hash) return answer('Progressing', 'its analysis is to be completed')
  } else if (strategy['canary'] !== undefined) {
    if (count(status['replicas']) > updated) return answer('Progressing', 'old replicas have yet to end')
    if (stable !== hash) return answer('Progressing', 'its steps are to be finished')
  }
  return answer('Healthy')
}
