import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, textMapAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { privateCopy, sameJson } from '../object.ts'
import { HostError } from './host.ts'
import { controllerReference } from './ownership.ts'
import { templateHash } from './pod-template.ts'
import { deployments, replicaSets } from './resources.ts'
import type { Rollout } from './deployment-parts.ts'
import {
  deploymentCondition,
  desiredReplicas,
  hasDeadline,
  maxReplicas,
  oldSets,
  remember,
  replicasOf,
  revision,
  revisionOf,
  scaledEvent,
  setCondition,
  sizeAnnotations,
  specOf,
  wantedForNewSet,
} from './deployment-parts.ts'

const hashLabel = 'pod-template-hash'
const history = 'deployment.kubernetes.io/revision-history'

/** Annotations of a deployment that its replica sets do not take over. */
const ownAnnotations = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revision,
  history,
  desiredReplicas,
  maxReplicas,
  'deprecated.deployment.rollback.to',
])

/** Whether two templates are the same but for the label that tells replica sets apart. */
export function sameTemplate(a: unknown, b: unknown): boolean {
  return sameJson(withoutHash(a), withoutHash(b))
}

function withoutHash(template: unknown): unknown {
  const metadata = objectAt(template as Json, 'metadata')
  const labels = { ...textMapAt(metadata, 'labels') }
  delete labels[hashLabel]
  return { ...(template as Json), metadata: { ...metadata, labels } }
}

/**
 * Finds the set of the current template and brings its revision up to date, or makes it. Leaves it undefined where there is
 * none and none is to be made.
 */
export function newReplicaSet(rollout: Rollout, create: boolean): void {
  const newest = Math.max(0, ...oldSets(rollout).map((set) => revisionOf(set)))
  const next = String(newest + 1)
  if (rollout.current) refresh(rollout, rollout.current, next)
  else if (create) makeSet(rollout, next)
}

function refresh(rollout: Rollout, set: KubeObject, next: string): void {
  const { live, setting } = rollout
  const annotations = setAnnotations(live, set, next, true)
  const minReadySeconds = numberAt(specOf(live), 'minReadySeconds') ?? 0
  const sameWait = (numberAt(specOf(set), 'minReadySeconds') ?? 0) === minReadySeconds
  if (!sameJson(annotations, set.metadata.annotations ?? {}) || !sameWait) {
    const changed = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...specOf(set), minReadySeconds } }
    remember(rollout, setting.host.update(replicaSets, changed))
  }
  noteRevision(rollout, annotations[revision] ?? next)
  if (hasDeadline(rollout.live) && !deploymentCondition(rollout.live, 'Progressing')) {
    const message = `Found new replica set "${set.metadata.name ?? ''}"`
    const condition = { type: 'Progressing', status: 'True', reason: 'FoundNewReplicaSet', message } as const
    setCondition(rollout, condition, setting.host.now())
  }
}

/** The deployment carries the revision of its current set. */
function noteRevision(rollout: Rollout, value: string): void {
  const { live, setting } = rollout
  if (live.metadata.annotations?.[revision] === value) return
  const metadata = { ...live.metadata, annotations: { ...live.metadata.annotations, [revision]: value } }
  rollout.live = setting.host.updateStatus(deployments, { ...live, metadata })
}

function setAnnotations(live: KubeObject, set: KubeObject, next: string, exists: boolean): Record<string, string> {
  const annotations: Record<string, string> = { ...set.metadata.annotations }
  for (const [key, value] of Object.entries(live.metadata.annotations ?? {})) {
    if (!ownAnnotations.has(key)) annotations[key] = value
  }
  const before = annotations[revision]
  if (Number(before ?? 0) < Number(next)) {
    annotations[revision] = next
    if (before !== undefined) {
      const known = annotations[history]
      annotations[history] = known === undefined || known === '' ? before : `${known},${before}`
    }
  }
  return exists ? annotations : { ...annotations, ...sizeAnnotations(live) }
}

function makeSet(rollout: Rollout, next: string): void {
  const { live, setting } = rollout
  const made = blankSet(live)
  made.metadata.annotations = setAnnotations(live, made, next, false)
  specOf(made)['replicas'] = wantedForNewSet(rollout, made)
  let created: KubeObject
  try {
    created = setting.host.create(replicaSets, made)
  } catch (error) {
    if (!HostError.is(error)) throw error
    onRefusal(rollout, made, error)
    return
  }
  rollout.current = created
  remember(rollout, created)
  noteRevision(rollout, next)
  const name = created.metadata.name ?? ''
  if (replicasOf(created) > 0) scaledEvent(rollout, `Scaled up replica set ${name} from 0 to ${replicasOf(created)}`)
  if (!hasDeadline(live)) return
  const message = `Created new replica set "${name}"`
  const condition = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetCreated', message } as const
  setCondition(rollout, condition, setting.host.now())
}

function blankSet(live: KubeObject): KubeObject {
  const spec = specOf(live)
  const template = privateCopy(objectAt(spec, 'template') ?? {})
  const hash = templateHash(template, numberAt(objectAt(live, 'status'), 'collisionCount') ?? 0)
  const metadata = objectAt(template, 'metadata') ?? {}
  const labels = { ...textMapAt(metadata, 'labels'), [hashLabel]: hash }
  template['metadata'] = { ...metadata, labels }
  const selector = privateCopy(objectAt(spec, 'selector') ?? {})
  selector['matchLabels'] = { ...textMapAt(selector, 'matchLabels'), [hashLabel]: hash }
  const { namespace = '', name = '' } = live.metadata
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: `${name}-${hash}`, namespace, labels, ownerReferences: [controllerReference(live)] },
    spec: { replicas: 0, minReadySeconds: numberAt(spec, 'minReadySeconds') ?? 0, selector, template },
  }
}

/** Another set has the name: count the collision and try with another hash; anything else becomes a condition. */
function onRefusal(rollout: Rollout, made: KubeObject, error: HostError): void {
  const { live, setting, key } = rollout
  if (error.reason === 'AlreadyExists') {
    const status = objectAt(live, 'status') ?? {}
    const collisionCount = (numberAt(status, 'collisionCount') ?? 0) + 1
    rollout.live = setting.host.updateStatus(deployments, { ...live, status: { ...status, collisionCount } })
    setting.queue.add('deployments', key)
    return
  }
  const message = `Failed to create new replica set "${made.metadata.name ?? ''}": ${error.message}`
  const condition = { type: 'Progressing', status: 'False', reason: 'ReplicaSetCreateError', message } as const
  if (hasDeadline(live)) setCondition(rollout, condition, setting.host.now())
  setting.queue.addAfter('deployments', key, 1000)
}
