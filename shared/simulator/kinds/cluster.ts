import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { expressionErrors } from './admission-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, required, tooLong } from './field-error.ts'
import { flowSchema, priorityLevel } from './flow-control.ts'
import { signingRequest } from './signing-request.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, objectsAt, textAt } from './json.ts'
import { unchanged } from './metadata.ts'
import { pathSegmentName, qualifiedName } from './names.ts'
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

const resourceClaim = defineKind({
  status: true,
  resetFields: { main: [['status']], status: [['spec'], ['metadata']] },
  validateChange: (next, live) => unchanged('spec', specOf(next), specOf(live)),
})
const claimTemplate = defineKind({
  validateChange: (next, live) => unchanged('spec', specOf(next), specOf(live)),
})
const withGeneration = defineKind({ generation: ['spec'] })

/** The expression by which a class or a request picks devices may be this long. */
const maxDeviceExpression = 10 * 1024

const deviceClass = defineKind({
  generation: ['spec'],
  validate: (o, _context, live) => {
    const selectors = objectsAt(specOf(o), 'selectors')
    const same = live !== undefined && sameJson(selectors, objectsAt(specOf(live), 'selectors'))
    const name = textAt(specOf(o), 'extendedResourceName')
    return [
      ...selectors.flatMap((selector, i) => deviceSelector(selector, `spec.selectors[${i}].cel`, same)),
      ...(name === '' || extendedResource(name)
        ? []
        : [invalid('spec.extendedResourceName', name, 'must be a valid extended resource name')]),
    ]
  },
})

/** Names of resources outside the project's own domain, which fit into a quota's key. */
function extendedResource(name: string): boolean {
  if (!name.includes('/') || name.includes('kubernetes.io/') || name.startsWith('requests.')) return false
  return qualifiedName(`requests.${name}`).length === 0
}

function deviceSelector(selector: Json, field: string, stored: boolean): FieldError[] {
  const cel = objectAt(selector, 'cel')
  if (!cel) return [required(field)]
  const text = textAt(cel, 'expression')
  const at = `${field}.expression`
  if (text.length > maxDeviceExpression) return [tooLong(at, maxDeviceExpression)]
  return expressionErrors(text, at, ['device'], new Set(stored ? [text] : []))
}

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
  'deviceclasses.resource.k8s.io': deviceClass,
  [`flowschemas.${flowControl}`]: flowSchema,
  'leases.coordination.k8s.io': lease,
  [`prioritylevelconfigurations.${flowControl}`]: priorityLevel,
  'resourceclaims.resource.k8s.io': resourceClaim,
  'resourceclaimtemplates.resource.k8s.io': claimTemplate,
  'resourceslices.resource.k8s.io': withGeneration,
}
