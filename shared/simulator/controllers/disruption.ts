import type { Json } from '../kinds/json.ts'
import { objectAt } from '../kinds/json.ts'
import { selectorMatches } from '../kinds/checks.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { withCondition } from './conditions.ts'
import type { Controller, Setting } from './controller.ts'
import { itself, keyOf, splitKey } from './controller.ts'
import { resolve } from './deployment-parts.ts'
import { expectedScale } from './pod-owners.ts'
import { isFinished, isReady, isTerminating } from './pod-state.ts'
import { budgets, pods } from './resources.ts'

/** The status of disruption budgets, after `pkg/controller/disruption`. */
export function disruptionController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'budgets'
  return {
    name,
    watches: [
      [budgets, itself(queue, name)],
      [
        pods,
        ({ object, previous, namespace }) => {
          for (const budget of host.list(budgets, namespace)) {
            const selector = objectAt(objectAt(budget, 'spec'), 'selector')
            const hit = [object, previous].some((pod) => pod && selectorMatches(selector, pod.metadata.labels ?? {}))
            if (hit) queue.add(name, keyOf(budget))
          }
        },
      ],
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const live = host.get(budgets, namespace, object)
      if (live) reconcile(setting, live)
    },
  }
}

function reconcile({ host }: Setting, live: KubeObject): void {
  const spec = objectAt(live, 'spec') ?? {}
  const selector = objectAt(spec, 'selector')
  const chosen = host
    .list(pods, live.metadata.namespace ?? '')
    .filter((pod) => !isFinished(pod) && selectorMatches(selector, pod.metadata.labels ?? {}))
  const { expected, desired } = wanted(spec, chosen.length, () => expectedScale(host, chosen))
  const healthy = chosen.filter((pod) => isReady(pod) && !isTerminating(pod)).length
  const allowed = expected > 0 ? Math.max(0, healthy - desired) : 0
  const before = objectAt(live, 'status') ?? {}
  const condition =
    allowed > 0
      ? ({ status: 'True', reason: 'SufficientPods' } as const)
      : ({ status: 'False', reason: 'InsufficientPods' } as const)
  const known = (before['conditions'] as readonly Json[] | undefined) ?? []
  const made = withCondition(known, { type: 'DisruptionAllowed', message: '', ...condition }, host.now())
  const status = {
    observedGeneration: live.metadata.generation ?? 0,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: made.map((one) => ({ ...one, observedGeneration: live.metadata.generation ?? 0 })),
  }
  if (!sameJson(status, before)) host.updateStatus(budgets, { ...live, status })
}

/** How many pods there should be and how many must stay, from numbers or shares. */
function wanted(spec: Json, present: number, scale: () => number): { expected: number; desired: number } {
  const { minAvailable, maxUnavailable } = spec
  if (maxUnavailable !== undefined) {
    const expected = scale()
    return { expected, desired: Math.max(0, expected - resolve(maxUnavailable, expected, true)) }
  }
  if (typeof minAvailable === 'number') return { expected: present, desired: minAvailable }
  if (minAvailable === undefined) return { expected: present, desired: 0 }
  const expected = scale()
  return { expected, desired: resolve(minAvailable, expected, true) }
}
