import { causeReason, errorBody, errorText, goQuote } from './kinds/field-error.ts'
import type { FieldError } from './kinds/field-error.ts'

export interface StatusCause {
  readonly reason?: string
  readonly message?: string
  readonly field?: string
}

export interface StatusDetails {
  readonly name?: string
  readonly group?: string
  readonly kind?: string
  readonly uid?: string
  readonly causes?: readonly StatusCause[]
  readonly retryAfterSeconds?: number
}

/** The body of a failed answer (meta/v1 Status). */
export interface Status {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly metadata: Record<string, unknown>
  readonly status: 'Success' | 'Failure'
  readonly message?: string
  readonly reason?: string
  readonly details?: StatusDetails
  readonly code?: number
}

export type StatusReason =
  | ''
  | 'AlreadyExists'
  | 'BadRequest'
  | 'Conflict'
  | 'Expired'
  | 'Forbidden'
  | 'Gone'
  | 'InternalError'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServerTimeout'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnsupportedMediaType'

/** A refusal, as kube-apiserver words it (apimachinery, api/errors). An empty reason is left out of the answer. */
export class StatusError extends Error {
  readonly code: number
  readonly reason: StatusReason
  readonly details: StatusDetails | undefined
  /** Extra list metadata, such as the continue token that comes with an expired one. */
  readonly listMeta: Record<string, unknown>

  constructor(
    code: number,
    reason: StatusReason,
    message: string,
    options: { details?: StatusDetails; listMeta?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'StatusError'
    this.code = code
    this.reason = reason
    this.details = options.details
    this.listMeta = options.listMeta ?? {}
  }

  static is(error: unknown): error is StatusError {
    return error instanceof StatusError
  }

  /** The answer's body. */
  toStatus(): Status {
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: this.listMeta,
      status: 'Failure',
      message: this.message,
      ...(this.reason === '' ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    }
  }
}

/** A resource as error texts name it: `deployments.apps`, or `configmaps` in the core group. */
export interface GroupName {
  readonly group: string
  readonly name: string
}

function qualified(what: GroupName): string {
  return what.group === '' ? what.name : `${what.name}.${what.group}`
}

function detailsOf(what: GroupName, objectName: string): StatusDetails {
  return {
    ...(objectName === '' ? {} : { name: objectName }),
    ...(what.group === '' ? {} : { group: what.group }),
    ...(what.name === '' ? {} : { kind: what.name }),
  }
}

export function notFound(resource: GroupName, name: string): StatusError {
  return new StatusError(404, 'NotFound', `${qualified(resource)} ${goQuote(name)} not found`, {
    details: detailsOf(resource, name),
  })
}

export function alreadyExists(resource: GroupName, name: string): StatusError {
  return new StatusError(409, 'AlreadyExists', `${qualified(resource)} ${goQuote(name)} already exists`, {
    details: detailsOf(resource, name),
  })
}

/** `problem` is the rest of the sentence "Operation cannot be fulfilled on X: ...". */
export function conflict(resource: GroupName, name: string, problem: string): StatusError {
  return new StatusError(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} ${goQuote(name)}: ${problem}`,
    { details: detailsOf(resource, name) },
  )
}

/** The text of a lost race on resourceVersion. */
export const modifiedProblem =
  'the object has been modified; please apply your changes to the latest version and try again'

/** `problem` follows "X is forbidden: "; extra causes go into the details. */
export function forbidden(
  resource: GroupName,
  name: string,
  problem: string,
  causes: readonly StatusCause[] = [],
): StatusError {
  const subject = resource.name === '' ? '' : `${qualified(resource)} ${name === '' ? '' : `${goQuote(name)} `}is `
  return new StatusError(403, 'Forbidden', `${subject}forbidden: ${problem}`, {
    details: { ...detailsOf(resource, name), ...(causes.length === 0 ? {} : { causes }) },
  })
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message)
}

/** An error without a reason, which kube-apiserver answers for anything it did not foresee. */
export function plainError(message: string): StatusError {
  return new StatusError(500, '', message)
}

export function internalError(message: string): StatusError {
  return new StatusError(500, 'InternalError', `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
  })
}

/** History that is no longer kept. */
export function expired(message: string, listMeta: Record<string, unknown> = {}): StatusError {
  return new StatusError(410, 'Expired', message, { listMeta })
}

/** A resourceVersion from the future. */
export function tooLargeResourceVersion(asked: number, current: number): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  })
}

/** An answer that has only a status code's standard sentence, with empty details. */
export function generic(code: number, reason: StatusReason, message: string): StatusError {
  return new StatusError(code, reason, message, { details: {} })
}

/** 422: what is wrong with an object, field by field, in the order that the rules found it. */
export function invalid(kind: GroupName, name: string, errors: readonly FieldError[]): StatusError {
  const texts = [...new Set(errors.map(errorText))]
  const listed = texts.length === 0 ? '' : `: ${texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`}`
  return new StatusError(422, 'Invalid', `${qualified(kind)} ${goQuote(name)} is invalid${listed}`, {
    details: {
      ...detailsOf(kind, name),
      ...(errors.length === 0
        ? {}
        : {
            causes: errors.map((error) => ({
              reason: causeReason(error),
              message: errorBody(error),
              field: error.field,
            })),
          }),
    },
  })
}

/** What ends a request on which kube-apiserver works until its time is over; here at once. */
export function timedOut(): StatusError {
  const text = 'request did not complete within requested timeout - context deadline exceeded'
  return new StatusError(504, 'Timeout', `Timeout: ${text}`, { details: {} })
}
