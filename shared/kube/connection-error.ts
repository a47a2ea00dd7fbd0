import { CancelledError, isCancelled } from '../base/abort.ts'
import { redact } from '../base/redact.ts'
import { ClusterError } from './cluster-error.ts'
import type { CertificateProblem, RequestTarget } from './cluster-error.ts'

/** OpenSSL's verification results, as Node names them. */
const certificateCodes: Readonly<Record<string, CertificateProblem>> = {
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-authority',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown-authority',
  CERT_SIGNATURE_FAILURE: 'unknown-authority',
  CERT_UNTRUSTED: 'unknown-authority',
  INVALID_CA: 'unknown-authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-host',
  CERT_CHAIN_TOO_LONG: 'other',
  CERT_REVOKED: 'other',
  CERT_REJECTED: 'other',
  INVALID_PURPOSE: 'other',
}

/** TLS alerts by which a server refuses our client certificate. */
const clientRejected =
  /ALERT_(?:CERTIFICATE_(?:REQUIRED|EXPIRED|REVOKED|UNKNOWN)|BAD_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED)/

const timeouts = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT'])

const certificateWords: Readonly<Record<CertificateProblem, string>> = {
  expired: 'its certificate has expired',
  'not-yet-valid': 'its certificate is not valid yet',
  'unknown-authority': 'its certificate is signed by an authority that the kubeconfig does not trust',
  'wrong-host': 'its certificate is for other host names',
  'client-rejected': 'it refuses the client certificate of the kubeconfig',
  other: 'its certificate cannot be trusted',
}

/** Makes an error of a connection that failed before a whole answer came. @returns CancelledError for a cancel. */
export function errorOfConnection(error: unknown, server: string, target: RequestTarget): Error {
  if (ClusterError.is(error)) return error
  if (isCancelled(error)) return error instanceof CancelledError ? error : new CancelledError(error)
  const code = codeOf(error)
  const problem = certificateCodes[code] ?? (clientRejected.test(code) ? 'client-rejected' : undefined)
  if (problem !== undefined) {
    const message = `${server} cannot be trusted: ${certificateWords[problem]} (${reasonText(error)})`
    return new ClusterError('certificate', message, { cause: error, certificate: problem, target })
  }
  if (timeouts.has(code)) {
    return new ClusterError('timeout', `${server} did not answer in time (${target.verb})`, { cause: error, target })
  }
  return new ClusterError('unreachable', `${server} cannot be reached: ${reasonText(error)}`, { cause: error, target })
}

/** @returns whether an established connection broke, so that a second try may do better. */
export function wasReset(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'HPE_INVALID_EOF_STATE'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown }
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code
  const inner = codeOf(cause) || (Array.isArray(errors) ? codeOf(errors[0]) : '')
  return inner || (typeof code === 'string' ? code : '')
}

function reasonText(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOTFOUND') return 'no such host'
  const message = error instanceof Error ? error.message : String(error)
  return redact(message === '' ? code : (message.split('\n', 1)[0] ?? code))
}
