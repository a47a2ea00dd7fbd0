export type StoreErrorReason =
  /** Another process is syncing the application. */
  | 'busy'
  /** Another process has taken the sync over. */
  | 'lost'

/** What the store refuses. */
export class StoreError extends Error {
  readonly reason: StoreErrorReason

  constructor(reason: StoreErrorReason, message: string) {
    super(message)
    this.name = 'StoreError'
    this.reason = reason
  }

  static is(error: unknown, reason?: StoreErrorReason): error is StoreError {
    return error instanceof StoreError && (reason === undefined || error.reason === reason)
  }
}
