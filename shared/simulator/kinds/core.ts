import type { KubeObject } from '../object.ts'
import { optionalNumber, oneOf, selectorMatches, shownLabels } from './checks.ts'
import { taintEffects } from './affinity-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { ensureObject, numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { failing, validateKnownFinalizer } from './metadata.ts'
import { dnsLabel, labelName, longName, portNumber, qualifiedName, subdomainName } from './names.ts'
import { endpointIp, validIp } from './network-checks.ts'
import { validatePodTemplate } from './pod-rules.ts'
import { warningsOfTemplate } from './pod-warnings.ts'
import { pod } from './pod.ts'
import { event } from './event.ts'
import { limitRangeErrors, quotaErrors, quotaScopesFixed } from './quota-rules.ts'
import { service } from './service.ts'
import type { KindStrategy } from './strategy.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

const namespace = defineKind({
  name: labelName,
  metadataOnUpdate: 'late',
  status: true,
  prepare: (next, live) => {
    const spec = ensureObject(next, 'spec')
    if (live) {
      spec['finalizers'] = specOf(live)['finalizers']
      if (spec['finalizers'] === undefined) delete spec['finalizers']
      return
    }
    const finalizers = textsAt(spec, 'finalizers')
    if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes']
  },
  validate: (o) =>
    textsAt(specOf(o), 'finalizers').flatMap((name) => [
      ...failing(qualifiedName, name, 'spec.finalizers'),
      ...validateKnownFinalizer(name, 'spec.finalizers'),
    ]),
  validateStatus: (next) => {
    const wanted = next.metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating'
    const phase = textAt(objectAt(next, 'status'), 'phase')
    if (phase === wanted) return []
    const when = wanted === 'Active' ? 'is empty' : 'is not empty'
    return [invalid('status.Phase', phase, `may only be '${wanted}' if \`deletionTimestamp\` ${when}`)]
  },
  fieldSelectors: {
    name: (o) => o.metadata.name ?? '',
    'status.phase': (o) => textAt(objectAt(o, 'status'), 'phase'),
  },
})

