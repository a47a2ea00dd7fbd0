import { subjectRestriction } from './certificates.ts'
import { claimResize, defaultIngressClass, defaultStorageClass, oneDefaultPriority, protectStorage } from './classes.ts'
import { checkLimits, defaultLimits } from './limit-ranger.ts'
import { namespaceLifecycle } from './namespace-lifecycle.ts'
import { defaultTolerations, priority, runtimeClass, taintNewNode } from './pods.ts'
import { resourceQuota } from './quota.ts'
import type { AdmissionRequest, Plugin } from './request.ts'
import { serviceAccount } from './service-account.ts'

/** The plugins that kube-apiserver runs by default, in its order (`pkg/kubeapiserver/options/plugins.go`). */
const mutating: readonly Plugin[] = [
  namespaceLifecycle,
  defaultLimits,
  serviceAccount,
  taintNewNode,
  priority,
  defaultTolerations,
  defaultStorageClass,
  protectStorage,
  runtimeClass,
  defaultIngressClass,
]

const validating: readonly Plugin[] = [checkLimits, oneDefaultPriority, claimResize, subjectRestriction, resourceQuota]

/** Changes `next` as admission would, before it is prepared and validated. Throws StatusError to refuse. */
export function admit(request: AdmissionRequest): void {
  for (const plugin of mutating) plugin(request)
}

/** The last word, after validation. Throws StatusError to refuse. */
export function admitValid(request: AdmissionRequest): void {
  for (const plugin of validating) plugin(request)
}
