import { sha256 } from '../base/digest.ts'
import { PassMemory } from '../core/pass-memory.ts'
import type { Application } from '../model/application.ts'
import { canonicalJson } from '../model/json.ts'

/** What a session keeps of each application from pass to pass. */
export class PassMemories {
  readonly #known = new Map<string, { readonly application: Application; readonly memory: PassMemory }>()

  /** @param use keeps what looks of another sort conclude apart */
  of(application: Application, use = ''): PassMemory {
    const known = this.#known.get(application.name + use)
    // What was concluded holds for the application as it was written then: another destination wants other objects.
    if (known !== undefined && isSame(known.application, application)) return known.memory
    const memory = new PassMemory(sha256)
    this.#known.set(application.name + use, { application, memory })
    return memory
  }

  forget(application: Application): void {
    this.#known.delete(application.name)
  }
}

function isSame(one: Application, other: Application): boolean {
  return one.raw === other.raw || canonicalJson(one.raw) === canonicalJson(other.raw)
}
