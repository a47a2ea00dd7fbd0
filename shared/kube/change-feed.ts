import type { GroupVersionKind, ResourceId } from '../model/kubernetes.ts'
import type { ObjectChange } from './kind-store.ts'

/** What a cluster tells whoever waits for news. */
export type ClusterChange =
  | { readonly kind: 'objects'; readonly changes: readonly LiveChange[] }
  /** The server's mind about unchanged objects may have changed. */
  | { readonly kind: 'epoch' }
  /** A watch was lost (milliseconds since 1970), or all are up again. */
  | { readonly kind: 'connection'; readonly staleSince: number | undefined }

export type LiveChange = ObjectChange & { readonly gvk: GroupVersionKind; readonly id: ResourceId }

/** Listeners of one kind of news. A listener that throws is its own fault and harms no other. */
export class Listeners<T> {
  private readonly listeners = new Set<(value: T) => void>()

  /** @returns the listener's removal. */
  add(listener: (value: T) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  emit(value: T): void {
    for (const listener of this.listeners) {
      try {
        listener(value)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  clear(): void {
    this.listeners.clear()
  }
}
