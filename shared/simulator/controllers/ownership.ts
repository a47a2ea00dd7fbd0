import { selectorMatches, selectsAll } from '../kinds/checks.ts'
import type { Json } from '../kinds/json.ts'
import { objectAt } from '../kinds/json.ts'
import type { KubeObject, OwnerReference } from '../object.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import type { Resource } from './resources.ts'

/** A reference that makes the object the controller of whoever carries it. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { name = '', uid = '' } = owner.metadata
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true }
}

/**
 * The objects of a resource that belong to an owner: those it controls and that still match its selector, and matching ones
 * that nobody controls, which it takes over. Controlled ones that no longer match are let go.
 */
export function claimed(host: Host, owner: KubeObject, resource: Resource, selector: Json | undefined): KubeObject[] {
  const { uid = '', namespace = '', deletionTimestamp } = owner.metadata
  const mine = host.index.controlled(uid, resource)
  if (!selector || selectsAll(selector)) return mine
  const kept = mine.flatMap((object) => {
    if (selectorMatches(selector, object.metadata.labels ?? {})) return [object]
    if (deletionTimestamp === undefined && object.metadata.deletionTimestamp === undefined)
      release(host, resource, object, uid)
    return []
  })
  if (deletionTimestamp !== undefined) return kept
  const adopted = host.index
    .uncontrolled(resource, namespace)
    .filter((o) => o.metadata.deletionTimestamp === undefined && selectorMatches(selector, o.metadata.labels ?? {}))
    .flatMap((object) => adopt(host, resource, object, owner))
  return [...kept, ...adopted]
}

function adopt(host: Host, resource: Resource, object: KubeObject, owner: KubeObject): KubeObject[] {
  const ownerReferences = [...(object.metadata.ownerReferences ?? []), controllerReference(owner)]
  return tolerant(() => host.patch(resource, object, { metadata: { ownerReferences, uid: object.metadata.uid } }))
}

function release(host: Host, resource: Resource, object: KubeObject, uid: string): void {
  const ownerReferences = (object.metadata.ownerReferences ?? []).filter((owner) => owner.uid !== uid)
  tolerant(() => host.patch(resource, object, { metadata: { ownerReferences } }))
}

/** The result in a list; nothing where the object is gone or changed meanwhile. */
function tolerant(write: () => KubeObject): KubeObject[] {
  try {
    return [write()]
  } catch (error) {
    if (HostError.is(error) && (error.status === 404 || error.status === 409)) return []
    throw error
  }
}

export const selectorOf = (owner: KubeObject): Json | undefined => objectAt(objectAt(owner, 'spec'), 'selector')

/** By creation, oldest first, names deciding between equals. */
export function byAge(a: KubeObject, b: KubeObject): number {
  const [x, y] = [a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '']
  if (x !== y) return x < y ? -1 : 1
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
