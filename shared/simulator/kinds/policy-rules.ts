import type { KubeObject } from '../object.ts'
import {
  expressionErrors,
  expressionsIn,
  failurePolicies,
  matchConditions,
  matchPolicies,
  namesFor,
  neededOneOf,
  operationRule,
} from './admission-rules.ts'
import { labelSelector, oneOf } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import { dns1035Label, dnsSubdomain, pathSegmentName, qualifiedName, subdomainName } from './names.ts'

/** Admission policies and their bindings (`pkg/apis/admissionregistration/validation`). */

const specOf = (o: KubeObject | undefined): Json => objectAt(o, 'spec') ?? {}

/** What the expressions of a policy may name, and which of them stand already. */
interface Scope {
  readonly names: readonly string[]
  readonly before: ReadonlySet<string>
}

function scopeOf(spec: Json, before: Json): Scope {
  const params = !absent(spec, 'paramKind')
  const variables = objectsAt(spec, 'variables').length > 0 ? ['variables'] : []
  const standing = ['validations', 'variables', 'matchConditions'].flatMap((key) => [
    ...expressionsIn(objectsAt(before, key)),
  ])
  const patches = objectsAt(before, 'mutations').flatMap((one) =>
    ['applyConfiguration', 'jsonPatch'].map((key) => textAt(objectAt(one, key), 'expression').trim()),
  )
  const messages = objectsAt(before, 'validations').map((one) => textAt(one, 'messageExpression'))
  const values = objectsAt(before, 'auditAnnotations').map((one) => textAt(one, 'valueExpression'))
  return {
    names: [...namesFor(params), ...variables],
    before: new Set([...standing, ...messages, ...values, ...patches]),
  }
}

export function validatingPolicyErrors(o: KubeObject, _context: unknown, live: KubeObject | undefined): FieldError[] {
  const spec = specOf(o)
  const scope = scopeOf(spec, specOf(live))
  const checks = objectsAt(spec, 'validations')
  const audits = objectsAt(spec, 'auditAnnotations')
  const errors = commonErrors(spec, scope)
  if (checks.length === 0 && audits.length === 0) {
    const text = 'validations or auditAnnotations must contain at least one item'
    return [...errors, required('spec.validations', text), required('spec.auditAnnotations', text)]
  }
  const seen = new Set<string>()
  return [
    ...errors,
    ...checks.flatMap((check, i) => validationErrors(check, scope, `spec.validations[${i}]`)),
    ...audits.flatMap((audit, i) => {
      const at = `spec.auditAnnotations[${i}]`
      const key = textAt(audit, 'key')
      const again = seen.has(key) ? [duplicate(`${at}.key`, key)] : []
      seen.add(key)
      return [...auditErrors(audit, o.metadata.name ?? '', scope, at), ...again]
    }),
  ]
}

export function mutatingPolicyErrors(o: KubeObject, _context: unknown, live: KubeObject | undefined): FieldError[] {
  const spec = specOf(o)
  const scope = scopeOf(spec, specOf(live))
  const mutations = objectsAt(spec, 'mutations')
  return [
    ...commonErrors(spec, scope),
    ...changingOnly(spec, 'matchConstraints'),
    ...(mutations.length === 0 ? [required('spec.mutations', 'mutations must contain at least one item')] : []),
    ...mutations.flatMap((mutation, i) => mutationErrors(mutation, scope, `spec.mutations[${i}]`)),
    ...neededOneOf(spec, 'reinvocationPolicy', 'spec', ['IfNeeded', 'Never']),
  ]
}

/** What only reads or deletes cannot be changed on the way. */
function changingOnly(spec: Json, key: string): FieldError[] {
  const valid = ['*', 'CONNECT', 'CREATE', 'UPDATE']
  return objectsAt(objectAt(spec, key), 'resourceRules')
    .flatMap((rule) => textsAt(rule, 'operations'))
    .filter((operation) => !valid.includes(operation))
    .map((operation) => notSupported(`spec.${key}.resourceRules.operations`, operation, valid))
}

const patchTypes: Readonly<Record<string, readonly [own: string, other: string]>> = {
  ApplyConfiguration: ['applyConfiguration', 'jsonPatch'],
  JSONPatch: ['jsonPatch', 'applyConfiguration'],
}

