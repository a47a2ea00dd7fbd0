import { labelSelector, oneOf, positive } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import { labelName, labelValue, qualifiedName, subdomainName } from './names.ts'

/** Where a pod may run: affinity, spread constraints, node selectors, tolerations. */
export function validateAffinity(affinity: Json | undefined, field: string): FieldError[] {
  if (!affinity) return []
  const node = objectAt(affinity, 'nodeAffinity')
  return [
    ...(node ? nodeAffinity(node, `${field}.nodeAffinity`) : []),
    ...['podAffinity', 'podAntiAffinity'].flatMap((key) => podAffinity(objectAt(affinity, key), `${field}.${key}`)),
  ]
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferredTerms = 'preferredDuringSchedulingIgnoredDuringExecution'

function nodeAffinity(affinity: Json, field: string): FieldError[] {
  const wanted = objectAt(affinity, requiredTerms)
  return [
    ...(wanted ? validateNodeSelector(wanted, `${field}.${requiredTerms}`) : []),
    ...objectsAt(affinity, preferredTerms).flatMap((term, i) => {
      const at = `${field}.${preferredTerms}[${i}]`
      return [...weight(term, at), ...nodeTerm(objectAt(term, 'preference') ?? {}, `${at}.preference`, true)]
    }),
  ]
}

function weight(term: Json, at: string): FieldError[] {
  const value = numberAt(term, 'weight') ?? 0
  return value > 0 && value <= 100 ? [] : [invalid(`${at}.weight`, value, 'must be in the range 1-100')]
}

/** A `NodeSelector`, as of node affinity and of persistent volumes. */
export function validateNodeSelector(selector: Json, field: string): FieldError[] {
  const terms = objectsAt(selector, 'nodeSelectorTerms')
  if (terms.length === 0) return [required(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')]
  return terms.flatMap((term, i) => nodeTerm(term, `${field}.nodeSelectorTerms[${i}]`, false))
}

function nodeTerm(term: Json, field: string, lenient: boolean): FieldError[] {
  return [
    ...objectsAt(term, 'matchExpressions').flatMap((e, i) =>
      nodeRequirement(e, `${field}.matchExpressions[${i}]`, lenient),
    ),
    ...objectsAt(term, 'matchFields').flatMap((e, i) => nodeField(e, `${field}.matchFields[${i}]`)),
  ]
}

function nodeRequirement(expression: Json, field: string, lenient: boolean): FieldError[] {
  const values = textsAt(expression, 'values')
  return [
    ...nodeOperator(textAt(expression, 'operator'), values, field),
    ...failing(qualifiedName, textAt(expression, 'key'), `${field}.key`),
    ...(lenient ? [] : values.flatMap((value, i) => failing(labelValue, value, `${field}.values[${i}]`))),
  ]
}

function nodeOperator(operator: string, values: readonly string[], field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return []
      return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return []
      return [forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return []
      return [required(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [invalid(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}

function nodeField(expression: Json, field: string): FieldError[] {
  const operator = textAt(expression, 'operator')
  const values = textsAt(expression, 'values')
  const key = textAt(expression, 'key')
  const errors: FieldError[] = []
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${field}.operator`, operator, 'not a valid selector operator'))
  } else if (values.length !== 1) {
    const text = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    errors.push(required(`${field}.values`, text))
  }
  if (key !== 'metadata.name') return [...errors, invalid(`${field}.key`, key, 'not a valid field selector key')]
  const bad = values.flatMap((value, i) =>
    subdomainName(value, false).map((text) => invalid(`${field}.values[${i}]`, value, text)),
  )
  return [...errors, ...bad]
}

function podAffinity(affinity: Json | undefined, field: string): FieldError[] {
  if (!affinity) return []
  return [
    ...objectsAt(affinity, requiredTerms).flatMap((term, i) => podTerm(term, `${field}.${requiredTerms}[${i}]`)),
    ...objectsAt(affinity, preferredTerms).flatMap((term, i) => {
      const at = `${field}.${preferredTerms}[${i}]`
      return [...weight(term, at), ...podTerm(objectAt(term, 'podAffinityTerm') ?? {}, `${at}.podAffinityTerm`)]
    }),
  ]
}

function podTerm(term: Json, field: string): FieldError[] {
  const key = textAt(term, 'topologyKey')
  const match = textsAt(term, 'matchLabelKeys')
  const mismatch = textsAt(term, 'mismatchLabelKeys')
  return [
    ...labelSelector(objectAt(term, 'labelSelector'), `${field}.labelSelector`),
    ...labelSelector(objectAt(term, 'namespaceSelector'), `${field}.namespaceSelector`),
    ...textsAt(term, 'namespaces').flatMap((name) =>
      labelName(name, false).map((text) => invalid(`${field}.namespace`, name, text)),
    ),
    ...labelKeys(match, mismatch, objectAt(term, 'labelSelector'), field),
    ...(key === '' ? [required(`${field}.topologyKey`, 'can not be empty')] : []),
    ...failing(qualifiedName, key, `${field}.topologyKey`),
  ]
}

function labelKeys(
  match: readonly string[],
  mismatch: readonly string[],
  selector: Json | undefined,
  field: string,
): FieldError[] {
  const one = (keys: readonly string[], path: string): FieldError[] => {
    if (keys.length === 0) return []
    if (!selector) return [forbidden(path, 'must not be specified when labelSelector is not set')]
    return keys.flatMap((key, i) => failing(qualifiedName, key, `${path}[${i}]`))
  }
  return [
    ...one(match, `${field}.matchLabelKeys`),
    ...one(mismatch, `${field}.mismatchLabelKeys`),
    ...match.flatMap((key, i) =>
      mismatch.includes(key)
        ? [invalid(`${field}.matchLabelKeys[${i}]`, key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
        : [],
    ),
  ]
}

export function validateSpread(constraints: readonly Json[], field: string): FieldError[] {
  return constraints.flatMap((constraint, i) => {
    const at = `${field}[${i}]`
    const key = textAt(constraint, 'topologyKey')
    const action = textAt(constraint, 'whenUnsatisfiable')
    const again = constraints
      .slice(i + 1)
      .some((later) => textAt(later, 'topologyKey') === key && textAt(later, 'whenUnsatisfiable') === action)
    return [
      ...positive(numberAt(constraint, 'maxSkew') ?? 0, `${at}.maxSkew`),
      ...(key === '' ? [required(`${at}.topologyKey`, 'can not be empty')] : []),
      ...oneOf(action, `${at}.whenUnsatisfiable`, ['DoNotSchedule', 'ScheduleAnyway']),
      ...(again ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${key}, ${action}}`)] : []),
      ...minDomains(numberAt(constraint, 'minDomains'), action, `${at}.minDomains`),
      ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((policy) => {
        const value = constraint[policy]
        return typeof value === 'string' ? oneOf(value, `${at}.${policy}`, ['Honor', 'Ignore']) : []
      }),
      ...labelKeys(textsAt(constraint, 'matchLabelKeys'), [], objectAt(constraint, 'labelSelector'), at),
      ...labelSelector(objectAt(constraint, 'labelSelector'), `${at}.labelSelector`),
    ]
  })
}

function minDomains(value: number | undefined, action: string, field: string): FieldError[] {
  if (value === undefined) return []
  const errors = positive(value, field)
  if (action === 'DoNotSchedule') return errors
  const text = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`
  return [...errors, invalid(field, value, text)]
}

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export function validateTolerations(tolerations: readonly Json[], field: string): FieldError[] {
  return tolerations.flatMap((toleration, i) => {
    const at = `${field}[${i}]`
    const key = textAt(toleration, 'key')
    const operator = textAt(toleration, 'operator')
    const effect = textAt(toleration, 'effect')
    const errors = key === '' ? [] : failing(qualifiedName, key, `${at}.key`)
    if (key === '' && operator !== 'Exists') {
      const text = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
      errors.push(invalid(`${at}.operator`, operator, text))
    }
    if (numberAt(toleration, 'tolerationSeconds') !== undefined && effect !== 'NoExecute') {
      errors.push(invalid(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"))
    }
    errors.push(...tolerationValue(operator, textAt(toleration, 'value'), at))
    return effect === '' ? errors : [...errors, ...oneOf(effect, `${at}.effect`, taintEffects)]
  })
}

function tolerationValue(operator: string, value: string, at: string): FieldError[] {
  if (operator === 'Equal' || operator === '') {
    const messages = labelValue(value)
    return messages.length === 0 ? [] : [invalid(`${at}.operator`, value, messages.join(';'))]
  }
  if (operator === 'Exists') {
    if (value === '') return []
    return [invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'")]
  }
  const comparison = operator === 'Lt' || operator === 'Gt'
  return oneOf('', `${at}.operator`, ['Equal', 'Exists', ...(comparison ? ['Lt', 'Gt'] : [])]).map((error) => ({
    ...error,
    value: operator,
  }))
}
