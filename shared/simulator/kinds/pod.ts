import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { parseQuantity, sameQuantity } from '../../fields/quantity.ts'
import { validateTolerations } from './affinity-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, required } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import {
  copyAsGiven,
  dropContainer,
  ensureObject,
  numberAt,
  objectAt,
  objectsAt,
  setAbsent,
  textAt,
  textMapAt,
} from './json.ts'
import { ephemeralPart } from './pod-ephemeral.ts'
import { warningsOfPod } from './pod-warnings.ts'
import { validatePodSpec } from './pod-rules.ts'
import type { KindStrategy } from './strategy.ts'
import { jsonDiff } from './unified-diff.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

const whole = defineKind({
  status: true,
  statusKeeps: [['spec'], ['metadata', 'ownerReferences'], ['metadata', 'deletionTimestamp']],
  generation: ['spec'],
  metadataOnUpdate: 'both',
  prepare: (next, live) => {
    if (live === undefined) newPod(next)
  },
  prepareStatus: (next, live) => {
    const status = ensureObject(next, 'status')
    if (textAt(status, 'qosClass') === '') setAbsent(status, 'qosClass', objectAt(live, 'status')?.['qosClass'])
  },
  validate: (o, _context, live) => [...podErrors(o), ...(live ? [] : notOnCreate(o))],
  validateChange: podChangeErrors,
  gracePeriodSeconds: podGrace,
  warnings: warningsOfPod,
  resetFields: {
    main: [['status']],
    status: [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']],
  },
  fieldSelectors: {
    'spec.nodeName': (o) => textAt(specOf(o), 'nodeName'),
    'spec.restartPolicy': (o) => textAt(specOf(o), 'restartPolicy'),
    'spec.schedulerName': (o) => textAt(specOf(o), 'schedulerName'),
    'spec.serviceAccountName': (o) => textAt(specOf(o), 'serviceAccountName'),
    'spec.hostNetwork': (o) => String(specOf(o)['hostNetwork'] === true),
    'status.phase': (o) => textAt(objectAt(o, 'status'), 'phase'),
    'status.podIP': (o) => textAt(objectsAt(objectAt(o, 'status'), 'podIPs')[0], 'ip'),
    'status.nominatedNodeName': (o) => textAt(objectAt(o, 'status'), 'nominatedNodeName'),
  },
})

export const pod: KindStrategy = { ...whole, parts: { ephemeralcontainers: ephemeralPart(podErrors) } }

function newPod(o: KubeObject): void {
  const gated = objectsAt(specOf(o), 'schedulingGates').length > 0
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: o.metadata.creationTimestamp ?? null,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
  o['status'] = { phase: 'Pending', ...(gated && { conditions: [condition] }), qosClass: qosClass(specOf(o)) }
  mergeMatchLabels(o)
}

/** `matchLabelKeys` become part of the label selectors they belong to. */
function mergeMatchLabels(o: KubeObject): void {
  const labels = o.metadata.labels ?? {}
  for (const constraint of objectsAt(specOf(o), 'topologySpreadConstraints'))
    addKeys(constraint, labels, 'matchLabelKeys', 'In')
  const affinity = objectAt(specOf(o), 'affinity')
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const rules = objectAt(affinity, kind)
    const preferred = objectsAt(rules, 'preferredDuringSchedulingIgnoredDuringExecution').map((term) =>
      ensureObject(term, 'podAffinityTerm'),
    )
    for (const term of [...objectsAt(rules, 'requiredDuringSchedulingIgnoredDuringExecution'), ...preferred]) {
      addKeys(term, labels, 'matchLabelKeys', 'In')
      addKeys(term, labels, 'mismatchLabelKeys', 'NotIn')
    }
  }
}

