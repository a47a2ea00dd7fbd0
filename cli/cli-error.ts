/** A command that cannot go on for a reason that the person can do something about. */
export class CliError extends Error {
  readonly reason: 'usage' | 'not-found' | 'refused' | 'timed-out'
  /** What to do next, in one line. */
  readonly next: string | undefined

  constructor(reason: CliError['reason'], message: string, next?: string) {
    super(message)
    this.name = 'CliError'
    this.reason = reason
    this.next = next
  }

  static is(error: unknown): error is CliError {
    return error instanceof CliError
  }
}
