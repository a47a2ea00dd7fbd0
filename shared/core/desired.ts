import type { Application } from '../model/application.ts'
import type { Failure } from '../model/failure.ts'
import { canonicalJson, isObject, type Json, type JsonObject } from '../model/json.ts'
import {
  apiVersionOf,
  gvkOf,
  groupKindKey,
  idOf,
  resourceKey,
  type GroupVersionKind,
  type KubeObject,
  type ResourceId,
} from '../model/kubernetes.ts'
import type { Manifest } from '../model/manifest.ts'
import type { KindFacts } from '../model/ports.ts'
import { toBase64 } from './base64.ts'
import { roleOf } from './hooks/read-hook.ts'
import { knownFields } from './known-fields.ts'
import { hasSyncOption } from './options.ts'
import { compareForApply } from './order.ts'
import type { PassContext } from './pass-context.ts'
import { TRACKING_ANNOTATION, trackingId } from './tracking.ts'

/** One object as a sync would send it. */
export type Desired = {
  readonly id: ResourceId
  /** The id as one string. */
  readonly key: string
  readonly gvk: GroupVersionKind
  /** Undefined while the server does not serve the kind (yet). */
  readonly kind: KindFacts | undefined
  readonly object: KubeObject
  readonly digest: string
  readonly manifest: Manifest
  /** True for what a sync needs but the application does not own: the namespace that CreateNamespace makes. */
  readonly support: boolean
}

export type DesiredState = {
  /** By key, in the order in which a sync applies them. */
  readonly objects: ReadonlyMap<string, Desired>
  /** What runs at some point of a sync and is no part of the lasting state; with generateName they have no name yet. */
  readonly hooks: readonly Desired[]
  readonly failures: readonly Failure[]
}

/** What is kept between passes, so that an unchanged manifest is not prepared again. */
export type PreparedMemory = WeakMap<KubeObject, Desired>

/**
 * Turns manifests into what a sync would send: the destination's namespace where none is written, the tracking id,
 * a Secret's `stringData` as `data`, and nothing that only a server may set.
 */
export async function prepareDesired(pass: PassContext, manifests: readonly Manifest[]): Promise<DesiredState> {
  const state = await desiredOf(pass, manifests)
  // A deletion wants nothing but the hooks that go with it.
  return pass.request.teardown === true ? { objects: new Map(), hooks: state.hooks, failures: [] } : state
}

async function desiredOf(pass: PassContext, manifests: readonly Manifest[]): Promise<DesiredState> {
  const known = pass.memory.desiredOf(manifests)
  if (known !== undefined) return known
  const scopes = scopesOfDefinitions(manifests)
  const objects = new Map<string, Desired>()
  const hooks: Desired[] = []
  const failures: Failure[] = []
  for (const manifest of manifests) {
    const role = roleOf(manifest.object).kind
    if (role === 'skipped') continue
    const desired = await prepareOne(manifest, scopes, pass)
    if (role === 'hook') {
      hooks.push(desired)
      continue
    }
    const twin = objects.get(desired.key)
    if (twin === undefined) objects.set(desired.key, desired)
    else failures.push(duplicate(desired, twin))
  }
  const state = { objects: inApplyOrder(objects), hooks, failures }
  pass.memory.keepDesired(manifests, state)
  return state
}

function inApplyOrder(objects: ReadonlyMap<string, Desired>): ReadonlyMap<string, Desired> {
  return new Map([...objects].sort(([, a], [, b]) => compareForApply(a.id, b.id)))
}

async function prepareOne(
  manifest: Manifest,
  scopes: ReadonlyMap<string, boolean>,
  { application, ports, memory, cancel }: PassContext,
): Promise<Desired> {
  const known = memory.prepared.get(manifest.object)
  if (known?.kind !== undefined) return known
  const gvk = gvkOf(manifest.object)
  const kind = await ports.cluster.kind(gvk, cancel)
  const namespaced = kind?.namespaced ?? scopes.get(groupKindKey(gvk)) ?? true
  const whole = cleaned(manifest.object, namespaced, application)
  const lax = kind?.schema !== undefined && hasSyncOption(application, whole, 'Validate', 'false')
  const object = lax ? (knownFields(whole, kind.schema) as KubeObject) : whole
  const id = idOf(object)
  const desired: Desired = {
    id,
    key: resourceKey(id),
    gvk,
    kind,
    object,
    digest: ports.digest(canonicalJson(object)),
    manifest,
    support: false,
  }
  memory.prepared.set(manifest.object, desired)
  return desired
}

function cleaned(source: KubeObject, namespaced: boolean, application: Application): KubeObject {
  const { status: _status, ...rest } = source
  const metadata: Record<string, Json | undefined> = { ...source.metadata }
  for (const field of SERVER_METADATA) delete metadata[field]
  if (namespaced) metadata['namespace'] = source.metadata.namespace ?? (application.destination.namespace || 'default')
  else delete metadata['namespace']
  const draft = { ...rest, metadata } as unknown as KubeObject
  metadata['annotations'] = {
    ...source.metadata.annotations,
    [TRACKING_ANNOTATION]: trackingId(application, idOf(draft)),
  }
  return gvkOf(source).group === '' && source.kind === 'Secret' ? withDataOnly(draft) : draft
}

const SERVER_METADATA = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]

/** `stringData` is write-only and wins over `data`; sent as `data`, a key that leaves Git leaves the cluster too. */
function withDataOnly(secret: KubeObject): KubeObject {
  const { stringData, ...rest } = secret
  if (!isObject(stringData)) return secret
  const texts = Object.entries(stringData)
  // The server refuses values that are not strings, with a better message than a guess here would give.
  if (texts.some(([, value]) => typeof value !== 'string')) return secret
  const encoded = texts.map(([key, value]) => [key, toBase64(value as string)])
  const data: JsonObject = { ...(isObject(secret['data']) ? secret['data'] : {}), ...Object.fromEntries(encoded) }
  return { ...rest, data }
}

/** Scope of the kinds that the same set of manifests defines, by group and kind. */
function scopesOfDefinitions(manifests: readonly Manifest[]): ReadonlyMap<string, boolean> {
  const scopes = new Map<string, boolean>()
  for (const { object } of manifests) {
    if (object.kind !== 'CustomResourceDefinition') continue
    const spec = object['spec']
    if (!isObject(spec) || !isObject(spec['names'])) continue
    const { group } = spec
    const { kind } = spec['names']
    if (typeof group !== 'string' || typeof kind !== 'string') continue
    scopes.set(groupKindKey({ group, kind }), spec['scope'] !== 'Cluster')
  }
  return scopes
}

function duplicate(desired: Desired, twin: Desired): Failure {
  const place = desired.manifest.origin
  const other = twin.manifest.origin
  const where = other === undefined ? '' : `; the first is in ${other.file} line ${other.start.line}`
  return {
    stage: 'render',
    reason: 'duplicate-object',
    message: `${apiVersionOf(desired.gvk)} ${desired.gvk.kind} ${desired.id.namespace}/${desired.id.name} is written twice${where}`,
    ...(place === undefined ? {} : { place: { file: place.file, ...place.start } }),
  }
}