function addKeys(term: Json, labels: Readonly<Record<string, string>>, keysField: string, operator: string): void {
  const keys = term[keysField]
  const selector = objectAt(term, 'labelSelector')
  if (!Array.isArray(keys) || !selector) return
  const added = keys
    .filter((key): key is string => typeof key === 'string' && labels[key] !== undefined)
    .map((key) => ({ key, operator, values: [labels[key]] }))
  if (added.length > 0) selector['matchExpressions'] = [...objectsAt(selector, 'matchExpressions'), ...added]
}

/** Quality of service from requests and limits (`pkg/apis/core/v1/helper/qos`). */
export function qosClass(spec: Json): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const podResources = objectAt(spec, 'resources')
  const holders = podResources
    ? [podResources]
    : [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')].map(
        (c) => objectAt(c, 'resources') ?? {},
      )
  const requests = holders.map((holder) => computeAmounts(holder, 'requests'))
  const limits = holders.map((holder) => computeAmounts(holder, 'limits'))
  if ([...requests, ...limits].every((list) => list.length === 0)) return 'BestEffort'
  const guaranteed = limits.every((list, i) => {
    const asked = requests[i] ?? []
    const met = asked.every(([name, amount]) =>
      list.some(([other, limit]) => other === name && sameQuantity(amount, limit)),
    )
    return list.length === 2 && met
  })
  return guaranteed ? 'Guaranteed' : 'Burstable'
}

function computeAmounts(holder: Json, kind: string): readonly (readonly [string, string])[] {
  return Object.entries(textMapAt(holder, kind)).filter(
    ([name, amount]) => (name === 'cpu' || name === 'memory') && parseQuantity(amount).unscaled > 0n,
  )
}

function podErrors(o: KubeObject): FieldError[] {
  const spec = specOf(o)
  return [
    ...validatePodSpec(spec, o.metadata.name ?? '', 'spec', true),
    ...(textAt(spec, 'serviceAccountName') === '' ? tokensWithoutAccount(spec) : []),
    ...['containers', 'initContainers'].flatMap((list) => trimmedImages(spec, list)),
  ]
}

function notOnCreate(o: KubeObject): FieldError[] {
  const some = objectsAt(specOf(o), 'ephemeralContainers').length > 0
  return some ? [forbidden('spec.ephemeralContainers', 'cannot be set on create')] : []
}

function tokensWithoutAccount(spec: Json): FieldError[] {
  return objectsAt(spec, 'volumes').flatMap((volume, v) =>
    objectsAt(objectAt(volume, 'projected'), 'sources').flatMap((source, s) =>
      objectAt(source, 'serviceAccountToken')
        ? [
            forbidden(
              `spec.volumes[${v}].projected.sources[${s}].serviceAccountToken`,
              'must not be specified when serviceAccountName is not set',
            ),
          ]
        : [],
    ),
  )
}

function trimmedImages(spec: Json, list: string): FieldError[] {
  return objectsAt(spec, list).flatMap((container, i) => {
    const image = textAt(container, 'image')
    if (image.trim() === image) return []
    return [invalid(`spec.${list}[${i}].image`, image, 'must not have leading or trailing whitespace')]
  })
}

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
]

function podChangeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const spec = specOf(next)
  const before = specOf(live)
  const errors: FieldError[] = []
  for (const list of ['containers', 'initContainers']) {
    const containers = objectsAt(spec, list)
    if (containers.length !== objectsAt(before, list).length) {
      return [...errors, forbidden(`spec.${list}`, 'pod updates may not add or remove containers')]
    }
    containers.forEach((container, i) => {
      if (textAt(container, 'image') === '') errors.push(required(`spec.${list}[${i}].image`))
    })
    errors.push(...trimmedImages(spec, list))
  }
  const deadline = deadlineChange(numberAt(spec, 'activeDeadlineSeconds'), numberAt(before, 'activeDeadlineSeconds'))
  errors.push(...deadline.errors)
  if (deadline.stop) return errors
  errors.push(...onlyAddedTolerations(spec, before), ...onlyDeletedGates(spec, before))
  if (sameJson(spec, before)) return errors
  const munged = withoutUpdatable(spec, before)
  if (sameJson(munged, before)) return errors
  return [...errors, changedSpec(specView(before), specView(munged))]
}

