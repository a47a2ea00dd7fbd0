import type { Controller, Setting } from './controller.ts'
import { deploymentController } from './deployment.ts'
import { kubelet } from './kubelet.ts'
import { nodeController } from './node.ts'
import { replicaController } from './replica-set.ts'
import { replicaSets, replicationControllers } from './resources.ts'
import { scheduler } from './scheduler.ts'

/** Every controller of the simulated cluster. */
export function allControllers(setting: Setting): readonly Controller[] {
  return [
    deploymentController(setting),
    replicaController(setting, replicaSets),
    replicaController(setting, replicationControllers),
    scheduler(setting),
    kubelet(setting),
    nodeController(setting),
  ]
}
