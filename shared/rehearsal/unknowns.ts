import { valueAt } from '../model/json.ts'
import { groupKindKey, resourceKey, type GroupKind, type KubeObject, type ResourceId } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import type { RehearsedStep, Unknown } from '../model/rehearsal.ts'
import { imagesOf, listAt } from './fill-scope.ts'
import { isBuiltIn, isProven } from './proven.ts'
import type { Recording } from './recording.ts'
import { isCalled, webhooksIn, type AdmissionTarget } from './webhooks.ts'

export type Doubts = {
  readonly recording: Recording
  readonly steps: readonly RehearsedStep[]
  /** What is wanted, hooks included, by key. */
  readonly wanted: ReadonlyMap<string, KubeObject>
  /** Plural names, by group and kind. */
  readonly resources: ReadonlyMap<string, { readonly resource: string; readonly namespaced: boolean }>
  /** Objects that the real server's own dry run has spoken about. */
  readonly asked: ReadonlySet<string>
  /** Workloads whose pods it has spoken about. */
  readonly podsAsked: ReadonlySet<string>
  readonly unserved: readonly KubeObject[]
  /** False where the recording's placeholders cannot be compared. */
  readonly comparesSecrets: boolean
  /** Of the embedded server. */
  readonly version: string
  readonly podStart: { readonly startMs: number; readonly measuredOn: number }
}

/** What an embedded rehearsal could not know, one by one. */
export function unknownsOf(doubts: Doubts): readonly Unknown[] {
  return [
    ...versions(doubts),
    ...webhooks(doubts),
    ...policies(doubts),
    ...controllers(doubts),
    ...kinds(doubts),
    ...images(doubts),
    ...secrets(doubts),
    ...doubts.recording.gaps.map((gap): Unknown => ({ kind: 'not-read', ...gap })),
    ...podTimes(doubts),
  ]
}

function versions({ recording, version }: Doubts): readonly Unknown[] {
  const same = recording.version === '' || minorOf(recording.version) === minorOf(version)
  return same ? [] : [{ kind: 'version', real: recording.version, here: version }]
}

function minorOf(version: string): string {
  return /^v?\d+\.\d+/.exec(version)?.[0] ?? version
}

/** Writes that nobody has asked the real server about, as its admission would see them. */
function unasked({ steps, wanted, resources, asked, recording }: Doubts): readonly AdmissionTarget[] {
  const namespaces = new Map(
    recording.objects.filter(({ kind }) => kind === 'Namespace').map((one) => [one.metadata.name, one.metadata.labels]),
  )
  return steps.flatMap((step): readonly AdmissionTarget[] => {
    const key = resourceKey(step.id)
    const known = resources.get(groupKindKey(step.id))
    const object = wanted.get(key) ?? bare(step)
    if (asked.has(key) || known === undefined) return []
    const { kind } = step.result
    const operation = kind === 'pruned' ? 'DELETE' : kind === 'changed' ? 'UPDATE' : 'CREATE'
    const namespaceLabels = namespaces.get(step.id.namespace)
    return [{ apiVersion: step.apiVersion, ...known, operation, object, namespaceLabels }]
  })
}

function bare({ id, apiVersion }: RehearsedStep): KubeObject {
  const namespace = id.namespace === '' ? {} : { namespace: id.namespace }
  return { apiVersion, kind: id.kind, metadata: { name: id.name, ...namespace } }
}

/** Pods are made by controllers, so that no dry run of the sync's own objects reaches their webhooks. */
function podsOf({ steps, wanted, recording, podsAsked }: Doubts): readonly AdmissionTarget[] {
  const namespaces = new Map(
    recording.objects.filter(({ kind }) => kind === 'Namespace').map((one) => [one.metadata.name, one.metadata.labels]),
  )
  return steps.flatMap((step): readonly AdmissionTarget[] => {
    const object = wanted.get(resourceKey(step.id))
    const labels = valueAt(object, ['spec', 'template', 'metadata', 'labels'])
    if (object === undefined || imagesOf(object).length === 0 || step.id.kind === 'Pod') return []
    if (podsAsked.has(resourceKey(step.id))) return []
    const metadata = { name: step.id.name, namespace: step.id.namespace, labels }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata } as unknown as KubeObject
    const namespaceLabels = namespaces.get(step.id.namespace)
    return [{ apiVersion: 'v1', resource: 'pods', operation: 'CREATE', namespaced: true, object: pod, namespaceLabels }]
  })
}

function webhooks(doubts: Doubts): readonly Unknown[] {
  const targets = [...unasked(doubts), ...podsOf(doubts)]
  return webhooksIn(doubts.recording.objects).flatMap((webhook): readonly Unknown[] => {
    const called = targets.filter((target) => isCalled(webhook, target))
    if (called.length === 0) return []
    const { name, configuration, mutating, failurePolicy } = webhook
    return [{ kind: 'webhook', name, configuration, mutating, failurePolicy, objects: called.map(idOfTarget) }]
  })
}

function idOfTarget({ object, apiVersion }: AdmissionTarget): ResourceId {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
  return { group, kind: object.kind, namespace: object.metadata.namespace ?? '', name: object.metadata.name }
}

