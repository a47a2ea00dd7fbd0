import { objectAt, textAt } from '../kinds/json.ts'
import { selectsAll } from '../kinds/checks.ts'
import type { KubeObject } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { itsController, itself, splitKey } from './controller.ts'
import { byAge, claimed, selectorOf } from './ownership.ts'
import { isTerminating } from './pod-state.ts'
import { deployments, pods, replicaSets } from './resources.ts'
import { newReplicaSet, sameTemplate } from './deployment-new-set.ts'
import type { Rollout } from './deployment-parts.ts'
import {
  deploymentCondition,
  desiredReplicas,
  hasDeadline,
  replicasOf,
  setCondition,
  specOf,
} from './deployment-parts.ts'
import { rollOut, rollRecreate, scaleProportionally } from './deployment-rollout.ts'
import { cleanUp, syncStatus } from './deployment-status.ts'

/** Deployment to ReplicaSets, after `pkg/controller/deployment`. */
export function deploymentController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'deployments'
  return {
    name,
    watches: [
      [deployments, itself(queue, name)],
      [replicaSets, itsController(queue, name, 'Deployment')],
      [
        pods,
        ({ type, object }) => {
          if (type === 'DELETED') wakeRecreating(setting, object)
        },
      ],
    ],
    reconcile(key) {
      const [namespace, deployment] = splitKey(key)
      const live = host.get(deployments, namespace, deployment)
      if (!live || selectsAll(selectorOf(live))) return
      const sets = claimed(host, live, replicaSets, selectorOf(live)).sort(byAge)
      const current = sets.find((set) => sameTemplate(specOf(live)['template'], specOf(set)['template']))
      reconcile({ setting, key, live, sets, current })
    },
  }
}

/** A Recreate rollout goes on when the last old pod is gone. */
function wakeRecreating({ host, queue }: Setting, pod: KubeObject): void {
  const owner = pod.metadata.ownerReferences?.find((o) => o.controller === true && o.kind === 'ReplicaSet')
  const set = owner && host.get(replicaSets, pod.metadata.namespace ?? '', owner.name)
  const above = set?.metadata.ownerReferences?.find((o) => o.controller === true && o.kind === 'Deployment')
  if (above) queue.add('deployments', `${pod.metadata.namespace ?? ''}/${above.name}`)
}

function reconcile(rollout: Rollout): void {
  if (isTerminating(rollout.live)) {
    syncStatus(rollout)
    return
  }
  notePause(rollout)
  if (specOf(rollout.live)['paused'] === true) {
    newReplicaSet(rollout, false)
    scaleProportionally(rollout)
    cleanUp(rollout)
    syncStatus(rollout)
    return
  }
  if (wasScaled(rollout)) {
    newReplicaSet(rollout, false)
    scaleProportionally(rollout)
    syncStatus(rollout)
    return
  }
  if (textAt(objectAt(specOf(rollout.live), 'strategy'), 'type') === 'Recreate') rollRecreate(rollout)
  else rollOut(rollout)
}

/** Whether somebody changed the number of replicas since the sets were last sized. */
function wasScaled({ live, sets }: Rollout): boolean {
  return sets.some((set) => {
    const desired = set.metadata.annotations?.[desiredReplicas]
    return replicasOf(set) > 0 && desired !== undefined && Number(desired) !== replicasOf(live)
  })
}

function notePause(rollout: Rollout): void {
  const { live, setting } = rollout
  if (!hasDeadline(live)) return
  const known = deploymentCondition(live, 'Progressing')
  if (known?.['reason'] === 'ProgressDeadlineExceeded') return
  const paused = specOf(live)['paused'] === true
  const noted = known?.['reason'] === 'DeploymentPaused'
  if (paused === noted) return
  const condition = paused
    ? ({ reason: 'DeploymentPaused', message: 'Deployment is paused' } as const)
    : ({ reason: 'DeploymentResumed', message: 'Deployment is resumed' } as const)
  setCondition(rollout, { type: 'Progressing', status: 'Unknown', ...condition }, setting.host.now())
}