/** Its expressions make messages of types that only the server knows; names in them are not looked up. */
function mutationErrors(mutation: Json, { names, before }: Scope, at: string): FieldError[] {
  const type = textAt(mutation, 'patchType')
  const keys = Object.hasOwn(patchTypes, type) ? patchTypes[type] : undefined
  if (keys === undefined) return neededOneOf(mutation, 'patchType', at, Object.keys(patchTypes))
  const [own, other] = keys
  const patch = objectAt(mutation, own)
  const expression = textAt(patch, 'expression').trim()
  const known = [...names, 'Object', 'JSONPatch', 'jsonpatch', 'variables']
  return [
    ...(patch ? [] : [required(`${at}.${own}`, `must be specified when patchType is ${type}`)]),
    ...(patch && expression === '' ? [required(`${at}.${own}.expression`)] : []),
    ...(expression === '' ? [] : expressionErrors(expression, `${at}.${own}.expression`, known, before)),
    ...(absent(mutation, other)
      ? []
      : [invalid(`${at}.${other}`, `{${other}}`, `must not be specified when patchType is ${type}`)]),
  ]
}

function commonErrors(spec: Json, { names, before }: Scope): FieldError[] {
  const kind = objectAt(spec, 'paramKind')
  const constraints = objectAt(spec, 'matchConstraints')
  const conditions = objectsAt(spec, 'matchConditions')
  const forConditions = names.filter((name) => name !== 'variables')
  return [
    ...neededOneOf(spec, 'failurePolicy', 'spec', failurePolicies),
    ...(kind ? paramKindErrors(kind, 'spec.paramKind') : []),
    ...(constraints ? matchResources(constraints, 'spec.matchConstraints') : [required('spec.matchConstraints')]),
    ...(constraints && objectsAt(constraints, 'resourceRules').length === 0
      ? [required('spec.matchConstraints.resourceRules')]
      : []),
    ...matchConditions(conditions, 'spec.matchConditions', forConditions, before),
    ...objectsAt(spec, 'variables').flatMap((variable, i) =>
      variableErrors(variable, { names, before }, `spec.variables[${i}]`),
    ),
  ]
}

function paramKindErrors(kind: Json, at: string): FieldError[] {
  const name = textAt(kind, 'kind')
  const mixed = dns1035Label(name.toLowerCase())
  const text = `may have mixed case, but should otherwise match: ${mixed.join(',')}`
  return [
    ...paramVersionErrors(textAt(kind, 'apiVersion'), `${at}.apiVersion`),
    ...(name === '' ? [required(`${at}.kind`)] : mixed.length > 0 ? [invalid(`${at}.kind`, name, text)] : []),
  ]
}

function paramVersionErrors(apiVersion: string, field: string): FieldError[] {
  if (apiVersion === '') return [required(field)]
  const parts = apiVersion.split('/')
  if (parts.length > 2) return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const group = parts.length === 2 ? (parts[0] ?? '') : ''
  const version = parts.at(-1) ?? ''
  const wrongGroup = group === '' ? [] : dnsSubdomain(group)
  const wrongVersion = version === '' ? [] : dns1035Label(version)
  return [
    ...(wrongGroup.length === 0 ? [] : [invalid(field, group, wrongGroup.join(','))]),
    ...(version === '' ? [invalid(field, apiVersion, 'version must be specified')] : []),
    ...(wrongVersion.length === 0 ? [] : [invalid(field, version, wrongVersion.join(','))]),
  ]
}

function matchResources(match: Json, at: string): FieldError[] {
  const selector = (key: string): FieldError[] =>
    absent(match, key) ? [required(`${at}.${key}`)] : labelSelector(objectAt(match, key), `${at}.${key}`)
  return [
    ...neededOneOf(match, 'matchPolicy', at, matchPolicies),
    ...selector('namespaceSelector'),
    ...selector('objectSelector'),
    ...['resourceRules', 'excludeResourceRules'].flatMap((key) =>
      objectsAt(match, key).flatMap((rule, i) => [
        ...resourceNames(textsAt(rule, 'resourceNames'), `${at}.${key}[${i}].resourceNames`),
        ...operationRule(rule, `${at}.${key}[${i}]`),
      ]),
    ),
  ]
}

function resourceNames(names: readonly string[], at: string): FieldError[] {
  return names.flatMap((name, i) => [
    ...pathSegmentName(name, false).map((text) => invalid(`${at}[${i}]`, name, text)),
    ...(names.indexOf(name) < i ? [duplicate(`${at}[${i}]`, name)] : []),
  ])
}