/** Policies in CEL run in the real server alone; its dry runs have asked them of most objects. */
function policies(doubts: Doubts): readonly Unknown[] {
  const targets = [...unasked(doubts), ...podsOf(doubts)]
  return doubts.recording.objects.flatMap((policy): readonly Unknown[] => {
    if (policy.kind !== 'ValidatingAdmissionPolicy' && policy.kind !== 'MutatingAdmissionPolicy') return []
    const match = valueAt(policy, ['spec', 'matchConstraints']) ?? null
    const raw = { ...(match as object), rules: listAt(match, 'resourceRules') }
    const { name } = policy.metadata
    const webhook = { name, configuration: name, mutating: false, failurePolicy: '', url: '', timeoutSeconds: 0, raw }
    const called = targets.filter((target) => isCalled(webhook, target))
    return called.length === 0 ? [] : [{ kind: 'policy', name, objects: called.map(idOfTarget) }]
  })
}

/** Built-in kinds behind which something works that is not simulated. */
const UNTENDED: ReadonlySet<string> = new Set([
  'networking.k8s.io|Ingress',
  'autoscaling|HorizontalPodAutoscaler',
  'apiregistration.k8s.io|APIService',
  'certificates.k8s.io|CertificateSigningRequest',
])

function controllers({ steps, wanted }: Doubts): readonly Unknown[] {
  return byKind(steps, ({ id }) => {
    if (!isBuiltIn(id) || UNTENDED.has(groupKindKey(id))) return true
    const object = wanted.get(resourceKey(id))
    return id.kind === 'Service' && valueAt(object, ['spec', 'type']) === 'LoadBalancer'
  }).map(([of, objects]) => ({ kind: 'controller', of, objects }))
}

function kinds({ steps, unserved }: Doubts): readonly Unknown[] {
  const unproven = byKind(steps, ({ id }) => !isProven(id))
  const absent = Map.groupBy(unserved, ({ apiVersion, kind }) => `${apiVersion}|${kind}`)
  return [
    ...unproven.map(([of, objects]): Unknown => ({ kind: 'kind', of, objects })),
    ...[...absent].map(([name, objects]): Unknown => {
      const what = `${objects.length} ${name.split('|')[1] ?? ''}`
      return { kind: 'not-read', what, reason: 'the embedded server does not serve the kind' }
    }),
  ]
}

function byKind(
  steps: readonly RehearsedStep[],
  picks: (step: RehearsedStep) => boolean,
): readonly (readonly [GroupKind, readonly ResourceId[]])[] {
  const found = Map.groupBy(steps.filter(picks), ({ id }) => groupKindKey(id))
  return [...found.values()].map((some) => {
    const { group = '', kind = '' } = some[0]?.id ?? {}
    return [{ group, kind }, some.map(({ id }) => id)]
  })
}

/** Images that start somewhere on the cluster today will start; of all others it was assumed. */
function images({ steps, wanted, recording }: Doubts): readonly Unknown[] {
  const seen = new Set(recording.objects.filter(isRunning).flatMap(imagesOf))
  const found = new Map<string, ResourceId[]>()
  for (const { id, result } of steps) {
    const object = wanted.get(resourceKey(id))
    if (object === undefined || 'reason' in result) continue
    for (const image of new Set(imagesOf(object))) {
      if (seen.has(image)) continue
      found.set(image, [...(found.get(image) ?? []), id])
    }
  }
  return [...found].map(([image, workloads]) => ({ kind: 'image', image, workloads }))
}

function isRunning(object: KubeObject): boolean {
  const phase = valueAt(object, ['status', 'phase'])
  return object.kind === 'Pod' && (phase === 'Running' || phase === 'Succeeded')
}

function secrets({ steps, comparesSecrets }: Doubts): readonly Unknown[] {
  if (comparesSecrets) return []
  const told = steps.filter(({ id, result }) => id.kind === 'Secret' && id.group === '' && result.kind === 'changed')
  return told.map(({ id }) => ({ kind: 'secret', id }))
}

function podTimes({ steps, wanted, podStart }: Doubts): readonly Unknown[] {
  const starts = steps.some(({ id, result }) => {
    const object = wanted.get(resourceKey(id))
    return !('reason' in result) && object !== undefined && imagesOf(object).length > 0
  })
  return starts ? [{ kind: 'pod-times', ...podStart }] : []
}

/** Where the real cluster's own plan and the one of the place are not the same. */
export function planDifferences(real: Plan | undefined, here: Plan): readonly Unknown[] {
  if (real === undefined) return []
  const [theirs, ours] = [writesOf(real), writesOf(here)]
  return [...new Set([...theirs.keys(), ...ours.keys()])].flatMap((key): readonly Unknown[] => {
    const [one, other] = [theirs.get(key), ours.get(key)]
    const id = (one ?? other)?.id
    if (id === undefined || one?.says === other?.says) return []
    return [{ kind: 'plan-differs', id, real: one?.says ?? 'nothing', here: other?.says ?? 'nothing' }]
  })
}

/** What a plan writes, in words that can be compared. */
function writesOf(plan: Plan): ReadonlyMap<string, { readonly id: ResourceId; readonly says: string }> {
  const writes = plan.steps.filter(({ action, hook }) => action !== 'none' && hook === undefined)
  return new Map(
    writes.map(({ id, action, fields }) => [
      resourceKey(id),
      { id, says: [action, ...fields.map(({ path }) => path)].join(' ') },
    ]),
  )
}
