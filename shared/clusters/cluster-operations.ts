import { throwIfAborted } from '../base/abort.ts'
import { clusterId, type ClusterEvent, type ClusterOperation, type ClusterRef } from '../model/cluster.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClustersError } from './clusters-error.ts'
import type { WorkOptions } from './provider.ts'

export type Progress = Cancellable & { readonly onEvent?: (event: ClusterEvent) => void }

/** What is told of an operation to whoever listens, in every window. */
export type ToldEvent = {
  readonly ref: ClusterRef
  readonly operation: ClusterOperation
  readonly event: ClusterEvent | { readonly kind: 'ended'; readonly error?: string; readonly next?: string }
}

/** What this process does with clusters: one operation a cluster at a time, told to all, ended by its caller or by anybody. */
export class ClusterOperations {
  readonly #running = new Map<string, AbortController>()
  readonly #listeners = new Set<(told: ToldEvent) => void>()

  /** @throws ClustersError `busy`, CancelledError */
  async run<T>(
    ref: ClusterRef,
    operation: ClusterOperation,
    { signal, onEvent }: Progress,
    work: (options: WorkOptions) => Promise<T>,
  ): Promise<T> {
    const id = clusterId(ref)
    throwIfAborted(signal)
    if (this.#running.has(id)) {
      throw new ClustersError('busy', `something else is done with ${id} just now`, 'wait for it, or cancel it')
    }
    const own = new AbortController()
    this.#running.set(id, own)
    const tell = (event: ToldEvent['event']): void => {
      for (const listener of this.#listeners) listener({ ref, operation, event })
    }
    const both = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal])
    try {
      const result = await work({
        signal: both,
        onEvent: (event) => {
          onEvent?.(event)
          tell(event)
        },
      })
      this.#running.delete(id)
      tell({ kind: 'ended' })
      return result
    } catch (error) {
      this.#running.delete(id)
      const next = ClustersError.is(error) && error.next !== '' ? { next: error.next } : {}
      tell({ kind: 'ended', error: error instanceof Error ? error.message : String(error), ...next })
      throw error
    }
  }

  cancel(ref: ClusterRef): boolean {
    const running = this.#running.get(clusterId(ref))
    running?.abort()
    return running !== undefined
  }

  listen(listener: (told: ToldEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
