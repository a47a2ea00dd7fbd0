import type { ApplicationSummary } from '../../shared/model/front.ts'

/** A thousand applications that are compared at the start must not be a thousand messages. */
const GATHER_MS = 100

/** Gathers what has changed in the list of applications and tells it ten times a second at the most. */
export class SummaryNews {
  readonly #tell: (changed: readonly ApplicationSummary[], gone: readonly string[]) => void
  readonly #known = new Map<string, ApplicationSummary>()
  readonly #changed = new Map<string, ApplicationSummary>()
  readonly #gone = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #begun = false

  constructor(tell: (changed: readonly ApplicationSummary[], gone: readonly string[]) => void) {
    this.#tell = tell
  }

  /** All has been told by other means; only what comes now is news. */
  begin(all: readonly ApplicationSummary[]): void {
    this.#begun = true
    this.#known.clear()
    for (const summary of all) this.#known.set(summary.name, summary)
    this.#changed.clear()
    this.#gone.clear()
  }

  /** The list is these applications now. */
  replace(all: readonly ApplicationSummary[]): void {
    const names = new Set(all.map(({ name }) => name))
    for (const name of this.#known.keys()) {
      if (names.has(name)) continue
      this.#known.delete(name)
      this.#changed.delete(name)
      this.#gone.add(name)
    }
    for (const summary of all) if (!isKnownBetter(this.#known.get(summary.name), summary)) this.changed(summary)
    this.#plan()
  }

  changed(summary: ApplicationSummary): void {
    this.#known.set(summary.name, summary)
    this.#gone.delete(summary.name)
    this.#changed.set(summary.name, summary)
    this.#plan()
  }

  failed(name: string, message: string): void {
    const known = this.#known.get(name)
    if (known !== undefined) this.changed({ ...known, sync: 'Unknown', failure: message })
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#begun = false
  }

  #plan(): void {
    if (!this.#begun || this.#timer !== undefined || (this.#changed.size === 0 && this.#gone.size === 0)) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const changed = [...this.#changed.values()]
      const gone = [...this.#gone]
      this.#changed.clear()
      this.#gone.clear()
      this.#tell(changed, gone)
    }, GATHER_MS)
  }
}

/** An application that was compared already is not told as unknown again because another one was found. */
function isKnownBetter(known: ApplicationSummary | undefined, summary: ApplicationSummary): boolean {
  return known !== undefined && (summary.observedAt === '' || known.observedAt === summary.observedAt)
}