const specView = (spec: Json): Json => goView('internal/core.PodSpec', 'core/v1.PodSpec', spec)

function changedSpec(before: Json, munged: Json): FieldError {
  const diff = jsonDiff(before, munged)
  return forbidden('spec', `pod updates may not change fields other than ${updatable.join(',')}\n${diff}`)
}

function deadlineChange(is: number | undefined, was: number | undefined): { errors: FieldError[]; stop: boolean } {
  const field = 'spec.activeDeadlineSeconds'
  if (is === undefined) {
    const text = 'must not update from a positive integer to nil value'
    return { errors: was === undefined ? [] : [invalid(field, null, text)], stop: false }
  }
  if (is < 0 || is > 2 ** 31 - 1) {
    return { errors: [invalid(field, is, `must be between 0 and ${2 ** 31 - 1}, inclusive`)], stop: true }
  }
  if (was === undefined || was >= is) return { errors: [], stop: false }
  return { errors: [invalid(field, is, 'must be less than or equal to previous value')], stop: true }
}

const withoutSeconds = (toleration: Json): Json => ({ ...toleration, tolerationSeconds: null })

function onlyAddedTolerations(spec: Json, before: Json): FieldError[] {
  const field = 'spec.tolerations'
  const now = objectsAt(spec, 'tolerations')
  const missing = objectsAt(before, 'tolerations').some(
    (old) => !now.some((one) => sameJson(withoutSeconds(old), withoutSeconds(one))),
  )
  if (missing) return [forbidden(field, 'existing toleration can not be modified except its tolerationSeconds')]
  return validateTolerations(now, field)
}

function onlyDeletedGates(spec: Json, before: Json): FieldError[] {
  const old = new Set(objectsAt(before, 'schedulingGates').map((gate) => textAt(gate, 'name')))
  return objectsAt(spec, 'schedulingGates').flatMap((gate, i) => {
    const name = textAt(gate, 'name')
    if (old.has(name)) return []
    const text = `only deletion is allowed, but found new scheduling gate '${name}'`
    return [forbidden(`spec.schedulingGates[${i}].name`, text)]
  })
}

/** The new spec with everything that may change put back, so that what is left over may not. */
function withoutUpdatable(spec: Json, before: Json): Json {
  const munged = copyAsGiven(spec)
  const restore = (key: string): void => {
    if (before[key] === undefined) delete munged[key]
    else munged[key] = before[key]
  }
  for (const list of ['containers', 'initContainers']) {
    const old = objectsAt(before, list)
    // The server makes the list anew, and an empty one is none.
    if (objectsAt(munged, list).length === 0) dropContainer(munged, list)
    objectsAt(munged, list).forEach((container, i) => {
      container['image'] = old[i]?.['image']
    })
  }
  for (const key of ['activeDeadlineSeconds', 'schedulingGates', 'tolerations']) restore(key)
  const grace = numberAt(before, 'terminationGracePeriodSeconds') ?? 0
  if (grace < 0 && munged['terminationGracePeriodSeconds'] === 1) restore('terminationGracePeriodSeconds')
  if (objectsAt(before, 'schedulingGates').length > 0) {
    restore('nodeSelector')
    restore('affinity')
  }
  return munged
}

/** Pods that run get their grace period; those without a node or already ended go at once. */
function podGrace(o: KubeObject, requestedSeconds: number | undefined): number {
  const spec = specOf(o)
  const phase = textAt(objectAt(o, 'status'), 'phase')
  if (textAt(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0
  const seconds = requestedSeconds ?? numberAt(spec, 'terminationGracePeriodSeconds') ?? 0
  return seconds < 0 ? 1 : seconds
}
