import type { Health } from '../../model/health.ts'
import { isObject, type JsonObject } from '../../model/json.ts'
import type { KubeObject } from '../../model/kubernetes.ts'
import { answer } from './answer.ts'
import { conditionsOf, count, objects, part, specOf, statusOf, text } from './facts.ts'
import { isHook } from './hook.ts'

const IGNORE_RESTART_POLICY = 'argocd.argoproj.io/ignore-restart-policy'

/** Argo CD `gitops-engine/pkg/health/health_pod.go`. */
export function podHealth(object: KubeObject): Health {
  const status = statusOf(object)
  const lasting = isLasting(object)
  if (lasting) {
    const waiting = objects(status['containerStatuses'])
      .map((container) => part(container, 'state', 'waiting'))
      .filter((state) => isFailure(text(state['reason'])))
    if (waiting.length > 0) {
      return answer('Degraded', waiting.map((state) => text(state['message']) || text(state['reason'])).join(', '))
    }
  }
  const message = text(status['message'])
  switch (status['phase']) {
    case 'Pending':
      return answer('Progressing', message)
    case 'Succeeded':
      return answer('Healthy', message)
    case 'Failed':
      return answer('Degraded', message || failureOf(status))
    case 'Running':
      return lasting ? runningHealth(object, status, message) : finiteHealth(object, message)
    default:
      return answer('Unknown', message)
  }
}

/** A pod that is to run for good. One that is to end must not fail a sync while it can still succeed. */
function isLasting(object: KubeObject): boolean {
  if (specOf(object)['restartPolicy'] === 'Always') return true
  return object.metadata.annotations?.[IGNORE_RESTART_POLICY] === 'true' && !isHook(object)
}

function isFailure(reason: string): boolean {
  return reason.startsWith('Err') || reason.endsWith('Error') || reason.endsWith('BackOff')
}

function runningHealth(object: KubeObject, status: JsonObject, message: string): Health {
  const ready = conditionsOf(object).some((condition) => condition.type === 'Ready' && condition.status === 'True')
  if (ready) return answer('Healthy', message)
  const ended = objects(status['containerStatuses']).some((one) => isObject(part(one, 'lastState')['terminated']))
  return ended ? answer('Degraded', message) : answer('Progressing', message)
}

function finiteHealth(object: KubeObject, message: string): Health {
  const policy = specOf(object)['restartPolicy']
  return answer(policy === 'OnFailure' || policy === 'Never' ? 'Progressing' : 'Unknown', message)
}

/** The first container, init containers first, that says why it failed. */
function failureOf(status: JsonObject): string {
  for (const container of [...objects(status['initContainerStatuses']), ...objects(status['containerStatuses'])]) {
    const ended = part(container, 'state', 'terminated')
    const code = count(ended['exitCode'])
    if (text(ended['message']) !== '') return text(ended['message'])
    if (ended['reason'] === 'OOMKilled') return 'OOMKilled'
    if (code !== 0) return `container ${text(container['name'])} ended with exit code ${code}`
  }
  return ''
}
