import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, goContainer, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing, validateLabels } from './metadata.ts'
import { dnsLabel, inRange, labelValue, percent, portName, portNumber, qualifiedName } from './names.ts'

/** Small checks that many kinds share, named after what they check. */

export function requireText(o: Json, key: string, field: string): FieldError[] {
  return textAt(o, key) === '' ? [required(`${field}.${key}`)] : []
}

export function nonNegative(value: number | undefined, field: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : []
}

export function positive(value: number, field: string): FieldError[] {
  return value > 0 ? [] : [invalid(field, value, 'must be greater than zero')]
}

/** A field of an enumeration that may be empty only where `requiredDetail` is undefined. */
export function oneOf(value: string, field: string, valid: readonly string[]): FieldError[] {
  return valid.includes(value) ? [] : [notSupported(field, value, valid)]
}

export function requiredOneOf(value: string, field: string, valid: readonly string[]): FieldError[] {
  return value === '' ? [required(field)] : oneOf(value, field, valid)
}

export function portNumberOrName(value: unknown, field: string): FieldError[] {
  if (typeof value === 'string') return failing(portName, value, field)
  const port = typeof value === 'number' ? value : 0
  return portNumber(port).map((text) => invalid(field, port, text))
}

export function numberInRange(value: number, low: number, high: number, field: string): FieldError[] {
  return inRange(value, low, high).map((text) => invalid(field, value, text))
}

/** A number or a percentage that is not negative (`ValidatePositiveIntOrPercent` of apps). */
export function intOrPercent(value: unknown, field: string): FieldError[] {
  if (typeof value === 'string') return failing(percent, value, field)
  return nonNegative(typeof value === 'number' ? value : 0, field)
}

export function notMoreThanAll(value: unknown, field: string): FieldError[] {
  const match = typeof value === 'string' ? /^(\d+)%$/u.exec(value) : null
  if (!match || Number(match[1]) <= 100) return []
  return [invalid(field, value, 'must not be greater than 100%')]
}

/** The number in an int-or-percent: of a percentage without its sign. */
export function intOrPercentNumber(value: unknown): number {
  if (typeof value === 'number') return value
  const match = typeof value === 'string' ? /^(\d+)%$/u.exec(value) : null
  return match ? Number(match[1]) : 0
}

const setOperators = ['In', 'NotIn']
const existOperators = ['Exists', 'DoesNotExist']

/** A `metav1.LabelSelector`; nothing where it is absent. `lenient` takes label values that would not be valid. */
export function labelSelector(selector: Json | undefined, field: string, lenient = false): FieldError[] {
  if (!selector) return []
  const expressions = objectsAt(selector, 'matchExpressions')
  return [
    ...validateLabels(selector['matchLabels'], `${field}.matchLabels`),
    ...expressions.flatMap((expression, i) => requirement(expression, `${field}.matchExpressions[${i}]`, lenient)),
  ]
}

function requirement(expression: Json, field: string, lenient: boolean): FieldError[] {
  const operator = textAt(expression, 'operator')
  const values = textsAt(expression, 'values')
  return [
    ...operatorAndValues(operator, values, field),
    ...failing(qualifiedName, textAt(expression, 'key'), `${field}.key`),
    ...(lenient ? [] : values.flatMap((value, i) => failing(labelValue, value, `${field}.values[${i}]`))),
  ]
}

/** What a selector's operator asks of its values. */
export function operatorAndValues(operator: string, values: readonly string[], field: string): FieldError[] {
  if (setOperators.includes(operator)) {
    if (values.length > 0) return []
    return [required(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
  }
  if (existOperators.includes(operator)) {
    if (values.length === 0) return []
    return [forbidden(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
  }
  return [invalid(`${field}.operator`, operator, 'not a valid selector operator')]
}

/** Whether the selector selects everything, as an empty one does. */
export function selectsAll(selector: Json | undefined): boolean {
  if (!selector) return false
  return absent(selector, 'matchExpressions') && Object.keys(objectAt(selector, 'matchLabels') ?? {}).length === 0
}

/** Whether a selector can be made to match at all: its keys, operators and values are valid. */
export function selectorParses(selector: Json | undefined): boolean {
  return labelSelector(selector, '').length === 0
}

/** Whether a selector matches labels; an absent one matches nothing. */
export function selectorMatches(selector: Json | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (!selector) return false
  const wanted = objectAt(selector, 'matchLabels') ?? {}
  if (!Object.entries(wanted).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value)) return false
  return objectsAt(selector, 'matchExpressions').every((expression) => expressionMatches(expression, labels))
}

function expressionMatches(expression: Json, labels: Readonly<Record<string, string>>): boolean {
  const key = textAt(expression, 'key')
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  const values = textsAt(expression, 'values')
  switch (textAt(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    default:
      return false
  }
}

export function dnsLabelField(value: string, field: string): FieldError[] {
  return failing(dnsLabel, value, field)
}

/** Mode bits of a file. */
export function fileMode(mode: number | undefined, field: string): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return []
  return [invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')]
}

export function noBacksteps(path: string, field: string): FieldError[] {
  return path.split('/').includes('..') ? [invalid(field, path, "must not contain '..'")] : []
}

export function relativePath(path: string, field: string): FieldError[] {
  const absolute = path.startsWith('/') ? [invalid(field, path, 'must be a relative path')] : []
  return [...absolute, ...noBacksteps(path, field)]
}

/** A path below a volume that does not start with the dots the kubelet uses itself. */
export function relativeUnreservedPath(path: string, field: string): FieldError[] {
  const reserved = path.startsWith('..') && !path.startsWith('../')
  return [...relativePath(path, field), ...(reserved ? [invalid(field, path, "must not start with '..'")] : [])]
}

export function userId(value: number | undefined, field: string): FieldError[] {
  return value === undefined ? [] : numberInRange(value, 0, 2 ** 31 - 1, field)
}

export function optionalNumber(o: Json, key: string, field: string): FieldError[] {
  return nonNegative(numberAt(o, key), `${field}.${key}`)
}

/** A template's labels as messages print them. */
export function shownLabels(template: Json): unknown {
  return goContainer(objectAt(template, 'metadata'), 'labels')
}
