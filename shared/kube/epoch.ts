import { hash } from 'node:crypto'
import type { GroupKind } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import type { Discovery } from './discovery.ts'
import { listAll } from './list.ts'
import type { LiveDecoder } from './live-object.ts'
import type { OpenApiIndex } from './openapi-index.ts'
import type { ServedResource } from './resource-path.ts'
import type { Transport } from './transport.ts'

/**
 * Objects that change what the server makes of other objects. A kind that the server does not serve counts as empty.
 * Source: kube-apiserver's admission plugins and conversion, v1.36.
 */
const epochKinds: readonly GroupKind[] = [
  { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' },
  { group: 'admissionregistration.k8s.io', kind: 'MutatingWebhookConfiguration' },
  { group: 'admissionregistration.k8s.io', kind: 'ValidatingWebhookConfiguration' },
  { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicy' },
  { group: 'admissionregistration.k8s.io', kind: 'ValidatingAdmissionPolicyBinding' },
  { group: 'admissionregistration.k8s.io', kind: 'MutatingAdmissionPolicy' },
  { group: 'admissionregistration.k8s.io', kind: 'MutatingAdmissionPolicyBinding' },
  { group: '', kind: 'LimitRange' },
]

/** @returns whether objects of a kind change what the server makes of others. */
export function isEpochKind({ group, kind }: GroupKind): boolean {
  return epochKinds.some((other) => other.group === group && other.kind === kind)
}

/** The kinds of `epochKinds` that this server serves. */
export async function servedEpochKinds(discovery: Discovery, options: Cancellable): Promise<readonly ServedResource[]> {
  const catalogue = await discovery.all(options)
  return epochKinds.flatMap(({ group, kind }) => catalogue.byGroupKind.get(`${group}|${kind}`)?.[0] ?? [])
}

/** Which states of a collection the server had: one line an object, or why it could not be read. */
export async function collectionState(
  source: { readonly transport: Transport; readonly decoder: LiveDecoder; readonly served: ServedResource },
  options: Cancellable,
): Promise<readonly string[]> {
  try {
    const { objects } = await listAll({ ...source, namespace: '', metadataOnly: true }, options)
    return objects.map((live) => `${live.uid}@${live.resourceVersion}`)
  } catch (error) {
    // Who may not see them learns of their changes by the schema's hashes alone.
    if (ClusterError.is(error, 'forbidden') || ClusterError.is(error, 'not-found')) return [error.reason]
    throw error
  }
}

/** One text that changes whenever a part does, whatever the order in which the parts came. */
export function epochOf(
  version: string,
  index: OpenApiIndex,
  collections: ReadonlyMap<string, readonly string[]>,
): string {
  const lines = [
    `version ${version}`,
    ...[...index].map(([name, url]) => `schema ${name} ${url}`),
    ...[...collections].flatMap(([name, states]) => states.map((state) => `object ${name} ${state}`)),
  ]
  return hash('sha256', lines.sort().join('\n'), 'hex')
}
