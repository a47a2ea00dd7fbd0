import { nonNegative, oneOf } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, goQuote, invalid, omittedValue, required, tooLong, tooMany } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, goContainer, numberAt, objectAt, objectsAt, textAt } from './json.ts'
import { failing } from './metadata.ts'
import { byteLength, qualifiedName } from './names.ts'

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const goList = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`

/** What becomes of a job when pods fail (`validatePodFailurePolicy`). */
export function failurePolicy(spec: Json, field: string): FieldError[] {
  const policy = objectAt(spec, 'podFailurePolicy')
  if (!policy) return []
  const at = `${field}.podFailurePolicy.rules`
  const rules = objectsAt(policy, 'rules')
  const errors = rules.length > 20 ? [tooMany(at, rules.length, 20)] : []
  const template = objectAt(objectAt(spec, 'template'), 'spec')
  const containers = ['containers', 'initContainers'].flatMap((list) => objectsAt(template, list))
  const names = new Set(containers.map((container) => textAt(container, 'name')))
  return [...errors, ...rules.flatMap((rule, i) => failureRule(rule, spec, names, `${at}[${i}]`))]
}

function failureRule(rule: Json, spec: Json, names: ReadonlySet<string>, at: string): FieldError[] {
  const action = textAt(rule, 'action')
  const errors: FieldError[] = []
  if (action === '') errors.push(required(`${at}.action`, `valid values: ${goList(actions)}`))
  else if (action === 'FailIndex' && absent(spec, 'backoffLimitPerIndex')) {
    errors.push(invalid(`${at}.action`, action, 'requires the backoffLimitPerIndex to be set'))
  } else errors.push(...oneOf(action, `${at}.action`, actions))
  const codes = objectAt(rule, 'onExitCodes')
  const conditions = objectsAt(rule, 'onPodConditions')
  if (codes) errors.push(...exitCodes(codes, names, `${at}.onExitCodes`))
  conditions.forEach((condition, i) => {
    const path = `${at}.onPodConditions[${i}]`
    errors.push(...failing(qualifiedName, textAt(condition, 'type'), `${path}.type`))
    errors.push(...oneOf(textAt(condition, 'status'), `${path}.status`, ['False', 'True', 'Unknown']))
  })
  const both = codes !== undefined && conditions.length > 0
  if (both || (!codes && conditions.length === 0)) {
    const text = both
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required'
    errors.push(invalid(at, omittedValue, text))
  }
  return errors
}

function exitCodes(codes: Json, names: ReadonlySet<string>, at: string): FieldError[] {
  const values = Array.isArray(codes['values']) ? codes['values'].map(Number) : []
  const operator = textAt(codes, 'operator')
  const container = codes['containerName']
  const errors =
    operator === ''
      ? [required(`${at}.operator`, `valid values: ${goList(['In', 'NotIn'])}`)]
      : oneOf(operator, `${at}.operator`, ['In', 'NotIn'])
  if (typeof container === 'string' && !names.has(container)) {
    const text = 'must be one of the container or initContainer names in the pod template'
    errors.push(invalid(`${at}.containerName`, container, text))
  }
  if (values.length === 0)
    errors.push(invalid(`${at}.values`, goContainer(codes, 'values'), 'at least one value is required'))
  if (values.length > 255) errors.push(tooMany(`${at}.values`, values.length, 255))
  values.forEach((value, i) => {
    if (operator === 'In' && value === 0) {
      errors.push(invalid(`${at}.values[${i}]`, value, 'must not be 0 for the In operator'))
    }
    if (values.indexOf(value) < i) errors.push(duplicate(`${at}.values[${i}]`, value))
  })
  if (values.some((value, i) => i > 0 && (values[i - 1] ?? value) > value)) {
    errors.push(invalid(`${at}.values`, values, 'must be ordered'))
  }
  return errors
}

/** When a job of indexed pods has done enough (`validateSuccessPolicy`). */
export function successPolicy(spec: Json, field: string): FieldError[] {
  const policy = objectAt(spec, 'successPolicy')
  if (!policy) return []
  const at = `${field}.successPolicy`
  if (spec['completionMode'] !== 'Indexed') {
    const shown = goView('internal/batch.SuccessPolicy', 'batch/v1.SuccessPolicy', policy)
    return [invalid(at, shown, 'requires indexed completion mode')]
  }
  const rules = objectsAt(policy, 'rules')
  const none = 'at least one rules must be specified when the successPolicy is specified'
  return [
    ...(rules.length === 0 ? [required(`${at}.rules`, none)] : []),
    ...(rules.length > 20 ? [tooMany(`${at}.rules`, rules.length, 20)] : []),
    ...rules.flatMap((rule, i) => successRule(rule, numberAt(spec, 'completions') ?? 0, `${at}.rules[${i}]`)),
  ]
}

function successRule(rule: Json, completions: number, at: string): FieldError[] {
  const count = numberAt(rule, 'succeededCount')
  const indexes = rule['succeededIndexes']
  const errors: FieldError[] = []
  if (count === undefined && typeof indexes !== 'string') {
    errors.push(required(at, 'at least one of succeededCount or succeededIndexes must be specified'))
  }
  let total = 0
  if (typeof indexes === 'string') {
    const counted = countIndexes(indexes, completions)
    if (byteLength(indexes) > 64 * 1024) errors.push(tooLong(`${at}.succeededIndexes`, 64 * 1024))
    if (typeof counted === 'number') total = counted
    else errors.push(invalid(`${at}.succeededIndexes`, indexes, `error parsing succeededIndexes: ${counted}`))
  }
  if (count === undefined) return errors
  const field = `${at}.succeededCount`
  errors.push(...nonNegative(count, field))
  const most = (limit: number, what: string): FieldError =>
    invalid(field, count, `must be less than or equal to ${limit} (the number of ${what})`)
  if (count > completions) errors.push(most(completions, 'specified completions'))
  if (typeof indexes === 'string' && count > total) {
    errors.push(most(total, 'indexes in the specified succeededIndexes field'))
  }
  return errors
}

/** How many indexes `1,3-5` names, or why it cannot be read. */
function countIndexes(text: string, completions: number): number | string {
  if (text === '') return 0
  let last = -1
  let total = 0
  for (const interval of text.split(',')) {
    const [from = '', to = from, ...more] = interval.split('-')
    if (more.length > 0)
      return `the fragment ${goQuote(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`
    for (const part of interval.split('-')) {
      if (!/^[+-]?\d+$/u.test(part)) return `cannot convert string to integer for index: ${goQuote(part)}`
      if (Number(part) >= completions) return `too large index: ${goQuote(part)}`
    }
    if (interval.includes('-') && Number(from) >= Number(to))
      return `non-increasing order, previous: ${Number(from)}, current: ${Number(to)}`
    if (Number(from) <= last) return `non-increasing order, previous: ${last}, current: ${Number(from)}`
    last = Number(to)
    total += last - Number(from) + 1
  }
  return total
}
