/**
 * What the host of a window refuses by itself.
 * - `params`: the page sent what the method does not take
 * - `no-workspace`: no repository is open
 * - `production`: the context's name has to be typed first
 * - `refused`: said in the message
 */
export class HostError extends Error {
  readonly reason: 'params' | 'no-workspace' | 'production' | 'refused'

  constructor(reason: HostError['reason'], message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'HostError'
    this.reason = reason
  }

  static is(error: unknown, reason?: HostError['reason']): error is HostError {
    return error instanceof HostError && (reason === undefined || error.reason === reason)
  }
}
