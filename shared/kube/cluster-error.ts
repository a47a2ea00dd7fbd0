/** Why the API server, or the way to it, refused. */
export type ClusterErrorReason =
  | 'config'
  | 'credentials'
  | 'unreachable'
  | 'certificate'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'already-exists'
  | 'invalid'
  | 'bad-request'
  | 'unsupported-media'
  | 'too-large'
  | 'too-many-requests'
  | 'gone'
  | 'timeout'
  | 'server-error'
  | 'bad-answer'

/** What is wrong with a certificate; `client-rejected` is ours, the others are the server's. */
export type CertificateProblem =
  | 'expired'
  | 'not-yet-valid'
  | 'unknown-authority'
  | 'wrong-host'
  | 'client-rejected'
  | 'other'

/** One entry of a Status' `details.causes`. */
export type StatusCause = { readonly reason?: string; readonly message: string; readonly field?: string }

/** What was asked of the server. */
export type RequestTarget = {
  readonly verb: string
  readonly group?: string
  /** Plural, as in URLs. */
  readonly resource?: string
  /** Empty for cluster-scoped resources and for all namespaces. */
  readonly namespace?: string
  readonly name?: string
}

export type ClusterErrorDetails = {
  readonly cause?: unknown
  /** HTTP status, undefined where no answer came. */
  readonly status?: number
  readonly causes?: readonly StatusCause[]
  readonly certificate?: CertificateProblem
  /** Milliseconds that the server asks to be left alone. */
  readonly retryAfterMs?: number
  readonly target?: RequestTarget
  /** `reason` of the Status body, as the server wrote it. */
  readonly serverReason?: string
}

/** Everything that can go wrong with one API server. The message is the server's own where it gave one. */
export class ClusterError extends Error {
  /** Where in the line it happened. */
  readonly stage = 'live'
  readonly reason: ClusterErrorReason
  readonly status: number | undefined
  readonly causes: readonly StatusCause[]
  readonly certificate: CertificateProblem | undefined
  readonly retryAfterMs: number | undefined
  readonly target: RequestTarget | undefined
  readonly serverReason: string | undefined

  constructor(reason: ClusterErrorReason, message: string, details: ClusterErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.name = 'ClusterError'
    this.reason = reason
    this.status = details.status
    this.causes = details.causes ?? []
    this.certificate = details.certificate
    this.retryAfterMs = details.retryAfterMs
    this.target = details.target
    this.serverReason = details.serverReason
  }

  static is(error: unknown, reason?: ClusterErrorReason): error is ClusterError {
    return error instanceof ClusterError && (reason === undefined || error.reason === reason)
  }
}
