import type { KubeObject } from '../object.ts'
import {
  expressionsIn,
  failurePolicies,
  matchConditions,
  matchPolicies,
  namesFor,
  operationRule,
  optionalOneOf,
} from './admission-rules.ts'
import { labelSelector, oneOf, requireText } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { dns1035Label, dnsSubdomain, portNumber } from './names.ts'

/** Configurations of admission webhooks (`validateValidatingWebhookConfiguration`). */
export const webhooks = defineKind({
  metadataOnUpdate: 'whole',
  generation: ['webhooks'],
  generationOfEmpty: true,
  unconditional: false,
  validate: webhookErrors,
})

function webhookErrors(o: KubeObject, _context: unknown, live: KubeObject | undefined): FieldError[] {
  const names = new Set<string>()
  const standing = expressionsIn(objectsAt(live, 'webhooks').flatMap((hook) => objectsAt(hook, 'matchConditions')))
  return objectsAt(o, 'webhooks').flatMap((hook, i) => {
    const at = `webhooks[${i}]`
    const name = textAt(hook, 'name')
    const again = names.has(name) ? [duplicate(`${at}.name`, name)] : []
    if (name !== '') names.add(name)
    return [
      ...fullName(name, `${at}.name`),
      ...hookRules(hook, at),
      ...matchConditions(objectsAt(hook, 'matchConditions'), `${at}.matchConditions`, namesFor(false), standing),
      ...reviewVersions(textsAt(hook, 'admissionReviewVersions'), `${at}.admissionReviewVersions`),
      ...again,
    ]
  })
}

function fullName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)]
  const errors = dnsSubdomain(name)
  if (errors.length > 0) return [invalid(field, name, errors.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
}

function hookRules(hook: Json, at: string): FieldError[] {
  const effects = hook['sideEffects']
  const timeout = numberAt(hook, 'timeoutSeconds') ?? 10
  return [
    ...objectsAt(hook, 'rules').flatMap((rule, i) => operationRule(rule, `${at}.rules[${i}]`)),
    ...optionalOneOf(hook, 'failurePolicy', at, failurePolicies),
    ...optionalOneOf(hook, 'matchPolicy', at, matchPolicies),
    ...(typeof effects === 'string'
      ? oneOf(effects, `${at}.sideEffects`, ['None', 'NoneOnDryRun'])
      : [required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun')]),
    ...(timeout < 1 || timeout > 30
      ? [invalid(`${at}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...labelSelector(objectAt(hook, 'namespaceSelector'), `${at}.namespaceSelector`),
    ...labelSelector(objectAt(hook, 'objectSelector'), `${at}.objectSelector`),
    ...optionalOneOf(hook, 'reinvocationPolicy', at, ['IfNeeded', 'Never']),
    ...target(objectAt(hook, 'clientConfig') ?? {}, `${at}.clientConfig`),
  ]
}

function target(config: Json, at: string): FieldError[] {
  const service = objectAt(config, 'service')
  if (absent(config, 'url') === (service === undefined)) {
    return [required(at, 'exactly one of url or service is required')]
  }
  return service ? serviceErrors(service, `${at}.service`) : urlErrors(textAt(config, 'url'), `${at}.url`)
}

const form = '; desired format: https://host[/path]'

function urlErrors(text: string, field: string): FieldError[] {
  const [, scheme = '', authority = '', query, fragment] =
    /^(?:([a-zA-Z][\w+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(\?[^#]*)?(#.*)?$/u.exec(text) ?? []
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  return [
    ...(scheme.toLowerCase() === 'https'
      ? []
      : [invalid(field, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...(host === '' ? [invalid(field, host, `host must be specified${form}`)] : []),
    ...(at < 0 ? [] : [invalid(field, authority.slice(0, at), 'user information is not permitted in the URL')]),
    ...(fragment === undefined || fragment === '#'
      ? []
      : [invalid(field, fragment.slice(1), 'fragments are not permitted in the URL')]),
    ...(query === undefined || query === '?'
      ? []
      : [invalid(field, query.slice(1), 'query parameters are not permitted in the URL')]),
  ]
}

/** The server reads the service's name as its namespace and the other way round, which only the order shows. */
function serviceErrors(service: Json, at: string): FieldError[] {
  const port = numberAt(service, 'port') ?? 0
  const wrong = portNumber(port)
  const path = service['path']
  return [
    ...(textAt(service, 'namespace') === '' ? [required(`${at}.name`)] : []),
    ...requireText({ namespace: textAt(service, 'name') }, 'namespace', at),
    ...(wrong.length === 0 ? [] : [invalid(`${at}.port`, port, `port is not valid: ${wrong.join(', ')}`)]),
    ...(typeof path === 'string' ? pathErrors(path, `${at}.path`) : []),
  ]
}

function pathErrors(path: string, field: string): FieldError[] {
  if (path === '' || path === '/') return []
  if (path === '//') return [invalid(field, path, 'segment[0] may not be empty')]
  const start = path.startsWith('/') ? [] : [invalid(field, path, "must start with a '/'")]
  const steps = path.slice(1).replace(/\/$/u, '').split('/')
  return [
    ...start,
    ...steps.flatMap((step, i) =>
      step === ''
        ? [invalid(field, path, `segment[${i}] may not be empty`)]
        : dnsSubdomain(step).map((text) => invalid(field, path, `segment[${i}]: ${text}`)),
    ),
  ]
}

function reviewVersions(versions: readonly string[], at: string): FieldError[] {
  if (versions.length === 0) return [required(at, 'must specify one of v1, v1beta1')]
  const errors = versions.flatMap((version, i) =>
    versions.indexOf(version) < i
      ? [invalid(`${at}[${i}]`, version, 'duplicate version')]
      : dns1035Label(version).map((text) => invalid(`${at}[${i}]`, version, text)),
  )
  if (versions.some((version) => version === 'v1' || version === 'v1beta1')) return errors
  return [...errors, invalid(at, versions, 'must include at least one of v1, v1beta1')]
}
