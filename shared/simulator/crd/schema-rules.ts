import { RE2JS, RE2JSException } from 're2js'
import { forbidden, invalid, notSupported, required } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'
import { ruleProblem } from './cel-rules.ts'
import { structuralOf } from './structural.ts'
import { validateValue } from './validate.ts'

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string']

/** Why a schema is not structural, or not usable (apiextensions `apiserver/schema/validation.go` and its kin). */
export function schemaErrors(schema: JsonObject, field: string): FieldError[] {
  return [...typeErrors(schema, field, 'must not be empty at the root'), ...nodeErrors(schema, field)]
}

function typeErrors(schema: JsonObject, field: string, whenMissing: string): FieldError[] {
  const { type } = schema
  const open = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true
  if (typeof type !== 'string' || type === '') return open ? [] : [required(`${field}.type`, whenMissing)]
  return types.includes(type) ? [] : [notSupported(`${field}.type`, type, types)]
}

function nodeErrors(schema: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  const { properties, additionalProperties, items, type } = schema
  if (isObject(properties)) {
    if (additionalProperties !== undefined && additionalProperties !== false) {
      errors.push(
        forbidden(`${field}.additionalProperties`, 'additionalProperties and properties are mutual exclusive'),
      )
    }
    for (const [name, child] of Object.entries(properties)) {
      if (isObject(child))
        errors.push(
          ...childErrors(child, `${field}.properties[${name}]`, 'must not be empty for specified object fields'),
        )
    }
  }
  if (isObject(additionalProperties)) {
    errors.push(
      ...childErrors(
        additionalProperties,
        `${field}.additionalProperties`,
        'must not be empty for specified object fields',
      ),
    )
  }
  if (isObject(items))
    errors.push(...childErrors(items, `${field}.items`, 'must not be empty for specified array items'))
  else if (type === 'array') errors.push(required(`${field}.items`, 'must be specified'))
  return [...errors, ...keywordErrors(schema, field), ...listErrors(schema, field), ...ruleErrors(schema, field)]
}

function childErrors(schema: JsonObject, field: string, whenMissing: string): FieldError[] {
  return [...typeErrors(schema, field, whenMissing), ...nodeErrors(schema, field)]
}

function keywordErrors(schema: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  const problem = typeof schema['pattern'] === 'string' ? patternProblem(schema['pattern']) : undefined
  if (problem !== undefined) {
    errors.push(
      invalid(`${field}.pattern`, schema['pattern'], `must be a valid regular expression, but isn't: ${problem}`),
    )
  }
  if (schema['default'] !== undefined) {
    const { default: value, ...rest } = schema
    errors.push(...validateValue(value, structuralOf(rest)).map((error) => ({ ...error, field: `${field}.default` })))
  }
  if (schema['uniqueItems'] === true) {
    errors.push(
      forbidden(
        `${field}.uniqueItems`,
        'uniqueItems cannot be set to true since the runtime complexity becomes quadratic',
      ),
    )
  }
  return errors
}

function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch (error) {
    return error instanceof RE2JSException ? error.message : 'error parsing regexp'
  }
}

function listErrors(schema: JsonObject, field: string): FieldError[] {
  if (schema['x-kubernetes-list-type'] !== 'map') return []
  const at = `${field}.x-kubernetes-list-map-keys`
  const keys = schema['x-kubernetes-list-map-keys']
  if (!Array.isArray(keys) || keys.length === 0)
    return [required(at, 'must not be empty if x-kubernetes-list-type is map')]
  const items = isObject(schema['items']) ? schema['items'] : {}
  const properties = isObject(items['properties']) ? items['properties'] : {}
  const needed = Array.isArray(items['required']) ? items['required'] : []
  return keys.flatMap((key: unknown, i) => {
    const property = typeof key === 'string' ? properties[key] : undefined
    if (!isObject(property)) return [invalid(`${at}[${i}]`, key, 'entries must all be names of item properties')]
    if (property['default'] !== undefined || needed.includes(key)) return []
    const detail = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
    return [required(`${field}.items.properties[${String(key)}].default`, detail)]
  })
}

function ruleErrors(schema: JsonObject, field: string): FieldError[] {
  return structuralOf({ 'x-kubernetes-validations': schema['x-kubernetes-validations'] }).rules.flatMap((rule, i) => {
    const at = `${field}.x-kubernetes-validations[${i}]`
    if (rule.rule.trim() === '') return [required(`${at}.rule`, 'rule is not specified')]
    const problem = ruleProblem(rule)
    return problem === undefined ? [] : [invalid(`${at}.rule`, rule.rule, `compilation failed: ${problem}`)]
  })
}
