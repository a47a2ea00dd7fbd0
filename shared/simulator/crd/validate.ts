import { invalid, notSupported, required, tooLong, tooMany } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { isObject, sameJson } from '../object.ts'
import type { JsonObject } from '../object.ts'
import { correlatedItem } from './correlate.ts'
import { hasFormat } from './formats.ts'
import type { Structural, ValueLimits } from './structural.ts'

/** Stands for the object before; parts that did not change are not checked again (validation ratcheting). */
export const nothingBefore: unique symbol = Symbol('nothing before')

/**
 * What is wrong with a value by its schema, in the words of kube-openapi's validator as apiextensions passes them on
 * (`pkg/apiserver/validation/validation.go`). Keys of an object are visited in order; kube-apiserver's order is random.
 */
export function validateValue(
  value: unknown,
  schema: Structural,
  path = '',
  before: unknown = nothingBefore,
): FieldError[] {
  if (before !== nothingBefore && sameJson(value, before)) return []
  const errors = typeErrors(value, schema, path)
  if (value === null) return [...errors, ...enumErrors(value, schema.limits, path)]
  errors.push(...junctorErrors(value, schema.limits, path))
  if (typeof value === 'string') errors.push(...stringErrors(value, schema.limits, path))
  if (typeof value === 'number') errors.push(...numberErrors(value, schema, path))
  if (Array.isArray(value)) errors.push(...listErrors(value, schema, path, before))
  errors.push(...enumErrors(value, schema.limits, path))
  if (isObject(value)) errors.push(...objectErrors(value, schema, path, before))
  return errors
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function typeErrors(value: unknown, schema: Structural, path: string): FieldError[] {
  const { type, intOrString, nullable } = schema
  if (type === '' && !intOrString) return []
  if (value === null) return nullable ? [] : [typeError(path, intOrString ? 'integer,string' : type, 'null')]
  const actual = typeName(value)
  if (intOrString) {
    return actual === 'integer' || actual === 'string' ? [] : [typeError(path, 'integer,string', actual)]
  }
  if (actual === type || (type === 'number' && actual === 'integer')) return []
  // A number of another format is told by its format, not its type.
  const { format } = schema.limits
  if (actual === 'number' && format !== '') return [typeError(path, format, 'float64')]
  return [typeError(path, type, actual)]
}

function typeError(path: string, wanted: string, actual: string): FieldError {
  const detail = `${path} in body must be of type ${wanted}: ${JSON.stringify(actual)}`
  return { type: 'TypeInvalid', field: fieldOf(path), value: actual, detail }
}

/** Errors that name no field. */
function rootError(message: string): FieldError {
  return invalid('<nil>', '', message)
}

function fieldOf(path: string): string {
  return path === '' ? '<nil>' : path
}

function enumErrors(value: unknown, { enum: allowed }: ValueLimits, path: string): FieldError[] {
  if (allowed === undefined || allowed.some((candidate) => sameJson(candidate, value))) return []
  const shown = allowed.map((candidate) => (typeof candidate === 'string' ? candidate : JSON.stringify(candidate)))
  return [notSupported(fieldOf(path), value, shown)]
}

function stringErrors(value: string, limits: ValueLimits, path: string): FieldError[] {
  const first = firstStringError(value, limits, path)
  const errors = first === undefined ? [] : [first]
  if (limits.format !== '' && !hasFormat(value, limits.format)) {
    const detail = `${path} in body must be of type ${limits.format}: ${JSON.stringify(value)}`
    errors.push({ type: 'TypeInvalid', field: fieldOf(path), value, detail })
  }
  return errors
}

/** Length and pattern are checked until one of them fails. */
function firstStringError(value: string, limits: ValueLimits, path: string): FieldError | undefined {
  const { maxLength, minLength, pattern } = limits
  const length = maxLength === undefined && minLength === undefined ? 0 : Array.from(value).length
  if (maxLength !== undefined && length > maxLength) return tooLong(fieldOf(path), maxLength)
  if (minLength !== undefined && length < minLength) {
    return invalid(fieldOf(path), value, `${path} in body should be at least ${minLength} chars long`)
  }
  if (pattern === undefined || (pattern.compiled?.matcher(value).find() ?? true)) return undefined
  return invalid(fieldOf(path), value, `${path} in body should match '${pattern.text}'`)
}

function numberErrors(value: number, { type, limits }: Structural, path: string): FieldError[] {
  const field = fieldOf(path)
  const errors: FieldError[] = []
  const { multipleOf, maximum, minimum } = limits
  if (type === 'integer' && !fitsInteger(value, limits.format)) {
    const format = limits.format === '' ? '(default format)' : `with format ${limits.format}`
    return [rootError(`Checked value must be of type integer ${format} in ${path}`)]
  }
  if (multipleOf !== undefined) errors.push(...multipleErrors(value, multipleOf, path))
  if (maximum !== undefined && (limits.exclusiveMaximum ? value >= maximum : value > maximum)) {
    errors.push(
      invalid(
        field,
        value,
        `${path} in body should be less than ${limits.exclusiveMaximum ? '' : 'or equal to '}${maximum}`,
      ),
    )
  }
  if (minimum !== undefined && (limits.exclusiveMinimum ? value <= minimum : value < minimum)) {
    errors.push(
      invalid(
        field,
        value,
        `${path} in body should be greater than ${limits.exclusiveMinimum ? '' : 'or equal to '}${minimum}`,
      ),
    )
  }
  return errors
}

function fitsInteger(value: number, format: string): boolean {
  if (!Number.isInteger(value)) return false
  return format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31)
}

