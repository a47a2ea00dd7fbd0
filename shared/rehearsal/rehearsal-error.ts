/**
 * - `recording`: a recording that cannot be read, or is of another application
 * - `place`: the cluster to rehearse on cannot be had
 * - `occupied`: what would be made there is there already
 * - `unplanned`: the sync cannot even be planned
 * - `fault`: a failure was asked for in words that mean nothing
 * - `not-rehearsed`, `moved`, `did-not-pass`: why a sync that needs a rehearsal may not run
 */
type RehearsalReason =
  | 'recording'
  | 'place'
  | 'occupied'
  | 'unplanned'
  | 'fault'
  | 'not-rehearsed'
  | 'moved'
  | 'did-not-pass'

/** A rehearsal that cannot be held, or that does not allow what was asked. */
export class RehearsalError extends Error {
  readonly reason: RehearsalReason
  /** What to do about it, where that is known. */
  readonly next: string | undefined

  constructor(
    reason: RehearsalReason,
    message: string,
    { cause, next }: { readonly cause?: unknown; readonly next?: string } = {},
  ) {
    super(message, { cause })
    this.name = 'RehearsalError'
    this.reason = reason
    this.next = next
  }

  static is(error: unknown, reason?: RehearsalReason): error is RehearsalError {
    return error instanceof RehearsalError && (reason === undefined || error.reason === reason)
  }
}
