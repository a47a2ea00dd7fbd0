import type { KubeObject } from '../../model/kubernetes.ts'

const HOOK_ANNOTATIONS = ['argocd.argoproj.io/hook', 'helm.sh/hook']
/** Keeps a finished hook in the cluster until Argo CD has read its result (`gitops-engine/pkg/sync/hook`). */
const HOOK_FINALIZER = 'argocd.argoproj.io/hook-finalizer'

/** Whether an object runs at a point of a sync and is not part of the application's lasting state. */
export function isHook(object: KubeObject): boolean {
  return HOOK_ANNOTATIONS.some((name) => object.metadata.annotations?.[name] !== undefined)
}

/** Whether an object that is being deleted still owes its result to a sync. */
export function hasHookFinalizer(object: KubeObject): boolean {
  return object.metadata.finalizers?.includes(HOOK_FINALIZER) === true
}