function replicationControllerErrors(spec: Json): FieldError[] {
  const selector = textMapAt(spec, 'selector')
  const template = objectAt(spec, 'template')
  const errors = [
    ...optionalNumber(spec, 'minReadySeconds', 'spec'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...optionalNumber(spec, 'replicas', 'spec'),
  ]
  if (!template) return [...errors, required('spec.template')]
  const labels = objectAt(objectAt(template, 'metadata'), 'labels')
  if (
    Object.keys(selector).length > 0 &&
    !selectorMatches({ matchLabels: selector }, textMapAt({ labels }, 'labels'))
  ) {
    errors.push(
      invalid('spec.template.metadata.labels', shownLabels(template), '`selector` does not match template `labels`'),
    )
  }
  const policy = textAt(objectAt(template, 'spec'), 'restartPolicy')
  return [
    ...errors,
    ...validatePodTemplate(template, 'spec.template'),
    ...(policy === 'Always' ? [] : [notSupported('spec.template.spec.restartPolicy', policy, ['Always'])]),
  ]
}

const replicationController = defineKind({
  name: longName,
  status: true,
  generation: ['spec'],
  deletePolicy: 'Orphan',
  validate: (o) => replicationControllerErrors(specOf(o)),
  warnings: warningsOfTemplate('spec.template'),
  fieldSelectors: { 'status.replicas': (o) => String(numberAt(objectAt(o, 'status'), 'replicas') ?? 0) },
})

const podTemplate = defineKind({
  warnings: warningsOfTemplate('template', false),
  generation: ['template'],
  validate: (o) => validatePodTemplate(objectAt(o, 'template') ?? {}, 'template'),
})

function endpointsErrors(o: KubeObject): FieldError[] {
  return objectsAt(o, 'subsets').flatMap((subset, s) => {
    const at = `subsets[${s}]`
    const ports = objectsAt(subset, 'ports')
    const ready = objectsAt(subset, 'addresses')
    const waiting = objectsAt(subset, 'notReadyAddresses')
    return [
      ...(ready.length + waiting.length === 0 ? [required(at, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...ready.flatMap((address, i) => addressErrors(address, `${at}.addresses[${i}]`)),
      ...waiting.flatMap((address, i) => addressErrors(address, `${at}.notReadyAddresses[${i}]`)),
      ...ports.flatMap((port, i) => endpointPort(port, ports.length > 1, `${at}.ports[${i}]`)),
    ]
  })
}

function addressErrors(address: Json, at: string): FieldError[] {
  const ip = textAt(address, 'ip')
  const errors = validIp(ip, `${at}.ip`)
  const host = textAt(address, 'hostname')
  const node = typeof address['nodeName'] === 'string' ? address['nodeName'] : undefined
  return [
    ...errors,
    ...(host === '' ? [] : failing(dnsLabel, host, `${at}.hostname`)),
    ...(node === undefined ? [] : subdomainName(node, false).map((text) => invalid(`${at}.nodeName`, node, text))),
    ...endpointIp(ip, `${at}.ip`),
  ]
}

function endpointPort(port: Json, nameNeeded: boolean, at: string): FieldError[] {
  const name = textAt(port, 'name')
  const number = numberAt(port, 'port') ?? 0
  return [
    ...(name === '' && nameNeeded ? [required(`${at}.name`)] : []),
    ...(name === '' ? [] : failing(dnsLabel, name, `${at}.name`)),
    ...portNumber(number).map((text) => invalid(`${at}.port`, number, text)),
    ...(textAt(port, 'protocol') === ''
      ? [required(`${at}.protocol`)]
      : oneOf(textAt(port, 'protocol'), `${at}.protocol`, ['SCTP', 'TCP', 'UDP'])),
  ]
}

const endpoints = defineKind({ createOnUpdate: true, validate: endpointsErrors })

function nodeErrors(o: KubeObject): FieldError[] {
  const seen = new Set<string>()
  return objectsAt(specOf(o), 'taints').flatMap((taint, i) => {
    const at = `spec.taints[${i}]`
    const effect = textAt(taint, 'effect')
    const key = `${textAt(taint, 'key')}/${effect}`
    const again = seen.has(key) ? [duplicate(at, taint)] : []
    seen.add(key)
    return [
      ...failing(qualifiedName, textAt(taint, 'key'), `${at}.key`),
      ...(effect === '' ? [required(`${at}.effect`)] : oneOf(effect, `${at}.effect`, taintEffects)),
      ...again,
    ]
  })
}

/** A node's registrar sets its status too, so a create keeps it. */
const node: KindStrategy = {
  ...defineKind({
    metadataOnUpdate: 'late',
    status: true,
    validate: nodeErrors,
    validateChange: (next, live) => {
      const was = specOf(live)['podCIDR']
      if (was === undefined || specOf(next)['podCIDR'] === was) return []
      const text =
        'node updates may only change labels, taints, or capacity (or configSource, if the DynamicKubeletConfig feature gate is enabled)'
      return [forbidden('spec', text)]
    },
    fieldSelectors: { 'spec.unschedulable': (o) => String(specOf(o)['unschedulable'] === true) },
  }),
  prepareForCreate: () => {},
}

const resourceQuota = defineKind({
  status: true,
  validate: (o) => quotaErrors(specOf(o)),
  validateChange: (next, live) => quotaScopesFixed(specOf(next), specOf(live)),
})

const limitRange = defineKind({
  createOnUpdate: true,
  metadataOnUpdate: 'whole',
  prepare: (next, live, context) => {
    if (!live && (next.metadata.name ?? '') === '') next.metadata.name = context.uid()
  },
  validate: (o) => limitRangeErrors(specOf(o)),
})

export const coreKinds: Readonly<Record<string, KindStrategy>> = {
  endpoints,
  events: event,
  'events.events.k8s.io': event,
  limitranges: limitRange,
  namespaces: namespace,
  nodes: node,
  pods: pod,
  podtemplates: podTemplate,
  replicationcontrollers: replicationController,
  resourcequotas: resourceQuota,
  services: service,
}
