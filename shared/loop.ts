import { isCancelled } from './base/abort.ts'
import { singleFlight } from './base/single-flight.ts'

/** What makes a pass due. */
export type Trigger = 'commit' | 'cluster' | 'timer' | 'person'

export type LoopOptions = {
  /** One pass; told why, and cancelled when the loop is disposed. */
  readonly pass: (triggers: ReadonlySet<Trigger>, options: { readonly signal: AbortSignal }) => Promise<void>
  /** Told of a pass that failed; the loop goes on. */
  readonly onError: (error: unknown) => void
  /** Milliseconds between passes that nothing else triggered; 0 for none. */
  readonly timerMs: number
  /** Milliseconds for which news of the cluster is gathered between passes; the first after a quiet while starts one at once. */
  readonly gatherMs: number
}

/**
 * Triggers -> single flight -> reconcile. However many triggers come during a pass, one more pass follows it, so that the
 * last state is always seen and no two passes run at once.
 */
export class Loop {
  readonly #options: LoopOptions
  readonly #stop = new AbortController()
  readonly #due = new Set<Trigger>()
  readonly #run: () => Promise<void>
  #gathering: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #endedAt = Number.NEGATIVE_INFINITY

  constructor(options: LoopOptions) {
    this.#options = options
    this.#run = singleFlight(async () => this.#pass())
    this.#restartTimer()
  }

  /** Makes a pass due. A person and a commit start it at once; of a shower of news the first does, and the rest is gathered. */
  wake(trigger: Trigger): void {
    if (this.#stop.signal.aborted) return
    this.#due.add(trigger)
    if (trigger !== 'cluster') {
      clearTimeout(this.#gathering)
      this.#gathering = undefined
      void this.#run()
      return
    }
    const quietMs = performance.now() - this.#endedAt
    this.#gathering ??= setTimeout(
      () => {
        this.#gathering = undefined
        void this.#run()
      },
      Math.max(0, this.#options.gatherMs - quietMs),
    )
  }

  dispose(): void {
    this.#stop.abort()
    clearTimeout(this.#gathering)
    clearTimeout(this.#timer)
  }

  async #pass(): Promise<void> {
    const triggers = new Set(this.#due)
    this.#due.clear()
    this.#restartTimer()
    if (this.#stop.signal.aborted) return
    try {
      await this.#options.pass(triggers, { signal: this.#stop.signal })
    } catch (error) {
      if (!isCancelled(error)) this.#options.onError(error)
    } finally {
      this.#endedAt = performance.now()
    }
  }

  #restartTimer(): void {
    clearTimeout(this.#timer)
    if (this.#options.timerMs === 0 || this.#stop.signal.aborted) return
    this.#timer = setTimeout(() => this.wake('timer'), this.#options.timerMs)
    this.#timer.unref()
  }
}
