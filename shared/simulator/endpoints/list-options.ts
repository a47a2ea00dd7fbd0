import { badRequest, invalid } from '../errors.ts'
import { forbidden, notSupported } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { fieldMatcher, onlyName, parseFieldSelector } from './field-selector.ts'
import type { ObjectMatcher } from './field-selector.ts'
import { parseLabelSelector } from './label-selector.ts'
import { integerOption } from './options.ts'
import type { ResourceRequest } from './server-context.ts'

/** What the selectors of a request let through. */
export interface Selection {
  /** Undefined where they let everything through. */
  readonly matches: ObjectMatcher | undefined
  /** The one name that can match, where they say so: lists of it need no scan. */
  readonly name: string | undefined
}

/**
 * Reads the options of a list, watch or deletecollection in the order of apiserver `endpoints/handlers/get.go`: numbers, the
 * selectors' syntax, what goes together, the fields that the kind can be selected by.
 *
 * @throws StatusError 400 or 422
 */
export function readSelection(rr: ResourceRequest, isWatch = false): Selection {
  const { query, type, target } = rr
  integerOption(query, 'timeoutSeconds')
  integerOption(query, 'limit')
  const labels = parseLabelSelector(query.get('labelSelector') ?? '')
  const terms = parseFieldSelector(query.get('fieldSelector') ?? '')
  const errors = isWatch ? watchErrors(query) : listErrors(query)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', name: 'ListOptions' }, '', errors)
  const fields = fieldMatcher(terms, type)
  const named = onlyName(terms)
  if (target.name !== '' && terms.length > 0 && named !== target.name) {
    throw badRequest("fieldSelector metadata.name doesn't match requested name")
  }
  const name = target.name === '' ? named : target.name
  if (labels === undefined && fields === undefined && name === undefined) return { matches: undefined, name }
  return {
    matches: (object) =>
      (target.name === '' || object.metadata.name === target.name) &&
      (labels?.(object.metadata.labels) ?? true) &&
      (fields?.(object) ?? true),
    name,
  }
}

/** apimachinery `meta/internalversion/validation`. */
function listErrors(query: URLSearchParams): readonly FieldError[] {
  const errors: FieldError[] = []
  const match = query.get('resourceVersionMatch') ?? ''
  const version = query.get('resourceVersion') ?? ''
  const refuse = (detail: string): number => errors.push(forbidden('resourceVersionMatch', detail))
  if (match !== '') {
    if (version === '') refuse('resourceVersionMatch is forbidden unless resourceVersion is provided')
    if (isContinued(query)) refuse('resourceVersionMatch is forbidden when continue is provided')
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && version === '0')
      refuse('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
  if (query.has('sendInitialEvents'))
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
  return errors
}

function watchErrors(query: URLSearchParams): readonly FieldError[] {
  const errors: FieldError[] = []
  const match = query.get('resourceVersionMatch') ?? ''
  const initial = query.has('sendInitialEvents')
  const refuse = (detail: string): number => errors.push(forbidden('resourceVersionMatch', detail))
  if (initial && match !== 'NotOlderThan')
    refuse('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
  if (match !== '') {
    if (!initial) refuse('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
    if (match !== 'NotOlderThan') errors.push(notSupported('resourceVersionMatch', match, ['NotOlderThan']))
    if (isContinued(query)) refuse('resourceVersionMatch is forbidden when continue is provided')
  }
  return errors
}

function isContinued(query: URLSearchParams): boolean {
  return (query.get('continue') ?? '') !== ''
}