/** Whole values are divided as whole numbers, so a factor below one becomes zero there. */
function multipleErrors(value: number, factor: number, path: string): FieldError[] {
  const used = Number.isInteger(value) ? Math.trunc(factor) : factor
  if (used <= 0) {
    return [invalid(fieldOf(path), used, `factor MultipleOf declared for ${path} must be positive: ${used}`)]
  }
  const quotient = value / used
  if (Math.abs(quotient - Math.round(quotient)) < 1e-9) return []
  return [invalid(fieldOf(path), value, `${path} in body should be a multiple of ${factor}`)]
}

function listErrors(value: readonly unknown[], schema: Structural, path: string, before: unknown): FieldError[] {
  const { limits, items } = schema
  const errors: FieldError[] = []
  if (items !== undefined) {
    for (const [i, item] of value.entries()) {
      const old = before === nothingBefore ? nothingBefore : correlatedItem(schema, item, before)
      errors.push(...validateValue(item, items, `${path}[${i}]`, old ?? nothingBefore))
    }
  }
  if (limits.minItems !== undefined && value.length < limits.minItems) {
    errors.push(invalid(fieldOf(path), value.length, `${path} in body should have at least ${limits.minItems} items`))
  }
  if (limits.maxItems !== undefined && value.length > limits.maxItems) {
    errors.push(tooMany(fieldOf(path), value.length, limits.maxItems))
  }
  return errors
}

function objectErrors(value: JsonObject, schema: Structural, path: string, before: unknown): FieldError[] {
  const { limits, properties, additional } = schema
  const errors: FieldError[] = []
  const size = Object.keys(value).length
  if (limits.minProperties !== undefined && size < limits.minProperties) {
    errors.push(invalid(fieldOf(path), size, `${path} in body should have at least ${limits.minProperties} properties`))
  }
  if (limits.maxProperties !== undefined && size > limits.maxProperties) {
    errors.push(tooMany(fieldOf(path), size, limits.maxProperties))
  }
  const prefix = path === '' ? '' : `${path}.`
  for (const name of limits.required) if (!Object.hasOwn(value, name)) errors.push(required(`${prefix}${name}`))
  for (const [key, child] of Object.entries(value)) {
    const known = properties.get(key) ?? (typeof additional === 'object' ? additional : undefined)
    if (known === undefined) continue
    const old = isObject(before) && Object.hasOwn(before, key) ? before[key] : nothingBefore
    errors.push(...validateValue(child, known, `${prefix}${key}`, old))
  }
  return errors
}

function junctorErrors(value: unknown, { anyOf, oneOf, allOf, not }: ValueLimits, path: string): FieldError[] {
  const errors: FieldError[] = []
  const named = JSON.stringify(path)
  if (anyOf.length > 0) {
    const results = anyOf.map((option) => validateValue(value, option, path))
    if (results.every((result) => result.length > 0)) {
      errors.push(rootError(`${named} must validate at least one schema (anyOf)`), ...(results[0] ?? []))
    }
  }
  if (oneOf.length > 0) {
    const results = oneOf.map((option) => validateValue(value, option, path))
    const valid = results.filter((result) => result.length === 0).length
    if (valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
      errors.push(rootError(`${named} must validate one and only one schema (oneOf). ${found}`))
      if (valid === 0) errors.push(...(results[0] ?? []))
    }
  }
  if (allOf.length > 0) {
    const results = allOf.map((option) => validateValue(value, option, path))
    const valid = results.filter((result) => result.length === 0).length
    errors.push(...results.flat())
    if (valid !== allOf.length) {
      errors.push(rootError(`${named} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`))
    }
  }
  if (not !== undefined && validateValue(value, not, path).length === 0) {
    errors.push(rootError(`${named} must not validate the schema (not)`))
  }
  return errors
}
