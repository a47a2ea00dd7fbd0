import { CancelledError, onAbort, throwIfAborted } from './abort.ts'

/** Bounds of an adaptive limiter. */
export interface LimiterOptions {
  readonly start?: number
  readonly floor?: number
  readonly ceiling?: number
  /** The clock in milliseconds, and timers over it; the tests give their own. */
  readonly now?: () => number
}

interface Waiter {
  readonly begin: () => void
}

/**
 * Bounds how much is asked of a server at once, and learns the bound: one more after each full round of successes,
 * half after the server said that it is too much (TCP's additive increase, multiplicative decrease).
 */
export class Limiter {
  private readonly floor: number
  private readonly ceiling: number
  private readonly now: () => number
  private readonly waiting: Waiter[] = []
  private limit: number
  private active = 0
  private successes = 0
  private pausedUntil = 0
  private lastBackOff = Number.NEGATIVE_INFINITY
  private timer: NodeJS.Timeout | undefined

  constructor({ start = 8, floor = 2, ceiling = 32, now = () => performance.now() }: LimiterOptions = {}) {
    this.limit = start
    this.floor = floor
    this.ceiling = ceiling
    this.now = now
  }

  /** How much may run at once now. */
  get concurrency(): number {
    return Math.floor(this.limit)
  }

  /** Runs work when there is room. Its failure counts neither way: only the server's own word does. */
  async run<T>(work: () => Promise<T>, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<T> {
    await this.enter(signal)
    const startedAt = this.now()
    try {
      const result = await work()
      // A success that was under way before the back-off says nothing of the new bound.
      if (startedAt >= this.lastBackOff) this.succeeded()
      return result
    } finally {
      this.active -= 1
      this.drain()
    }
  }

  /** The server said 429 (or 503), perhaps with a Retry-After, in milliseconds. */
  backOff(retryAfterMs = 0): void {
    const now = this.now()
    this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs)
    this.successes = 0
    // Answers that were already under way together are one refusal, not many.
    if (now - this.lastBackOff >= 100) this.limit = Math.max(this.floor, this.limit / 2)
    this.lastBackOff = now
  }

  private succeeded(): void {
    this.successes += 1
    if (this.successes < this.limit) return
    this.successes = 0
    this.limit = Math.min(this.ceiling, this.limit + 1)
  }

  private async enter(signal: AbortSignal | undefined): Promise<void> {
    throwIfAborted(signal)
    if (this.hasRoom() && this.waiting.length === 0) {
      this.active += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        begin: () => {
          remove()
          this.active += 1
          resolve()
        },
      }
      this.waiting.push(waiter)
      const remove = onAbort(signal, () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1)
        reject(new CancelledError(signal?.reason))
      })
      this.drain()
    })
  }

  private hasRoom(): boolean {
    return this.active < this.concurrency && this.now() >= this.pausedUntil
  }

  private drain(): void {
    while (this.waiting.length > 0 && this.hasRoom()) this.waiting.shift()?.begin()
    if (this.waiting.length === 0 || this.timer !== undefined) return
    const pause = this.pausedUntil - this.now()
    if (pause <= 0) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.drain()
    }, Math.ceil(pause))
  }
}
