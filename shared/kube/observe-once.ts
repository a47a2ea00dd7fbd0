import type { GroupVersionKind } from '../model/kubernetes.ts'
import type { Cancellable, ObserveScope } from '../model/ports.ts'
import { isCancelled } from '../base/abort.ts'
import { ClusterError } from './cluster-error.ts'
import { KindStore } from './kind-store.ts'
import { listAll } from './list.ts'
import type { ListSource } from './list.ts'
import { makeView } from './live-view.ts'
import type { ObservedView, ObserveFailure, ViewedKind } from './live-view.ts'
import type { ServedResource } from './resource-path.ts'

/** How kinds are found and read. */
export type Reader = Omit<ListSource, 'served' | 'namespace' | 'metadataOnly'> & {
  /** @throws ClusterError where the server has no such kind */
  readonly resolve: (gvk: GroupVersionKind, options: Cancellable) => Promise<ServedResource>
}

/** Up to so many namespaces are read one by one; more of them cost less together, with what else is there. */
export const fewNamespaces = 8

/** Lists what is asked for, all at once, and keeps nothing: for a command that looks once. */
export async function observeOnce(reader: Reader, asked: ObserveScope, options: Cancellable): Promise<ObservedView> {
  const scope = namedNamespaces(asked)
  const kinds = distinctKinds(scope.kinds)
  const looks = await Promise.all(kinds.map((gvk) => lookOnce(reader, gvk, scope.namespaces, options)))
  const viewed = looks.flatMap((look) => look.viewed ?? [])
  const failures = looks.flatMap((look) => look.failures)
  return makeView(viewed, scope.namespaces, failures, undefined)
}

type Look = { readonly viewed: ViewedKind | undefined; readonly failures: readonly ObserveFailure[] }

async function lookOnce(
  reader: Reader,
  gvk: GroupVersionKind,
  namespaces: ReadonlySet<string>,
  options: Cancellable,
): Promise<Look> {
  let served: ServedResource
  try {
    served = await reader.resolve(gvk, options)
  } catch (error) {
    return { viewed: undefined, failures: [failureOf(gvk, error)] }
  }
  const store = new KindStore()
  const failures: ObserveFailure[] = []
  const read = async (namespace: string): Promise<void> => {
    const { objects } = await listAll({ ...reader, served, namespace }, options)
    store.replace(namespace, objects)
  }
  const readEach = async (): Promise<void> => {
    const problems = await Promise.all([...namespaces].map((namespace) => problemOf(read(namespace))))
    for (const problem of problems) if (problem !== undefined) failures.push(failureOf(gvk, problem))
  }
  if (served.namespaced && namespaces.size <= fewNamespaces) {
    await readEach()
  } else {
    const problem = await problemOf(read(''))
    if (served.namespaced && ClusterError.is(problem, 'forbidden')) await readEach()
    else if (problem !== undefined) failures.push(failureOf(gvk, problem))
  }
  return { viewed: { gvk, namespaced: served.namespaced, snapshot: store.snapshot() }, failures }
}

/** @returns the ClusterError that ended the work, undefined when it succeeded. @throws anything else */
export async function problemOf(work: Promise<unknown>): Promise<ClusterError | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (ClusterError.is(error)) return error
    throw error
  }
}

/** @throws what is not a server's refusal: a cancel, a mistake of ours */
export function failureOf({ group, version, kind }: GroupVersionKind, error: unknown): ObserveFailure {
  if (isCancelled(error) || !ClusterError.is(error)) throw error
  return { gvk: { group, version, kind }, message: error.message, reason: error.reason }
}

/** The empty namespace is that of cluster-scoped objects, which need none; here it would mean all of them. */
export function namedNamespaces(scope: ObserveScope): ObserveScope {
  if (!scope.namespaces.has('')) return scope
  return { ...scope, namespaces: new Set([...scope.namespaces].filter((namespace) => namespace !== '')) }
}

export function distinctKinds(kinds: readonly GroupVersionKind[]): readonly GroupVersionKind[] {
  return [...new Map(kinds.map((gvk) => [`${gvk.group}|${gvk.version}|${gvk.kind}`, gvk])).values()]
}