function variableErrors(variable: Json, { names, before }: Scope, at: string): FieldError[] {
  const name = textAt(variable, 'name')
  const expression = textAt(variable, 'expression')
  return [
    ...(name.trim() === ''
      ? [required(`${at}.name`, 'name is not specified')]
      : /^[A-Za-z_]\w*$/u.test(name)
        ? []
        : [invalid(`${at}.name`, name, 'must be a valid CEL identifier')]),
    ...(expression.trim() === ''
      ? [required(`${at}.expression`, 'expression is not specified')]
      : expressionErrors(expression, `${at}.expression`, names, before)),
  ]
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']

function validationErrors(check: Json, { names, before }: Scope, at: string): FieldError[] {
  const expression = textAt(check, 'expression')
  const message = textAt(check, 'message')
  const computed = textAt(check, 'messageExpression')
  const reason = check['reason']
  const forMessage = names.filter((name) => name !== 'authorizer')
  const notEmpty = 'must be non-empty if specified'
  return [
    ...(expression.trim() === ''
      ? [required(`${at}.expression`, 'expression is not specified')]
      : expressionErrors(expression, `${at}.expression`, names, before)),
    ...(computed !== '' && computed.trim() === '' ? [invalid(`${at}.messageExpression`, computed, notEmpty)] : []),
    ...(computed.trim() === '' ? [] : expressionErrors(computed, `${at}.messageExpression`, forMessage, before)),
    ...(message !== '' && message.trim() === '' ? [invalid(`${at}.message`, message, notEmpty)] : []),
    ...(/[\r\n]/u.test(message.trim()) ? [invalid(`${at}.message`, message, 'must not contain line breaks')] : []),
    ...(typeof reason === 'string' ? oneOf(reason, `${at}.reason`, reasons) : []),
  ]
}

function auditErrors(audit: Json, policy: string, { names, before }: Scope, at: string): FieldError[] {
  const key = textAt(audit, 'key')
  const expression = textAt(audit, 'valueExpression').trim()
  const forAudit = expression === '' ? [] : expressionErrors(expression, `${at}.valueExpression`, names, before)
  return [
    ...(policy === ''
      ? [invalid(`${at}.key`, key, 'requires metadata.name be non-empty')]
      : failing(qualifiedName, `${policy}/${key}`, `${at}.key`)),
    ...(expression === '' ? [required(`${at}.valueExpression`, 'valueExpression is not specified')] : forAudit),
  ]
}

export function bindingErrors(o: KubeObject): FieldError[] {
  const spec = specOf(o)
  const name = textAt(spec, 'policyName')
  const match = objectAt(spec, 'matchResources')
  const param = objectAt(spec, 'paramRef')
  return [
    ...(name === ''
      ? [required('spec.policyName')]
      : subdomainName(name, false).map((text) => invalid('spec.policyName', name, text))),
    ...(param ? paramRefErrors(param, 'spec.paramRef') : []),
    ...(match ? matchResources(match, 'spec.matchResources') : []),
    ...(o.kind === 'ValidatingAdmissionPolicyBinding'
      ? actionErrors(textsAt(spec, 'validationActions'))
      : changingOnly(spec, 'matchResources')),
  ]
}

function paramRefErrors(reference: Json, at: string): FieldError[] {
  const name = textAt(reference, 'name')
  const selector = objectAt(reference, 'selector')
  const both = name !== '' && selector !== undefined
  const text = 'name and selector are mutually exclusive'
  return [
    ...(name === '' ? [] : pathSegmentName(name, false).map((problem) => invalid(`${at}.name`, name, problem))),
    ...(both ? [forbidden(`${at}.name`, text)] : []),
    ...labelSelector(selector, `${at}.selector`),
    ...(both ? [forbidden(`${at}.selector`, text)] : []),
    ...(name === '' && selector === undefined ? [required(at, 'one of name or selector must be specified')] : []),
    ...neededOneOf(reference, 'parameterNotFoundAction', at, ['Deny', 'Allow']),
  ]
}

function actionErrors(actions: readonly string[]): FieldError[] {
  const at = 'spec.validationActions'
  const together =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'
  return [
    ...(actions.length === 0 ? [required(at, 'at least one validation action is required')] : []),
    ...actions.flatMap((action, i) => [
      ...oneOf(action, `${at}[${i}]`, ['Audit', 'Deny', 'Warn']),
      ...(actions.indexOf(action) < i ? [duplicate(`${at}[${i}]`, action)] : []),
    ]),
    ...(actions.includes('Deny') && actions.includes('Warn') ? [invalid(at, actions, together)] : []),
  ]
}
