import type { ObjectType } from './object-id.ts'

/** Options of a read. */
export interface ReadOptions {
  /** Bytes above which an object's content is not kept; no limit when absent. */
  readonly maxBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a reader found under an id. */
export type Found =
  | { readonly kind: 'object'; readonly type: ObjectType; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-large'; readonly type: ObjectType; readonly size: number }

/** A way to the object store. Ids are whole and valid; results stand in the order of the ids. */
export interface ObjectReader {
  readMany(ids: readonly string[], options: ReadOptions): Promise<readonly Found[]>
  /** All ids that begin with some hex digits. */
  expand(prefix: string, options: Pick<ReadOptions, 'signal'>): Promise<readonly string[]>
  dispose(): Promise<void>
}
