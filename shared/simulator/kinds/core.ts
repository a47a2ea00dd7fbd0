import type { KubeObject } from '../object.ts'
import { optionalNumber, oneOf, selectorMatches, shownLabels } from './checks.ts'
import { taintEffects } from './affinity-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, ensureObject, numberAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from './json.ts'
import { failing, validateKnownFinalizer } from './metadata.ts'
import { labelName, labelValue, longName, qualifiedName } from './names.ts'
import { validCidr } from './network-checks.ts'
import { validatePodTemplate } from './pod-rules.ts'
import { warningsOfTemplate } from './pod-warnings.ts'
import { endpoints } from './endpoints.ts'
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
    ...(absent(objectAt(template, 'spec'), 'activeDeadlineSeconds')
      ? []
      : [
          forbidden(
            'spec.template.spec.activeDeadlineSeconds',
            'activeDeadlineSeconds in ReplicationController is not Supported',
          ),
        ]),
  ]
}

const templateWarnings = warningsOfTemplate('spec.template')

const replicationController = defineKind({
  name: longName,
  status: true,
  generation: ['spec'],
  deletePolicy: 'Orphan',
  validate: (o) => replicationControllerErrors(specOf(o)),
  // An update is told of the template that was, not of the one that comes (`rcStrategy.WarningsOnUpdate`).
  warnings: (o, live) => (live ? templateWarnings(live, o) : templateWarnings(o, undefined)),
  fieldSelectors: { 'status.replicas': (o) => String(numberAt(objectAt(o, 'status'), 'replicas') ?? 0) },
})

const podTemplate = defineKind({
  warnings: warningsOfTemplate('template', false),
  generation: ['template'],
  validate: (o) => validatePodTemplate(objectAt(o, 'template') ?? {}, 'template'),
})

function nodeErrors(o: KubeObject): FieldError[] {
  const ranges = textsAt(specOf(o), 'podCIDRs')
  const families = new Set(ranges.map((range) => range.includes(':')))
  return [
    ...taintErrors(objectsAt(specOf(o), 'taints'), 'metadata.taints'),
    ...ranges.flatMap((range, i) => validCidr(range, `spec.podCIDRs[${i}]`)),
    ...(ranges.length > 2 || families.size < ranges.length
      ? [invalid('spec.podCIDRs', ranges, 'may specify no more than one CIDR for each IP family')]
      : []),
  ]
}

function taintErrors(taints: readonly Json[], field: string): FieldError[] {
  const seen = new Set<string>()
  return taints.flatMap((taint, i) => {
    const at = `${field}[${i}]`
    const effect = textAt(taint, 'effect')
    const value = textAt(taint, 'value')
    const wrong = labelValue(value)
    const key = `${textAt(taint, 'key')}/${effect}`
    const shown = { Key: textAt(taint, 'key'), Value: value, Effect: effect, TimeAdded: taint['timeAdded'] ?? null }
    const again = seen.has(key)
      ? [{ ...duplicate(at, shown), detail: 'taints must be unique by key and effect pair' }]
      : []
    seen.add(key)
    return [
      ...failing(qualifiedName, textAt(taint, 'key'), `${at}.key`),
      ...(wrong.length === 0 ? [] : [invalid(`${at}.value`, value, wrong.join(';'))]),
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
