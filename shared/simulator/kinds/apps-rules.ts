import {
  dnsLabelField,
  intOrPercent,
  intOrPercentNumber,
  labelSelector,
  notMoreThanAll,
  oneOf,
  optionalNumber,
  selectorMatches,
  selectorParses,
  selectsAll,
  shownLabels,
} from './checks.ts'
import { validateClaimSpec } from './claim-rules.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, notSupported, required } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textMapAt } from './json.ts'
import { validateAnnotations, validateLabels } from './metadata.ts'
import { validatePodTemplate } from './pod-rules.ts'

/** Specs of the apps group (`pkg/apis/apps/validation`). */

function workloadSelector(spec: Json, kind: string): FieldError[] {
  const selector = objectAt(spec, 'selector')
  if (!selector) return [required('spec.selector')]
  return [...labelSelector(selector, 'spec.selector'), ...emptySelector(selector, kind)]
}

function emptySelector(selector: Json, kind: string): FieldError[] {
  if (!selectsAll(selector)) return []
  return [invalid('spec.selector', selector, `empty selector is invalid for ${kind}`)]
}

const labelsOf = (template: Json): Readonly<Record<string, string>> =>
  textMapAt(objectAt(template, 'metadata'), 'labels')

/** The template's labels must satisfy a selector that selects anything in particular. */
function templateLabels(spec: Json): FieldError[] {
  const selector = objectAt(spec, 'selector')
  const template = objectAt(spec, 'template') ?? {}
  if (selector && (selectsAll(selector) || selectorMatches(selector, labelsOf(template)))) return []
  return [
    invalid('spec.template.metadata.labels', shownLabels(template), '`selector` does not match template `labels`'),
  ]
}

