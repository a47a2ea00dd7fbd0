import type { Json } from './differential-step.ts'
import { otherKinds } from './differential-kinds-other.ts'
import { workloadKinds } from './differential-kinds-workload.ts'

/** A kind that conversations are about. */
export interface KindSample {
  /** Where its collection is served. */
  readonly collection: string
  readonly apiVersion: string
  readonly kind: string
  /** A full and valid object without apiVersion, kind and name. */
  readonly base: { readonly [key: string]: Json }
  /** Values worth setting, by dotted path; some of them wrong. */
  readonly values: { readonly [path: string]: readonly Json[] }
  readonly status?: Json
  readonly scale?: boolean
  /** How often it is picked. */
  readonly weight?: number
  readonly clusterScoped?: boolean
}

export const kindSamples: readonly KindSample[] = [...workloadKinds, ...otherKinds]
