import { redact } from '../base/redact.ts'

/** Why Git could not answer. A cancellation is none of these: it is thrown as `CancelledError`. */
export type GitReason =
  | 'not-a-repository'
  | 'unknown-revision'
  | 'ambiguous-revision'
  | 'path-outside'
  | 'path-missing'
  | 'too-large'
  | 'missing-object'
  | 'corrupt'
  | 'auth-failed'
  | 'forbidden'
  | 'repository-not-found'
  | 'unreachable'
  | 'certificate'
  | 'host-key'
  | 'timed-out'
  | 'locked'
  | 'no-git-binary'
  | 'unsupported'
  | 'unusable'

/** The one error of the Git edge; its message is one line for a person, with credentials masked. */
export class GitError extends Error {
  readonly reason: GitReason

  constructor(reason: GitReason, message: string, cause?: unknown) {
    super(redact(message), cause === undefined ? undefined : { cause: maskedCause(cause) })
    this.name = 'GitError'
    this.reason = reason
  }

  static is(error: unknown, reason?: GitReason): error is GitError {
    return error instanceof GitError && (reason === undefined || error.reason === reason)
  }
}

/** A cause is printed by loggers with its stack, so what it says is masked too. */
function maskedCause(cause: unknown): unknown {
  if (GitError.is(cause) || !(cause instanceof Error)) return typeof cause === 'string' ? redact(cause) : cause
  const masked = new Error(redact(cause.message))
  masked.name = cause.name
  const { code } = cause as { code?: unknown }
  return code === undefined ? masked : Object.assign(masked, { code })
}
