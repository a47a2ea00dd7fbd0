/** The server's only source of time, so that tests and rehearsals can drive it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once, `delayMs` from now; the answer cancels it. */
  schedule(delayMs: number, task: () => void): () => void
}

/** The machine's clock; its timers never keep the process alive. */
export const realClock: Clock = {
  now: () => Date.now(),
  schedule(delayMs, task) {
    const timer = setTimeout(task, Math.min(delayMs, 2 ** 31 - 1))
    timer.unref()
    return () => clearTimeout(timer)
  },
}

interface Scheduled {
  readonly at: number
  readonly order: number
  readonly task: () => void
}

/** A clock that stands still until it is told to move. */
export class ManualClock implements Clock {
  #now: number
  #order = 0
  readonly #pending = new Set<Scheduled>()

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#now = startMs
  }

  now(): number {
    return this.#now
  }

  schedule(delayMs: number, task: () => void): () => void {
    const entry: Scheduled = { at: this.#now + Math.max(0, delayMs), order: this.#order++, task }
    this.#pending.add(entry)
    return () => this.#pending.delete(entry)
  }

  /** Milliseconds until the next task is due, or undefined where nothing waits. */
  untilNext(): number | undefined {
    const next = this.#next()
    return next === undefined ? undefined : next.at - this.#now
  }

  /** Moves time on, running what falls due in order, tasks scheduled on the way included. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let next = this.#next(); next !== undefined && next.at <= end; next = this.#next()) {
      this.#pending.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.task()
    }
    this.#now = end
  }

  #next(): Scheduled | undefined {
    let first: Scheduled | undefined
    for (const entry of this.#pending) {
      if (first === undefined || entry.at < first.at || (entry.at === first.at && entry.order < first.order)) {
        first = entry
      }
    }
    return first
  }
}

/** RFC 3339 in UTC with whole seconds, as `metav1.Time` is written. */
export function rfc3339(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
