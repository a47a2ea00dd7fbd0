import type { Json } from '../kinds/json.ts'
import { ensureObject, numberAt, objectAt, objectsAt, textAt, textMapAt } from '../kinds/json.ts'
import type { KubeObject, OwnerReference } from '../object.ts'
import { privateCopy, sameJson } from '../object.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import { controllerReference } from './ownership.ts'
import { podFromTemplate } from './pod-template.ts'
import { claims, pods } from './resources.ts'
import { revisionHash, templateOf } from './revisions.ts'

/** The number at the end of a pod's name; negative for pods that are not of the set's making. */
export function ordinalOf(set: KubeObject, pod: KubeObject): number {
  const prefix = `${set.metadata.name ?? ''}-`
  const name = pod.metadata.name ?? ''
  const rest = name.slice(prefix.length)
  return name.startsWith(prefix) && /^\d+$/u.test(rest) ? Number(rest) : -1
}

export function startOf(set: KubeObject): number {
  return numberAt(objectAt(objectAt(set, 'spec'), 'ordinals'), 'start') ?? 0
}

const claimTemplates = (set: KubeObject): readonly Json[] => objectsAt(objectAt(set, 'spec'), 'volumeClaimTemplates')
const templateName = (template: Json): string => textAt(objectAt(template, 'metadata'), 'name')

function claimName(set: KubeObject, template: Json, ordinal: number): string {
  return `${templateName(template)}-${set.metadata.name ?? ''}-${ordinal}`
}

/** A pod with its stable name, host name and claims. */
export function createSetPod(host: Host, set: KubeObject, ordinal: number, revision: KubeObject): void {
  for (const template of claimTemplates(set)) ensureClaim(host, set, template, ordinal)
  const name = `${set.metadata.name ?? ''}-${ordinal}`
  const pod = podFromTemplate(templateOf(revision), set, { name })
  pod.metadata.labels = {
    ...pod.metadata.labels,
    [revisionHash]: revision.metadata.name ?? '',
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
  }
  const spec = ensureObject(pod, 'spec')
  spec['hostname'] = name
  spec['subdomain'] = textAt(objectAt(set, 'spec'), 'serviceName')
  const own = claimTemplates(set).map((template) => ({
    name: templateName(template),
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }))
  const names = new Set(own.map((volume) => volume.name))
  const others = objectsAt(spec, 'volumes').filter((volume) => !names.has(textAt(volume, 'name')))
  spec['volumes'] = [...own, ...others]
  try {
    host.create(pods, pod)
    host.event(
      set,
      'Normal',
      'SuccessfulCreate',
      `create Pod ${name} in StatefulSet successful`,
      'statefulset-controller',
    )
  } catch (error) {
    if (!HostError.is(error) || error.reason === 'AlreadyExists') return
    host.event(
      set,
      'Warning',
      'FailedCreate',
      `create Pod ${name} failed error: ${error.message}`,
      'statefulset-controller',
    )
    throw error
  }
}

function ensureClaim(host: Host, set: KubeObject, template: Json, ordinal: number): void {
  const { namespace = '' } = set.metadata
  const name = claimName(set, template, ordinal)
  if (host.get(claims, namespace, name)) return
  const metadata = objectAt(template, 'metadata') ?? {}
  const selector = textMapAt(objectAt(objectAt(set, 'spec'), 'selector'), 'matchLabels')
  host.create(claims, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      namespace,
      labels: { ...textMapAt(metadata, 'labels'), ...selector },
      annotations: { ...textMapAt(metadata, 'annotations') },
    },
    spec: privateCopy(objectAt(template, 'spec') ?? {}),
  })
}

/** Claims belong to the set, or to their pod, where they are to be deleted with it. */
export function retainClaims(
  host: Host,
  set: KubeObject,
  present: readonly KubeObject[],
  start: number,
  replicas: number,
): void {
  const policy = objectAt(objectAt(set, 'spec'), 'persistentVolumeClaimRetentionPolicy')
  const withSet = textAt(policy, 'whenDeleted') === 'Delete'
  const withScale = textAt(policy, 'whenScaled') === 'Delete'
  for (const pod of present) {
    const ordinal = ordinalOf(set, pod)
    const condemned = ordinal < start || ordinal >= start + replicas
    for (const template of claimTemplates(set)) {
      const claim = host.get(claims, set.metadata.namespace ?? '', claimName(set, template, ordinal))
      if (!claim) continue
      const wanted = withScale && condemned ? owner(pod) : withSet ? owner(set) : undefined
      setOwner(host, claim, [set, pod], wanted)
    }
  }
}

function owner(object: KubeObject): OwnerReference {
  const { blockOwnerDeletion: _, ...reference } = controllerReference(object)
  return reference
}

function setOwner(
  host: Host,
  claim: KubeObject,
  ours: readonly KubeObject[],
  wanted: OwnerReference | undefined,
): void {
  const uids = new Set(ours.map((object) => object.metadata.uid))
  const before = claim.metadata.ownerReferences ?? []
  const foreign = before.filter((reference) => !uids.has(reference.uid))
  const next = wanted ? [...foreign, wanted] : foreign
  if (!sameJson(before, next)) host.patch(claims, claim, { metadata: { ownerReferences: next } })
}
