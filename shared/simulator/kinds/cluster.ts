import type { KubeObject } from '../object.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, required } from './field-error.ts'
import { labelSelector, oneOf } from './checks.ts'
import { signingRequest } from './signing-request.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing, unchanged } from './metadata.ts'
import { dnsSubdomain, pathSegmentName } from './names.ts'
import type { KindStrategy } from './strategy.ts'

/** What runs the cluster itself: webhooks and admission policies, API services, leases, certificates, flow control, devices. */

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

function webhookErrors(o: KubeObject): FieldError[] {
  const names = new Set<string>()
  return objectsAt(o, 'webhooks').flatMap((hook, i) => {
    const at = `webhooks[${i}]`
    const name = textAt(hook, 'name')
    const errors = fullName(name, `${at}.name`)
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name))
    names.add(name)
    return [...errors, ...webhookRules(hook, at)]
  })
}

function fullName(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)]
  const errors = dnsSubdomain(name)
  if (errors.length > 0) return [invalid(field, name, errors.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalid(field, name, 'should be a domain with at least three segments separated by dots')]
}

function webhookRules(hook: Json, at: string): FieldError[] {
  const effects = hook['sideEffects']
  const timeout = numberAt(hook, 'timeoutSeconds') ?? 10
  const config = objectAt(hook, 'clientConfig') ?? {}
  const versions = textsAt(hook, 'admissionReviewVersions')
  const targets = ['service', 'url'].filter((key) => !absent(config, key))
  return [
    ...(versions.length === 0 ? [required(`${at}.admissionReviewVersions`, 'must specify one of v1, v1beta1')] : []),
    ...(typeof effects === 'string'
      ? oneOf(effects, `${at}.sideEffects`, ['None', 'NoneOnDryRun'])
      : [required(`${at}.sideEffects`, 'must specify one of None, NoneOnDryRun')]),
    ...(timeout < 1 || timeout > 30
      ? [invalid(`${at}.timeoutSeconds`, timeout, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...labelSelector(objectAt(hook, 'namespaceSelector'), `${at}.namespaceSelector`),
    ...labelSelector(objectAt(hook, 'objectSelector'), `${at}.objectSelector`),
    ...(targets.length === 1 ? [] : [required(`${at}.clientConfig`, 'exactly one of url or service is required')]),
    ...objectsAt(hook, 'rules').flatMap((rule, i) => operationRule(rule, `${at}.rules[${i}]`)),
  ]
}

function operationRule(rule: Json, at: string): FieldError[] {
  const lists = ['apiGroups', 'apiVersions', 'resources'].filter((key) => textsAt(rule, key).length === 0)
  const operations = textsAt(rule, 'operations')
  return [
    ...lists.map((key) => required(`${at}.${key}`)),
    ...(operations.length === 0 ? [required(`${at}.operations`)] : []),
    ...operations.flatMap((operation, i) =>
      oneOf(operation, `${at}.operations[${i}]`, ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']),
    ),
  ]
}

const webhooks = defineKind({
  metadataOnUpdate: 'whole',
  generation: ['webhooks'],
  unconditional: false,
  validate: webhookErrors,
})

function policyErrors(o: KubeObject): FieldError[] {
  const spec = specOf(o)
  const rules = objectsAt(objectAt(spec, 'matchConstraints'), 'resourceRules')
  const checks = objectsAt(spec, 'validations')
  return [
    ...(absent(spec, 'matchConstraints') ? [required('spec.matchConstraints')] : []),
    ...(rules.length === 0 && !absent(spec, 'matchConstraints')
      ? [required('spec.matchConstraints.resourceRules')]
      : []),
    ...(checks.length === 0 && objectsAt(spec, 'auditAnnotations').length === 0 && absent(spec, 'mutations')
      ? [required('spec.validations', 'validations or auditAnnotations must contain at least one item')]
      : []),
    ...checks.flatMap((check, i) =>
      textAt(check, 'expression').trim() === ''
        ? [required(`spec.validations[${i}].expression`, 'expression is not specified')]
        : [],
    ),
  ]
}

const admissionPolicy = defineKind({
  metadataOnUpdate: 'whole',
  generation: ['spec'],
  status: true,
  unconditional: false,
  resetFields: { main: [['status']], status: [['spec'], ['metadata']] },
  validate: policyErrors,
})
const mutatingPolicy = defineKind({ metadataOnUpdate: 'whole', generation: ['spec'], unconditional: false })
const policyBinding = defineKind({
  metadataOnUpdate: 'whole',
  generation: ['spec'],
  unconditional: false,
  validate: (o) => {
    const actions = textsAt(specOf(o), 'validationActions')
    const both = actions.includes('Deny') && actions.includes('Warn')
    return [
      ...(textAt(specOf(o), 'policyName') === '' ? [required('spec.policyName')] : []),
      ...(actions.length === 0 && o.kind === 'ValidatingAdmissionPolicyBinding'
        ? [required('spec.validationActions', 'at least one validation action is required')]
        : []),
      ...actions.flatMap((action, i) => oneOf(action, `spec.validationActions[${i}]`, ['Audit', 'Deny', 'Warn'])),
      ...(both
        ? [
            invalid(
              'spec.validationActions',
              actions,
              'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
            ),
          ]
        : []),
    ]
  },
})

const apiService = defineKind({
  status: true,
  name: pathSegmentName,
  unconditional: false,
  resetFields: { main: [['status']], status: [['spec'], ['metadata']] },
  validate: (o) => {
    const spec = specOf(o)
    const expected = `${textAt(spec, 'version')}.${textAt(spec, 'group')}`
    const actual = o.metadata.name ?? ''
    const text = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`
    return expected === actual ? [] : [invalid('metadata.name', actual, text)]
  },
})

const lease = defineKind({
  anyFinalizer: true,
  unconditional: false,
  createOnUpdate: true,
  validate: (o) => {
    const spec = specOf(o)
    const seconds = numberAt(spec, 'leaseDurationSeconds')
    const transitions = numberAt(spec, 'leaseTransitions')
    const holder = textAt(spec, 'preferredHolder')
    return [
      ...(seconds !== undefined && seconds <= 0
        ? [invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
        : []),
      ...(transitions !== undefined && transitions < 0
        ? [invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
        : []),
      ...(holder !== '' && textAt(spec, 'strategy') === ''
        ? [forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined')]
        : []),
    ]
  },
})

const flowControlResets = { main: [['status']], status: [['spec'], ['metadata']] }
const flowSchema = defineKind({
  metadataOnUpdate: 'whole',
  status: true,
  generation: ['spec'],
  resetFields: flowControlResets,
  validate: (o) => {
    const level = textAt(objectAt(specOf(o), 'priorityLevelConfiguration'), 'name')
    const order = numberAt(specOf(o), 'matchingPrecedence') ?? 0
    const field = 'spec.priorityLevelConfiguration.name'
    return [
      ...(order < 1 || order > 10_000
        ? [invalid('spec.matchingPrecedence', order, 'must be a value between 1 and 10000, inclusive')]
        : []),
      ...(level === '' ? [required(field, 'must reference a priority level')] : failing(dnsSubdomain, level, field)),
    ]
  },
})
const priorityLevel = defineKind({
  status: true,
  generation: ['spec'],
  resetFields: flowControlResets,
  validate: (o) => {
    const type = textAt(specOf(o), 'type')
    return type === ''
      ? [required('spec.type', 'must specify a type')]
      : oneOf(type, 'spec.type', ['Exempt', 'Limited'])
  },
})

const resourceClaim = defineKind({
  status: true,
  resetFields: { main: [['status']], status: [['spec'], ['metadata']] },
  validateChange: (next, live) => unchanged('spec', specOf(next), specOf(live)),
})
const claimTemplate = defineKind({
  validateChange: (next, live) => unchanged('spec', specOf(next), specOf(live)),
})
const withGeneration = defineKind({ generation: ['spec'] })

const admission = 'admissionregistration.k8s.io'
const flowControl = 'flowcontrol.apiserver.k8s.io'

export const clusterKinds: Readonly<Record<string, KindStrategy>> = {
  [`mutatingadmissionpolicies.${admission}`]: mutatingPolicy,
  [`mutatingadmissionpolicybindings.${admission}`]: policyBinding,
  [`mutatingwebhookconfigurations.${admission}`]: webhooks,
  [`validatingadmissionpolicies.${admission}`]: admissionPolicy,
  [`validatingadmissionpolicybindings.${admission}`]: policyBinding,
  [`validatingwebhookconfigurations.${admission}`]: webhooks,
  'apiservices.apiregistration.k8s.io': apiService,
  'certificatesigningrequests.certificates.k8s.io': signingRequest,
  'deviceclasses.resource.k8s.io': withGeneration,
  [`flowschemas.${flowControl}`]: flowSchema,
  'leases.coordination.k8s.io': lease,
  [`prioritylevelconfigurations.${flowControl}`]: priorityLevel,
  'resourceclaims.resource.k8s.io': resourceClaim,
  'resourceclaimtemplates.resource.k8s.io': claimTemplate,
  'resourceslices.resource.k8s.io': withGeneration,
}
