import type { Cluster } from '../kube/cluster.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Cancellable, ClockPort, ClusterPort } from '../model/ports.ts'
import type { RehearsalPlace } from '../model/rehearsal.ts'

/** A cluster to rehearse on: filled, thrown away afterwards. */
export interface World {
  readonly place: RehearsalPlace
  readonly cluster: ClusterPort
  /** The same server with more than the core needs. */
  readonly client: Cluster
  readonly clock: ClockPort
  /** Kinds of the fill that it does not serve. */
  readonly unserved: readonly KubeObject[]
  /** How long pods take to start here, and on how many pods of the real cluster that was measured. */
  readonly podStart: { readonly startMs: number; readonly measuredOn: number }
  /** Everything that is there now. */
  objects(): Iterable<KubeObject>
  /** Tells of every object that changes, or that goes. @returns the listener's removal */
  onObject(listener: (object: KubeObject, gone: boolean) => void): () => void
  /** Lets time pass until nothing happens any more. @param unsettled whether something is still on its way */
  rest(unsettled: () => boolean, options: Cancellable): Promise<void>
  dispose(): Promise<void>
}
