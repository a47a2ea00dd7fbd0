import { autoscalerController } from './autoscaler.ts'
import type { Controller, Setting } from './controller.ts'
import { certificateSigner } from './certificate-signer.ts'
import { cronJobController } from './cron-job.ts'
import { daemonSetController } from './daemon-set.ts'
import { deploymentController } from './deployment.ts'
import { disruptionController } from './disruption.ts'
import { endpointsController } from './endpoints.ts'
import { garbageCollector } from './garbage-collector.ts'
import { jobController } from './job.ts'
import { kubelet } from './kubelet.ts'
import { namespaceController } from './namespace.ts'
import { nodeController } from './node.ts'
import { quotaController } from './quota-status.ts'
import { replicaController } from './replica-set.ts'
import { replicaSets, replicationControllers } from './resources.ts'
import { roleAggregation } from './role-aggregation.ts'
import { scheduler } from './scheduler.ts'
import { statefulSetController } from './stateful-set.ts'
import { volumeBinder } from './volume-binder.ts'

/** Every controller of the simulated cluster. */
export function allControllers(setting: Setting): readonly Controller[] {
  return [
    namespaceController(setting),
    garbageCollector(setting),
    deploymentController(setting),
    replicaController(setting, replicaSets),
    replicaController(setting, replicationControllers),
    statefulSetController(setting),
    daemonSetController(setting),
    jobController(setting),
    cronJobController(setting),
    scheduler(setting),
    kubelet(setting),
    nodeController(setting),
    endpointsController(setting),
    volumeBinder(setting),
    disruptionController(setting),
    autoscalerController(setting),
    quotaController(setting),
    roleAggregation(setting),
    ...(setting.options.signer === undefined ? [] : [certificateSigner(setting, setting.options.signer)]),
  ]
}
