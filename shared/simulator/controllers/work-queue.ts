import type { Clock } from '../clock.ts'

/** Brings one object, named by its key, nearer to what it should be. */
export type Reconcile = (key: string) => void

interface Waiting {
  readonly at: number
  readonly cancel: () => void
}

/** How many keys are handled before others get their turn. */
const batch = 64
const firstRetryMs = 10
const longestRetryMs = 10_000

/**
 * One queue for all controllers: every key waits at most once, and what fails is tried again, ever more slowly. Time is the
 * clock's alone.
 */
export class WorkQueue {
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void
  readonly #controllers = new Map<string, Reconcile>()
  readonly #pending = new Map<string, readonly [controller: string, key: string]>()
  readonly #later = new Map<string, Waiting>()
  readonly #failures = new Map<string, number>()
  #cancelPump: (() => void) | undefined
  #stopped = false

  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  register(controller: string, reconcile: Reconcile): void {
    this.#controllers.set(controller, reconcile)
  }

  add(controller: string, key: string): void {
    if (this.#stopped) return
    this.#pending.set(`${controller} ${key}`, [controller, key])
    this.#cancelPump ??= this.#clock.schedule(0, () => this.#pump())
  }

  /** Adds the key in a while; an earlier appointment stands. */
  addAfter(controller: string, key: string, delayMs: number): void {
    if (this.#stopped) return
    const id = `${controller} ${key}`
    const at = this.#clock.now() + delayMs
    const known = this.#later.get(id)
    if (known && known.at <= at) return
    known?.cancel()
    const cancel = this.#clock.schedule(delayMs, () => {
      this.#later.delete(id)
      this.add(controller, key)
    })
    this.#later.set(id, { at, cancel })
  }

  stop(): void {
    this.#stopped = true
    this.#cancelPump?.()
    for (const { cancel } of this.#later.values()) cancel()
    this.#later.clear()
    this.#pending.clear()
  }

  #pump(): void {
    this.#cancelPump = undefined
    let left = batch
    for (const [id, [controller, key]] of this.#pending) {
      if (left-- === 0 || this.#stopped) break
      this.#pending.delete(id)
      this.#run(id, controller, key)
    }
    if (this.#pending.size > 0 && !this.#stopped) this.#cancelPump ??= this.#clock.schedule(0, () => this.#pump())
  }

  #run(id: string, controller: string, key: string): void {
    try {
      this.#controllers.get(controller)?.(key)
      this.#failures.delete(id)
    } catch (error) {
      const failures = (this.#failures.get(id) ?? 0) + 1
      this.#failures.set(id, failures)
      if (failures > 3) this.#onError(error)
      this.addAfter(controller, key, Math.min(longestRetryMs, firstRetryMs * 2 ** failures))
    }
  }
}
