import type { Place } from './manifest.ts'

/** Why a stage gave no value, as data. `reason` is a closed word per stage; `message` is one line for a person. */
export type Failure = {
  readonly stage: 'source' | 'verify' | 'render' | 'live' | 'drift' | 'plan' | 'apply' | 'store'
  readonly reason: string
  readonly message: string
  readonly place?: Place
}
