import { StatusError, badRequest, invalid } from '../errors.ts'
import { invalid as invalidField, notSupported } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'
import { parseBody } from './body.ts'
import { integerOption } from './options.ts'
import type { ResourceRequest } from './server-context.ts'

export type Propagation = 'Orphan' | 'Background' | 'Foreground'

const propagations: readonly unknown[] = ['Foreground', 'Background', 'Orphan']

export interface DeleteOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly propagation: Propagation | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

/** DeleteOptions of the body, or of the query where there is no body. */
export function deleteOptions(rr: ResourceRequest): DeleteOptions {
  const { request, query } = rr
  const empty =
    request.body === undefined ||
    (request.body instanceof Uint8Array && request.body.length === 0) ||
    request.body === ''
  const given = empty ? queryOptions(query) : optionsBody(rr)
  const errors: FieldError[] = []
  const propagation = given['propagationPolicy'] ?? undefined
  const orphan = given['orphanDependents'] ?? undefined
  if (propagation !== undefined && orphan !== undefined) {
    errors.push(
      invalidField('propagationPolicy', propagation, 'orphanDependents and deletionPropagation cannot be both set'),
    )
  }
  if (propagation !== undefined && !propagations.includes(propagation)) {
    errors.push(notSupported('propagationPolicy', propagation, ['Foreground', 'Background', 'Orphan', 'nil']))
  }
  const dryRun = Array.isArray(given['dryRun']) ? given['dryRun'] : query.getAll('dryRun')
  if (dryRun.some((value) => value !== 'All')) errors.push(notSupported('dryRun', dryRun, ['All']))
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', name: 'DeleteOptions' }, '', errors)
  const grace = given['gracePeriodSeconds']
  const preconditions = isObject(given['preconditions']) ? given['preconditions'] : {}
  return {
    dryRun: dryRun.length > 0,
    gracePeriodSeconds: typeof grace === 'number' ? (grace < 0 ? 1 : grace) : undefined,
    propagation: propagation === undefined ? orphanPolicy(orphan) : (propagation as Propagation),
    uid: typeof preconditions['uid'] === 'string' ? preconditions['uid'] : undefined,
    resourceVersion:
      typeof preconditions['resourceVersion'] === 'string' ? preconditions['resourceVersion'] : undefined,
  }
}

/** The body's data; what is wrong with it is told without the words that name the object of other requests. */
function bodyValue(rr: ResourceRequest): unknown {
  try {
    return parseBody(rr, 'DeleteOptions').value
  } catch (error) {
    const inner = StatusError.is(error)
      ? /^the object provided is unrecognized \(must be of type DeleteOptions\): (.*) \(.*\)$/su.exec(
          error.message,
        )?.[1]
      : undefined
    throw inner === undefined ? error : badRequest(inner)
  }
}

function optionsBody(rr: ResourceRequest): JsonObject {
  const value = bodyValue(rr)
  const given = isObject(value) ? value : {}
  const { kind, apiVersion } = given
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion ?? 'v1')} in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  return given
}

function orphanPolicy(orphan: unknown): Propagation | undefined {
  if (typeof orphan !== 'boolean') return undefined
  return orphan ? 'Orphan' : 'Background'
}

function queryOptions(query: URLSearchParams): JsonObject {
  const grace = integerOption(query, 'gracePeriodSeconds')
  const propagation = query.get('propagationPolicy')
  const orphan = query.get('orphanDependents')
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: grace }),
    ...(propagation === null ? {} : { propagationPolicy: propagation }),
    ...(orphan === null ? {} : { orphanDependents: orphan === 'true' || orphan === '1' }),
  }
}
