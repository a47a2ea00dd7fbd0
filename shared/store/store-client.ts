import type { Json } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'

/** The few calls that the store makes to an API server. */
export interface StoreClient {
  /** Undefined where there is no such object. */
  get(path: string, options: Cancellable): Promise<Json | undefined>
  /** Creates; false where it is there already. */
  create(path: string, body: Json, options: Cancellable): Promise<boolean>
  /** A JSON merge patch (RFC 7386); false where there is no such object. */
  mergePatch(path: string, body: Json, options: Cancellable): Promise<boolean>
  /** Deletes; absence is fine. */
  delete(path: string, options: Cancellable): Promise<void>
}
