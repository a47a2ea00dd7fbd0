import type { LiveObject } from '../../model/live.ts'
import type { Digest } from '../../model/ports.ts'
import type { ObjectDrift } from '../../model/drift.ts'
import type { Desired } from '../desired.ts'
import type { Finding } from './classify.ts'
import { contentText } from './content.ts'

/** What the server said of one object in one state. */
export type Remembered = { readonly findings: readonly Finding[] }

type Settled = {
  readonly desired: Desired | undefined
  readonly live: LiveObject | undefined
  readonly epoch: string
  readonly drift: ObjectDrift
}

/** Verdicts kept in memory; each is small, and old ones go first. */
const MOST_REMEMBERED = 20_000

/**
 * What is known from earlier passes. Two ways in: by identity (neither side has changed since the last pass, which costs
 * nothing to see), and by content (the object has been in this very state before, whatever its resourceVersion).
 */
export class DriftMemory {
  readonly #settled = new Map<string, Settled>()
  readonly #answers = new Map<string, Remembered>()
  readonly #contents = new WeakMap<LiveObject, string>()
  readonly #digest: Digest

  constructor(digest: Digest) {
    this.#digest = digest
  }

  settled(
    key: string,
    desired: Desired | undefined,
    live: LiveObject | undefined,
    epoch: string,
  ): ObjectDrift | undefined {
    const known = this.#settled.get(key)
    return known?.desired === desired && known?.live === live && known?.epoch === epoch ? known.drift : undefined
  }

  settle(key: string, settled: Settled): void {
    // What could not be found out is asked again by the next pass.
    if (settled.drift.failure === undefined) this.#settled.set(key, settled)
    else this.#settled.delete(key)
  }

  answer(stateKey: string): Remembered | undefined {
    return this.#answers.get(stateKey)
  }

  remember(stateKey: string, answer: Remembered): void {
    this.#answers.set(stateKey, answer)
    if (this.#answers.size <= MOST_REMEMBERED) return
    for (const oldest of this.#answers.keys()) {
      this.#answers.delete(oldest)
      return
    }
  }

  /** Names a state of an object: what is wanted, what is there, who owns it, and what the server thinks of such things. */
  stateKey(desired: Desired, live: LiveObject, epoch: string, trusted: string): string {
    return `${live.uid}|${desired.digest}|${this.#contentOf(live)}|${epoch}|${trusted}`
  }

  #contentOf(live: LiveObject): string {
    let content = this.#contents.get(live)
    if (content === undefined) {
      content = this.#digest(contentText(live))
      this.#contents.set(live, content)
    }
    return content
  }
}
