import { ResponseError } from 'vscode-jsonrpc/node'
import { isCancelled } from '../base/abort.ts'
import { ClustersError } from '../clusters/clusters-error.ts'
import type { FailureData } from './contract.ts'

/** JSON-RPC's own code for a request that its sender withdrew (LSP 3.17 `ErrorCodes.RequestCancelled`). */
const REQUEST_CANCELLED = -32_800
const FAILED = -32_000

/**
 * A request that an agent could not answer, or an agent that is not there.
 * - `gone`: its process ended; the client is starting another
 * - `version`: it speaks another protocol
 * - `no-session`, `no-application`: named what is not open
 * - `failed`: the work itself failed; `cause` has the reason's own word
 */
export class AgentError extends Error {
  readonly reason: 'gone' | 'version' | 'no-session' | 'no-application' | 'failed'
  /** The word of the error that the agent met: `not-a-repository`, `unauthorized`... */
  readonly detail: string

  constructor(reason: AgentError['reason'], message: string, detail = '', options: ErrorOptions = {}) {
    super(message, options)
    this.name = 'AgentError'
    this.reason = reason
    this.detail = detail
  }

  static is(error: unknown, reason?: AgentError['reason']): error is AgentError {
    return error instanceof AgentError && (reason === undefined || error.reason === reason)
  }
}

/** An error as it crosses the wire. */
export function toResponse(error: unknown): ResponseError<FailureData> {
  const said = error instanceof Error ? error.message : String(error)
  // What to do next crosses as a line of its own.
  const message = ClustersError.is(error) && error.next !== '' ? `${said}\n${error.next}` : said
  const { name, reason: own } = (error ?? {}) as { readonly name?: unknown; readonly reason?: unknown }
  const reason = AgentError.is(error, 'failed') && error.detail !== '' ? error.detail : own
  const data = {
    name: typeof name === 'string' ? name : 'Error',
    reason: typeof reason === 'string' ? reason : 'internal',
  }
  return new ResponseError(isCancelled(error) ? REQUEST_CANCELLED : FAILED, message, data)
}

/** Whether an answer only says that the request was withdrawn. */
export function isWithdrawn(error: unknown): boolean {
  return error instanceof ResponseError && error.code === REQUEST_CANCELLED
}

/** An answer as the client's caller sees it. */
export function fromResponse(error: unknown): Error {
  if (!(error instanceof ResponseError)) {
    return new AgentError('gone', error instanceof Error ? error.message : String(error), '', { cause: error })
  }
  const data = error.data as FailureData | undefined
  const detail = data?.reason ?? ''
  const own = data?.name === 'AgentError' && (detail === 'no-session' || detail === 'no-application')
  return new AgentError(own ? detail : 'failed', error.message, detail, { cause: error })
}
