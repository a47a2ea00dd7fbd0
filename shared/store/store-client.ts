import type { Json } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'

/** The few calls that the store makes to an API server. */
export interface StoreClient {
  /** Undefined where there is no such object. */
  get(path: string, options: Cancellable): Promise<Json | undefined>
  /** Creates; false where it is there already. */
  create(path: string, body: Json, options: Cancellable): Promise<boolean>
  /** A JSON merge patch (RFC 7386): the object after it, undefined where there is none. @throws an error with `reason: 'conflict'` */
  mergePatch(path: string, body: Json, options: Cancellable): Promise<Json | undefined>
  /** Deletes; absence is fine. */
  delete(path: string, options: Cancellable): Promise<void>
}
