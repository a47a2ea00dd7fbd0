import type { Schema } from '../../fields/schema.ts'
import type { Decoded } from '../kinds/codec.ts'
import type { KindStrategy } from '../kinds/strategy.ts'
import type { KubeObject } from '../object.ts'
import type { TableShape } from '../printers/table-shape.ts'

/** How objects of one served version are read, checked, merged and printed. */
export interface Behaviour {
  readonly strategy: KindStrategy
  /** The type that ownership and merging follow. */
  readonly schema: Schema
  /** Custom resources refuse strategic merge patches. */
  readonly strategicPatch: boolean
  readonly table: TableShape
  /** Whether a finished DELETE answers with the object instead of a Status. */
  readonly returnsDeleted: boolean
  /**
   * Reads JSON as the type, into an object of its own in canonical form. The input is not changed.
   *
   * @param options.keepNulls leaves nulls to validation where a body's would be dropped: what an apply merged
   * @throws DecodeError where a value does not fit.
   */
  decode(raw: KubeObject, options?: { readonly keepNulls: boolean }): Decoded
}
