import { oneOf, requiredOneOf } from './checks.ts'
import { celProblem } from './cel-compile.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, invalid, required, tooMany } from './field-error.ts'
import type { Json } from './json.ts'
import { textAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import { qualifiedName } from './names.ts'

/** Rules that webhooks and policies share (`pkg/apis/admissionregistration/validation`). */

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
export const failurePolicies = ['Fail', 'Ignore']
export const matchPolicies = ['Equivalent', 'Exact']

/** Which requests are asked about. */
export function operationRule(rule: Json, at: string): FieldError[] {
  const given = textsAt(rule, 'operations')
  const groups = textsAt(rule, 'apiGroups')
  const versions = textsAt(rule, 'apiVersions')
  const scope = rule['scope']
  const only = (list: readonly string[], key: string, what: string): FieldError[] =>
    list.length > 1 && list.includes('*')
      ? [invalid(`${at}.${key}`, list, `if '*' is present, must not specify other ${what}`)]
      : []
  return [
    ...(given.length === 0 ? [required(`${at}.operations`)] : []),
    ...only(given, 'operations', 'operations'),
    ...given.flatMap((operation, i) => oneOf(operation, `${at}.operations[${i}]`, operations)),
    ...(groups.length === 0 ? [required(`${at}.apiGroups`)] : []),
    ...only(groups, 'apiGroups', 'API groups'),
    ...(versions.length === 0 ? [required(`${at}.apiVersions`)] : []),
    ...only(versions, 'apiVersions', 'API versions'),
    ...versions.flatMap((version, i) => (version === '' ? [required(`${at}.apiVersions[${i}]`)] : [])),
    ...resourceErrors(textsAt(rule, 'resources'), `${at}.resources`),
    ...(typeof scope === 'string' ? oneOf(scope, `${at}.scope`, ['*', 'Cluster', 'Namespaced']) : []),
  ]
}

function resourceErrors(resources: readonly string[], at: string): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [required(at)] : []
  const wholes = new Set<string>()
  const everywhere = new Set<string>()
  let plain = false
  resources.forEach((resource, i) => {
    const here = `${at}[${i}]`
    if (resource === '') {
      errors.push(required(here))
      return
    }
    const slash = resource.indexOf('/')
    if (slash < 0) {
      plain = resource !== '*'
      return
    }
    const [name, sub] = [resource.slice(0, slash), resource.slice(slash + 1)]
    if (wholes.has(name))
      errors.push(invalid(here, resource, `if '${name}/*' is present, must not specify ${resource}`))
    if (everywhere.has(sub))
      errors.push(invalid(here, resource, `if '*/${sub}' is present, must not specify ${resource}`))
    if (sub === '*') wholes.add(name)
    if (name === '*') everywhere.add(sub)
  })
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalid(at, resources, "if '*/*' is present, must not specify other resources"))
  }
  if (resources.includes('*') && plain) {
    errors.push(invalid(at, resources, "if '*' is present, must not specify other resources without subresources"))
  }
  return errors
}

/** Names that an expression about a request may use. */
export function namesFor(hasParams: boolean, hasAuthorizer = true): readonly string[] {
  const names = ['object', 'oldObject', 'request', 'namespaceObject']
  return [...names, ...(hasParams ? ['params'] : []), ...(hasAuthorizer ? ['authorizer'] : [])]
}

/** An expression that must compile; `before` are those that were there already, which are let be. */
export function expressionErrors(
  text: string,
  field: string,
  names: readonly string[],
  before: ReadonlySet<string>,
): FieldError[] {
  const problem = before.has(text) ? undefined : celProblem(text, names)
  return problem === undefined ? [] : [invalid(field, text, problem)]
}

export function matchConditions(
  conditions: readonly Json[],
  at: string,
  names: readonly string[],
  before: ReadonlySet<string>,
): FieldError[] {
  const seen = new Set<string>()
  const errors = conditions.flatMap((condition, i) => {
    const here = `${at}[${i}]`
    const name = textAt(condition, 'name')
    const expression = textAt(condition, 'expression').trim()
    const again = seen.has(name) ? [duplicate(`${here}.name`, name)] : []
    if (name !== '') seen.add(name)
    return [
      ...(expression === ''
        ? [required(`${here}.expression`)]
        : expressionErrors(expression, `${here}.expression`, names, before)),
      ...(name === '' ? [required(`${here}.name`)] : failing(qualifiedName, name, `${here}.name`)),
      ...again,
    ]
  })
  return conditions.length > 64 ? [tooMany(at, conditions.length, 64), ...errors] : errors
}

/** The expressions of conditions that stand already. */
export function expressionsIn(conditions: readonly Json[]): ReadonlySet<string> {
  return new Set(conditions.map((condition) => textAt(condition, 'expression')))
}

/** A policy of one of a few words where it is given. */
export function optionalOneOf(o: Json, key: string, at: string, values: readonly string[]): FieldError[] {
  const value = o[key]
  return typeof value === 'string' ? oneOf(value, `${at}.${key}`, values) : []
}

export function neededOneOf(o: Json, key: string, at: string, values: readonly string[]): FieldError[] {
  return requiredOneOf(textAt(o, key), `${at}.${key}`, values)
}
