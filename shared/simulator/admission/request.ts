import type { StatusError } from '../errors.ts'
import { forbidden } from '../errors.ts'
import type { StrategyContext } from '../kinds/strategy.ts'
import type { KubeObject } from '../object.ts'

/** What admission sees of a request. */
export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'delete'
  readonly group: string
  readonly resource: string
  /** Empty for the object itself. */
  readonly subresource: string
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
  /** The object to be stored, which admission may change; undefined on delete. */
  readonly next: KubeObject | undefined
  readonly live: KubeObject | undefined
  readonly context: StrategyContext
}

/** One admission plugin; throws StatusError to refuse. */
export type Plugin = (request: AdmissionRequest) => void

/** A refusal: `problem` follows `pods "x" is forbidden: `. */
export function refuse(request: AdmissionRequest, problem: string): StatusError {
  return forbidden(
    { group: request.group, name: request.resource },
    request.next?.metadata.name ?? request.name,
    problem,
  )
}

/** Whether the request creates an object of a resource, itself and not a subresource. */
export function creates({ operation, group, resource, subresource }: AdmissionRequest, wanted: string): boolean {
  return operation === 'create' && subresource === '' && wanted === (group === '' ? resource : `${resource}.${group}`)
}
