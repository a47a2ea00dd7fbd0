import type { Application } from '../model/application.ts'
import type { KubeObject, ResourceId } from '../model/kubernetes.ts'

/** Argo CD's annotation; written the same way, so that Argo CD can take over without a difference. */
export const TRACKING_ANNOTATION = 'argocd.argoproj.io/tracking-id'

/** `app:group/Kind:namespace/name`; empty parts stay empty (Argo CD `docs/user-guide/resource_tracking.md`). */
export function trackingId(application: Pick<Application, 'name'>, id: ResourceId): string {
  return `${application.name}:${id.group}/${id.kind}:${id.namespace}/${id.name}`
}

export type Tracking = { readonly application: string; readonly id: ResourceId }

/**
 * What an object's annotation says of its owner. Undefined without the annotation, and where the annotation names
 * another object than the one it is on (a copy): then it counts neither for status nor for pruning.
 */
export function trackingOf(object: KubeObject, id: ResourceId): Tracking | undefined {
  const text = object.metadata.annotations?.[TRACKING_ANNOTATION]
  if (text === undefined) return undefined
  const first = text.indexOf(':')
  const second = text.indexOf(':', first + 1)
  if (first < 0 || second < 0) return undefined
  const [group, kind] = splitOnce(text.slice(first + 1, second), '/')
  const [namespace, name] = splitOnce(text.slice(second + 1), '/')
  const named = { group, kind, namespace, name }
  const same =
    group === id.group && kind === id.kind && name === id.name && (namespace === id.namespace || id.namespace === '')
  return same ? { application: text.slice(0, first), id: named } : undefined
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + 1)]
}
