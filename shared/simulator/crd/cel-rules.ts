import { invalid, omittedValue } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { isObject, sameJson } from '../object.ts'
import { celEnvironment, celText } from './cel-library.ts'
import { celValue } from './cel-values.ts'
import { correlatedItem } from './correlate.ts'
import type { Structural, ValidationRule } from './structural.ts'
import { childSchema } from './structural.ts'
import { nothingBefore } from './validate.ts'

type Program = (variables: Record<string, unknown>) => unknown

interface CompiledRule {
  readonly run: Program
  readonly message: Program | undefined
  readonly usesOldSelf: boolean
}

const compiled = new WeakMap<ValidationRule, CompiledRule | Error>()

/** Why a rule cannot be compiled; undefined where it can. */
export function ruleProblem(rule: ValidationRule): string | undefined {
  const result = compile(rule)
  return result instanceof Error ? result.message : undefined
}

function compile(rule: ValidationRule): CompiledRule | Error {
  const known = compiled.get(rule)
  if (known !== undefined) return known
  let result: CompiledRule | Error
  try {
    const message = rule.messageExpression === '' ? undefined : program(rule.messageExpression)
    result = { run: program(rule.rule), message, usesOldSelf: /\boldSelf\b/u.test(rule.rule) }
  } catch (error) {
    result = error instanceof Error ? error : new Error(String(error))
  }
  compiled.set(rule, result)
  return result
}

/** Compiles an expression with its regular expressions moved to RE2: patterns come from repositories. */
function program(text: string): Program {
  const env = celEnvironment()
  const parsed = env.parse(text)
  const expression = text.includes('matches') ? env.parse(celText(withRe2(parsed.ast) as typeof parsed.ast)) : parsed
  return (variables) => expression(variables)
}

function withRe2(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withRe2)
  if (!isObject(node) || typeof node['op'] !== 'string') return node
  const args = withRe2(node['args'])
  const isCall = node['op'] === 'call' || node['op'] === 'rcall'
  if (!isCall || !Array.isArray(args) || args[0] !== 'matches') return { op: node['op'], args }
  return { op: node['op'], args: ['matchesRe2', ...args.slice(1)] }
}

/**
 * What the rules of a schema (`x-kubernetes-validations`) say against a value; parts equal to `before` are not asked
 * again, rules that name `oldSelf` only where there is one.
 */
export function ruleErrors(
  value: unknown,
  schema: Structural,
  before: unknown = nothingBefore,
  path = '',
): FieldError[] {
  if (!schema.hasRules || (before !== nothingBefore && sameJson(value, before))) return []
  const errors = value === null ? [] : ownErrors(value, schema, before, path)
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return errors
    for (const [i, item] of value.entries()) {
      const old = before === nothingBefore ? nothingBefore : (correlatedItem(schema, item, before) ?? nothingBefore)
      errors.push(...ruleErrors(item, items, old, `${path}[${i}]`))
    }
  } else if (isObject(value)) {
    for (const [key, child] of Object.entries(value)) {
      const known = childSchema(schema, key)
      if (known === undefined) continue
      const old = isObject(before) && Object.hasOwn(before, key) ? before[key] : nothingBefore
      errors.push(...ruleErrors(child, known, old, path === '' ? key : `${path}.${key}`))
    }
  }
  return errors
}

function ownErrors(value: unknown, schema: Structural, before: unknown, path: string): FieldError[] {
  if (schema.rules.length === 0) return []
  const isRoot = path === ''
  const self = celValue(value, schema, isRoot)
  const oldSelf = before === nothingBefore ? undefined : celValue(before, schema, isRoot)
  return schema.rules.flatMap((rule) => {
    const program = compile(rule)
    if (program instanceof Error) return [ruleError(rule, value, path, `rule compile error: ${program.message}`)]
    if (program.usesOldSelf && oldSelf === undefined) return []
    return evaluate(rule, program, { self, ...(oldSelf === undefined ? {} : { oldSelf }) }, value, path)
  })
}

function evaluate(
  rule: ValidationRule,
  program: CompiledRule,
  variables: Record<string, unknown>,
  value: unknown,
  path: string,
): FieldError[] {
  try {
    if (program.run(variables) === true) return []
    return [ruleError(rule, value, path, messageOf(rule, program, variables))]
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    const text = reason.charAt(0).toLowerCase() + reason.slice(1)
    return [ruleError(rule, value, path, `${text} evaluating rule: ${rule.message || rule.rule}`)]
  }
}

function messageOf(rule: ValidationRule, program: CompiledRule, variables: Record<string, unknown>): string {
  if (program.message !== undefined) {
    try {
      const text = program.message(variables)
      if (typeof text === 'string' && text.trim() !== '' && !text.includes('\n')) return text.trim()
    } catch {
      // The fixed message serves where the expression fails.
    }
  }
  return rule.message === '' ? `failed rule: ${rule.rule}` : rule.message
}

function ruleError(rule: ValidationRule, value: unknown, path: string, detail: string): FieldError {
  const own =
    rule.fieldPath === '' ? path : `${path}${path === '' ? rule.fieldPath.replace(/^\./u, '') : rule.fieldPath}`
  const field = own === '' ? '<nil>' : own
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return { type: 'Forbidden', field, detail }
    case 'FieldValueRequired':
      return { type: 'Required', field, detail }
    case 'FieldValueDuplicate':
      return { type: 'Duplicate', field, value: shown(value), detail: '' }
    default:
      return invalid(field, shown(value), detail)
  }
}

/** Whole objects and lists are not repeated in the message. */
function shown(value: unknown): unknown {
  return typeof value === 'object' ? omittedValue : value
}
