import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ApplicationSnapshot } from '../model/status.ts'
import type { SentSnapshot, SessionEvent, SentEvent } from './contract.ts'
import { partsOf } from './snapshot-parts.ts'

type Failed = Extract<SessionEvent, { kind: 'failed' }>
/** A failure never overtakes the snapshot before it. */
type Waiting = { readonly sent?: SentSnapshot; readonly failed?: Failed }

/** Messages that are written before others of this process get their turn. */
const AT_ONCE = 8

/**
 * Tells one subscriber what happens, in order. Of an application whose snapshot is not yet out only the newest is told, so
 * that a slow reader gets fewer and never older ones.
 */
export class SnapshotSender {
  readonly #send: (event: SentEvent) => Promise<void>
  readonly #told = new Map<string, ApplicationSnapshot>()
  readonly #waiting = new Map<string, Waiting>()
  #running = false
  #ended = false

  constructor(send: (event: SentEvent) => Promise<void>) {
    this.#send = send
  }

  take(event: SessionEvent): void {
    switch (event.kind) {
      case 'snapshot':
        return this.#wait(event.snapshot.application.name, { sent: event })
      case 'failed': {
        const waiting = this.#waiting.get(event.application)
        return this.#wait(event.application, { ...waiting, failed: event })
      }
      case 'applications':
      case 'sync':
        void this.#send(event)
    }
  }

  end(): void {
    this.#ended = true
    this.#waiting.clear()
  }

  #wait(name: string, waiting: Waiting): void {
    this.#waiting.set(name, waiting)
    if (!this.#running) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    for (let [next] = this.#waiting; next !== undefined && !this.#ended; [next] = this.#waiting) {
      const [name, { sent, failed }] = next
      this.#waiting.delete(name)
      if (sent !== undefined) await this.#sendParts(name, sent)
      if (failed !== undefined) await this.#send(failed)
    }
    this.#running = false
  }

  async #sendParts(name: string, { snapshot, local }: SentSnapshot): Promise<void> {
    let count = 0
    for (const part of partsOf(this.#told.get(name), snapshot, local)) {
      await this.#send(part)
      count += 1
      if (count % AT_ONCE === 0) await nextTurn()
    }
    this.#told.set(name, snapshot)
  }
}
