import type { KubeObject } from '../object.ts'
import type { StoreEvent } from '../storage/store.ts'
import type { CertificateSigner } from './certificate-signer.ts'
import type { Host } from './host.ts'
import type { Resource } from './resources.ts'
import type { WorkQueue } from './work-queue.ts'

/** What a controller is given to work with. */
export interface Setting {
  readonly host: Host
  readonly queue: WorkQueue
  readonly options: ControllerOptions
}

/** Times of the simulated world, in milliseconds. */
export interface ControllerOptions {
  /** From a pod's arrival on its node until its containers run and are ready. */
  readonly podStartMs: number
  /** From there until a pod that runs to completion ends. */
  readonly podRunMs: number
  /** From a pod's deletion until it is gone. */
  readonly podStopMs: number
  /** Pods whose kubelets are not simulated: they stay as their status says until they are deleted. */
  readonly leavesPod?: (uid: string) => boolean
  /** Signs what is asked of the cluster's signer; nobody does where absent. */
  readonly signer?: CertificateSigner
  /** Whether a claim without a storage class gets a volume; true where absent. On real clusters nobody makes one. */
  readonly classlessVolumes?: boolean
}

/** One control loop. */
export interface Controller {
  readonly name: string
  /** The resources whose changes concern it, each with what to do about one. */
  readonly watches: readonly (readonly [Resource, (event: StoreEvent) => void])[]
  /** Any change of any resource, for loops that look at everything. */
  readonly watchAll?: (event: StoreEvent) => void
  reconcile(key: string): void
}

export function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`
}

export function splitKey(key: string): readonly [namespace: string, name: string] {
  const slash = key.indexOf('/')
  return [key.slice(0, slash), key.slice(slash + 1)]
}

/** Enqueues the object itself, under the controller's name. */
export function itself(queue: WorkQueue, controller: string): (event: StoreEvent) => void {
  return ({ object }) => queue.add(controller, keyOf(object))
}

/** Enqueues the controlling owner of the kind, now and before the change. */
export function itsController(queue: WorkQueue, controller: string, kind: string): (event: StoreEvent) => void {
  return ({ object, previous }) => {
    for (const state of [object, previous]) {
      const owner = state?.metadata.ownerReferences?.find((o) => o.controller === true && o.kind === kind)
      if (owner) queue.add(controller, `${state?.metadata.namespace ?? ''}/${owner.name}`)
    }
  }
}
