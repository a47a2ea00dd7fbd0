import type { KubeObject } from '../object.ts'
import { defineKind } from './define.ts'
import { forbidden, invalid, required } from './field-error.ts'
import { oneOf } from './checks.ts'
import { signingRequest } from './signing-request.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, textAt } from './json.ts'
import { failing, unchanged } from './metadata.ts'
import { dnsSubdomain, pathSegmentName } from './names.ts'
import { bindingErrors, mutatingPolicyErrors, validatingPolicyErrors } from './policy-rules.ts'
import type { KindStrategy } from './strategy.ts'
import { webhooks } from './webhook-rules.ts'

/** What runs the cluster itself: webhooks and admission policies, API services, leases, certificates, flow control, devices. */

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

const admissionPolicy = defineKind({
  metadataOnUpdate: 'whole',
  generation: ['spec'],
  status: true,
  unconditional: false,
  resetFields: { main: [['status']], status: [['spec'], ['metadata']] },
  validate: validatingPolicyErrors,
})
const mutatingPolicy = defineKind({
  metadataOnUpdate: 'whole',
  generation: ['spec'],
  unconditional: false,
  validate: mutatingPolicyErrors,
})
const policyBinding = defineKind({
  metadataOnUpdate: 'whole',
  generation: ['spec'],
  unconditional: false,
  validate: (o) => bindingErrors(o),
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
