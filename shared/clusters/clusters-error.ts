/**
 * Why a local cluster or a kubeconfig could not be worked on.
 * - `tool-missing`, `engine-down`: something has to be installed or started first
 * - `tool-failed`: the tool said no; its own words are in the message
 * - `name`, `exists`, `not-found`, `unsupported`: what was asked for cannot be
 * - `not-owned`: not made by Plumbline, and its name was not typed
 * - `busy`: another operation on it runs
 * - `not-ready`: it was started, and does not answer in time
 * - `download`, `checksum`: a tool could not be fetched, or is not the one that its publisher names
 * - `locked`, `kubeconfig`, `changed`: a kubeconfig that another program holds, that cannot be read, or that somebody edited since
 */
export type ClustersErrorReason =
  | 'tool-missing'
  | 'engine-down'
  | 'tool-failed'
  | 'name'
  | 'exists'
  | 'not-found'
  | 'unsupported'
  | 'not-owned'
  | 'busy'
  | 'not-ready'
  | 'download'
  | 'checksum'
  | 'locked'
  | 'kubeconfig'
  | 'changed'

export class ClustersError extends Error {
  readonly reason: ClustersErrorReason
  /** What to do next, in one line; empty where nothing can be said. */
  readonly next: string

  constructor(reason: ClustersErrorReason, message: string, next = '', options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'ClustersError'
    this.reason = reason
    this.next = next
  }

  static is(error: unknown, reason?: ClustersErrorReason): error is ClustersError {
    return error instanceof ClustersError && (reason === undefined || error.reason === reason)
  }
}
