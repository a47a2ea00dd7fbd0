import { CancelledError, onAbort } from '../base/abort.ts'
import type { Cancellable, ClockPort } from '../model/ports.ts'
import type { ManualClock } from '../simulator/clock.ts'

/** Whoever sleeps no longer than this is waiting for something to happen, and need not look before it does. */
const LONGEST_POLL_MS = 1000
/** Where nothing at all is going to happen, time goes on in steps of this size, so that deadlines are met. */
const IDLE_STEP_MS = 60_000

type Sleeper = { readonly wakeAt: number; readonly polls: boolean; readonly wake: () => void }

/**
 * The time of a rehearsal: it moves only while everybody sleeps, and then at once to the next moment at which anything
 * changes, so that a rollout of ten minutes takes as long as what happens in it.
 */
export class WorldClock implements ClockPort {
  readonly #manual: ManualClock
  /** Counts what has changed, whoever did it. */
  readonly #changes: () => number
  /** The count when somebody was woken last, and has looked. */
  #seen = 0
  #sleepers: Sleeper[] = []
  #pumping = false

  constructor(manual: ManualClock, changes: () => number) {
    this.#manual = manual
    this.#changes = changes
  }

  now(): number {
    return this.#manual.now()
  }

  async sleep(ms: number, { signal }: Cancellable): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const sleeper = { wakeAt: this.now() + ms, polls: ms <= LONGEST_POLL_MS, wake: resolve }
    const remove = onAbort(signal, () => {
      this.#sleepers = this.#sleepers.filter((one) => one !== sleeper)
      reject(new CancelledError(signal?.reason))
    })
    this.#sleepers.push(sleeper)
    this.#schedule()
    try {
      await promise
    } finally {
      remove()
    }
  }

  /** Lets time pass until nothing has changed for a while, but not for longer than `mostMs`. */
  rest(quietMs: () => number, mostMs: number): void {
    const end = this.now() + mostMs
    for (let quietSince = this.now(); this.now() - quietSince < quietMs() && this.now() < end;) {
      const before = this.#changes()
      this.#skipTo(Math.min(end, quietSince + quietMs()))
      if (this.#changes() !== before) quietSince = this.now()
    }
  }

  #schedule(): void {
    if (this.#pumping) return
    this.#pumping = true
    // By then everybody who has something to do has done it: requests are answered within microtasks.
    setImmediate(() => {
      this.#pumping = false
      this.#pump()
    })
  }

  #pump(): void {
    if (this.#sleepers.length === 0) return
    const first = Math.min(...this.#sleepers.map(({ wakeAt }) => wakeAt))
    this.#manual.advance(first - this.now())
    const due = this.#sleepers.filter(({ wakeAt }) => wakeAt <= this.now())
    // What has changed since the last look, by whoever looks as well, is a reason to look again soon.
    if (this.#changes() === this.#seen && due.every(({ polls }) => polls)) {
      const others = this.#sleepers.filter((one) => !due.includes(one)).map(({ wakeAt }) => wakeAt)
      this.#skipTo(Math.min(this.now() + IDLE_STEP_MS, ...others))
    }
    const awake = this.#sleepers.filter(({ wakeAt }) => wakeAt <= this.now())
    this.#sleepers = this.#sleepers.filter((one) => !awake.includes(one))
    this.#seen = this.#changes()
    for (const { wake } of awake) wake()
    if (this.#sleepers.length > 0) this.#schedule()
  }

  /** Moves to the next change, or to `limit` where there is none before. */
  #skipTo(limit: number): void {
    const before = this.#changes()
    while (this.#changes() === before && this.now() < limit) {
      const next = this.#manual.untilNext()
      this.#manual.advance(Math.min(next ?? Number.POSITIVE_INFINITY, limit - this.now()))
    }
  }
}