/** Pods of a workload that is not a job restart always and have no deadline. */
function alwaysRunning(template: Json, kind: string): FieldError[] {
  const spec = objectAt(template, 'spec') ?? {}
  const policy = textAt(spec, 'restartPolicy')
  return [
    ...(policy === 'Always' ? [] : [notSupported('spec.template.spec.restartPolicy', policy, ['Always'])]),
    ...(absent(spec, 'activeDeadlineSeconds')
      ? []
      : [forbidden('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${kind} is not Supported`)]),
  ]
}

function replicatedTemplate(spec: Json): FieldError[] {
  const selector = objectAt(spec, 'selector')
  if (!selectorParses(selector)) return [invalid('spec.selector', selector, 'invalid label selector')]
  const template = objectAt(spec, 'template') ?? {}
  return [
    ...templateLabels(spec),
    ...validatePodTemplate(template, 'spec.template'),
    ...alwaysRunning(template, 'ReplicaSet'),
  ]
}

export function deploymentErrors(spec: Json): FieldError[] {
  const deadline = numberAt(spec, 'progressDeadlineSeconds')
  const ready = numberAt(spec, 'minReadySeconds') ?? 0
  return [
    ...optionalNumber(spec, 'replicas', 'spec'),
    ...workloadSelector(spec, 'deployment'),
    ...replicatedTemplate(spec),
    ...deploymentStrategy(objectAt(spec, 'strategy') ?? {}),
    ...optionalNumber(spec, 'minReadySeconds', 'spec'),
    ...optionalNumber(spec, 'revisionHistoryLimit', 'spec'),
    ...optionalNumber(spec, 'progressDeadlineSeconds', 'spec'),
    ...(deadline !== undefined && deadline <= ready
      ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : []),
  ]
}

function deploymentStrategy(strategy: Json): FieldError[] {
  const field = 'spec.strategy'
  const type = textAt(strategy, 'type')
  const rolling = objectAt(strategy, 'rollingUpdate')
  if (type === 'Recreate') {
    if (!rolling) return []
    return [forbidden(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
  }
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rolling ? rollingView(rolling) : null }
    return [notSupported(field, shown, ['Recreate', 'RollingUpdate'])]
  }
  if (!rolling) return [required(`${field}.rollingUpdate`, 'this should be defaulted and never be nil')]
  const { maxUnavailable, maxSurge } = rolling
  const nothing = intOrPercentNumber(maxUnavailable) === 0 && intOrPercentNumber(maxSurge) === 0
  const at = `${field}.rollingUpdate`
  return [
    ...intOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...intOrPercent(maxSurge, `${at}.maxSurge`),
    ...(nothing ? [invalid(`${at}.maxUnavailable`, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0')] : []),
    ...notMoreThanAll(maxUnavailable, `${at}.maxUnavailable`),
  ]
}

function rollingView(rolling: Json): Json {
  return { MaxUnavailable: rolling['maxUnavailable'] ?? 0, MaxSurge: rolling['maxSurge'] ?? 0 }
}

export function replicaSetErrors(spec: Json): FieldError[] {
  return [
    ...optionalNumber(spec, 'replicas', 'spec'),
    ...optionalNumber(spec, 'minReadySeconds', 'spec'),
    ...workloadSelector(spec, 'deployment'),
    ...replicatedTemplate(spec),
  ]
}

export function daemonSetErrors(spec: Json): FieldError[] {
  const selector = objectAt(spec, 'selector')
  const template = objectAt(spec, 'template') ?? {}
  const met = !selectorParses(selector) || (selector && selectorMatches(selector, labelsOf(template)))
  const mismatch = met ? [] : templateLabels(spec)
  return [
    ...labelSelector(selector, 'spec.selector'),
    ...mismatch,
    ...(selector ? emptySelector(selector, 'daemonset') : []),
    ...validatePodTemplate(template, 'spec.template'),
    ...alwaysRunning(template, 'DaemonSet'),
    ...optionalNumber(spec, 'minReadySeconds', 'spec'),
    ...daemonSetStrategy(objectAt(spec, 'updateStrategy') ?? {}),
    ...optionalNumber(spec, 'revisionHistoryLimit', 'spec'),
  ]
}

function daemonSetStrategy(strategy: Json): FieldError[] {
  const field = 'spec.updateStrategy'
  const type = textAt(strategy, 'type')
  const rolling = objectAt(strategy, 'rollingUpdate')
  if (type === 'OnDelete') return []
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: rolling ? rollingView(rolling) : null }
    return [notSupported(field, shown, ['RollingUpdate', 'OnDelete'])]
  }
  if (!rolling) return [required(`${field}.rollingUpdate`)]
  const { maxUnavailable, maxSurge } = rolling
  const at = `${field}.rollingUpdate`
  const unavailable = intOrPercentNumber(maxUnavailable) !== 0
  const surge = intOrPercentNumber(maxSurge) !== 0
  return [
    ...intOrPercent(maxUnavailable, `${at}.maxUnavailable`),
    ...intOrPercent(maxSurge, `${at}.maxSurge`),
    ...notMoreThanAll(maxUnavailable, `${at}.maxUnavailable`),
    ...notMoreThanAll(maxSurge, `${at}.maxSurge`),
    ...(unavailable && surge
      ? [invalid(`${at}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(!unavailable && !surge ? [required(`${at}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')] : []),
  ]
}

/** On update the immutable parts are not checked again. */
export function statefulSetErrors(spec: Json, isUpdate: boolean): FieldError[] {
  const policy = textAt(spec, 'podManagementPolicy')
  const retention = objectAt(spec, 'persistentVolumeClaimRetentionPolicy')
  const claims = objectsAt(spec, 'volumeClaimTemplates')
  const name = textAt(spec, 'serviceName')
  const known = policy === 'OrderedReady' || policy === 'Parallel'
  return [
    ...(known ? [] : [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...statefulSetStrategy(objectAt(spec, 'updateStrategy') ?? {}),
    ...['whenDeleted', 'whenScaled'].flatMap((key) =>
      oneOf(textAt(retention, key), `spec.persistentVolumeClaimRetentionPolicy.${key}`, ['Retain', 'Delete']),
    ),
    ...(isUpdate
      ? []
      : claims.flatMap((claim, i) =>
          validateClaimSpec(objectAt(claim, 'spec') ?? {}, `spec.volumeClaimTemplates[${i}].spec`),
        )),
    ...optionalNumber(spec, 'replicas', 'spec'),
    ...optionalNumber(spec, 'minReadySeconds', 'spec'),
    ...optionalNumber(objectAt(spec, 'ordinals') ?? {}, 'start', 'spec.ordinals'),
    ...(isUpdate || name === '' ? [] : dnsLabelField(name, 'spec.serviceName')),
    ...workloadSelector(spec, 'statefulset'),
    ...statefulSetTemplate(spec, claims),
  ]
}

function statefulSetTemplate(spec: Json, claims: readonly Json[]): FieldError[] {
  const selector = objectAt(spec, 'selector')
  const template = objectAt(spec, 'template') ?? {}
  const running = alwaysRunning(template, 'StatefulSet')
  if (!selectorParses(selector)) return [invalid('spec.selector', selector, ''), ...running]
  const podSpec = objectAt(template, 'spec') ?? {}
  const names = new Set(claims.map((claim) => textAt(objectAt(claim, 'metadata'), 'name')))
  const volumes = [
    ...[...names].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...objectsAt(podSpec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name'))),
  ]
  const { hostname: _, subdomain: __, ...rest } = podSpec
  const metadata = objectAt(template, 'metadata')
  const errors = [
    ...templateLabels(spec),
    ...validatePodTemplate({ ...template, spec: { ...rest, volumes } }, 'spec.template'),
    ...validateLabels(metadata?.['labels'], 'spec.template.labels'),
    ...validateAnnotations(
      metadata?.['annotations'] as Record<string, string> | undefined,
      'spec.template.annotations',
    ),
  ]
  return [...errors, ...running]
}

function statefulSetStrategy(strategy: Json): FieldError[] {
  const field = 'spec.updateStrategy'
  const type = textAt(strategy, 'type')
  const rolling = objectAt(strategy, 'rollingUpdate')
  const shown = rolling
    ? { Partition: rolling['partition'] ?? 0, MaxUnavailable: rolling['maxUnavailable'] ?? null }
    : null
  if (type === 'OnDelete') {
    if (!rolling) return []
    return [invalid(`${field}.rollingUpdate`, shown, "only allowed for updateStrategy 'RollingUpdate'")]
  }
  if (type === 'RollingUpdate') return rolling ? optionalNumber(rolling, 'partition', `${field}.rollingUpdate`) : []
  return [invalid(field, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'")]
}

/** A pod template as the server prints it in messages. */
export function templateView(template: unknown): Json {
  return goView('internal/core.PodTemplateSpec', 'core/v1.PodTemplateSpec', template)
}
