import type { Manifest } from '../model/manifest.ts'
import type { Digest, Inventory, LiveView, ObserveScope } from '../model/ports.ts'
import type { DesiredState, PreparedMemory } from './desired.ts'
import { DriftMemory } from './drift/memory.ts'
import type { Pass } from './status.ts'

/** All that a pass over an application depends on, by identity: stages give the same value while nothing has changed. */
export type PassInputs = {
  readonly desired: DesiredState
  readonly live: LiveView
  readonly inventory: Inventory
  readonly epoch: string
  readonly revision: string
  readonly ignore: string
  readonly refusal: string | undefined
}

/** What one application keeps from pass to pass, only to be faster: losing it changes no answer. */
export class PassMemory {
  readonly prepared: PreparedMemory = new WeakMap()
  readonly drift: DriftMemory
  #desired: { readonly manifests: readonly Manifest[]; readonly state: DesiredState } | undefined
  #scope:
    | {
        readonly desired: DesiredState
        readonly inventory: Inventory
        readonly more: string
        readonly scope: ObserveScope
      }
    | undefined
  #last: { readonly inputs: PassInputs; readonly pass: Pass } | undefined

  constructor(digest: Digest) {
    this.drift = new DriftMemory(digest)
  }

  /** The desired state that was prepared of these very manifests. */
  desiredOf(manifests: readonly Manifest[]): DesiredState | undefined {
    return this.#desired?.manifests === manifests ? this.#desired.state : undefined
  }

  /** Keeps a desired state, unless a kind in it was not served yet: that has to be asked again. */
  keepDesired(manifests: readonly Manifest[], state: DesiredState): void {
    const whole = [...state.objects.values(), ...state.hooks].every((desired) => desired.kind !== undefined)
    this.#desired = whole ? { manifests, state } : undefined
  }

  /** @param more what else the scope is made of */
  scopeOf(desired: DesiredState, inventory: Inventory, more: string, make: () => ObserveScope): ObserveScope {
    const known = this.#scope
    if (known?.desired === desired && known.inventory === inventory && known.more === more) return known.scope
    this.#scope = { desired, inventory, more, scope: make() }
    return this.#scope.scope
  }

  /** The last pass, if it was over these very inputs and found out everything. */
  passOver(inputs: PassInputs): Pass | undefined {
    const last = this.#last
    if (last === undefined) return undefined
    const keys = Object.keys(inputs) as (keyof PassInputs)[]
    return keys.every((key) => last.inputs[key] === inputs[key]) ? last.pass : undefined
  }

  keepPass(inputs: PassInputs, pass: Pass): void {
    const complete = pass.snapshot.resources.every((resource) => resource.drift.failure === undefined)
    this.#last = complete ? { inputs, pass } : undefined
  }
}
