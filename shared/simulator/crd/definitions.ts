import { rfc3339 } from '../clock.ts'
import type { Clock } from '../clock.ts'
import { tracked } from '../endpoints/managed.ts'
import { storageVersionHash } from '../endpoints/discovery.ts'
import type { ResourceRegistry } from '../endpoints/registry.ts'
import type { ResourceType, SubresourceType } from '../endpoints/resource-type.ts'
import { isObject, privateCopy, sameJson, textAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import type { Store, StoreEvent } from '../storage/store.ts'
import { customBehaviour } from './custom-kind.ts'
import { versionsOf } from './custom-version.ts'
import type { CustomVersion } from './custom-version.ts'
import { cleanupFinalizer, isTrue, setCondition } from './definition-status.ts'
import { withDefaults } from './default-values.ts'

const definitionsKey = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']
const subresourceVerbs = ['get', 'patch', 'update']

interface World {
  readonly store: Store
  readonly registry: ResourceRegistry
  readonly clock: Clock
}

interface Served {
  /** The definition these types were made of. */
  readonly spec: unknown
  readonly types: readonly ResourceType[]
}

/** Serves what the stored CustomResourceDefinitions define, accepts their names and ends those that are deleted. */
export class Definitions {
  readonly #world: World
  readonly #served = new Map<string, Served>()

  constructor(world: World) {
    this.#world = world
    world.store.subscribe({ event: (event) => this.#onEvent(event), replaced: () => this.#reload() })
    this.#reload()
  }

  #reload(): void {
    this.#served.clear()
    for (const definition of this.#world.store.list(definitionsKey)) this.#serve(definition)
    this.#publish()
  }

  #onEvent(event: StoreEvent): void {
    if (event.resource.resource === definitionsKey.resource && event.resource.group === definitionsKey.group) {
      if (event.type === 'DELETED') {
        this.#served.delete(event.name)
        this.#publish()
        return
      }
      // What is said here may already be history: an earlier listener may have written again.
      const definition = this.#world.store.get(definitionsKey, '', event.name)
      if (definition !== undefined) this.#settle(definition)
      return
    }
    if (event.type === 'DELETED') this.#onInstanceGone(event)
  }

  #onInstanceGone({ resource }: StoreEvent): void {
    const definition = this.#world.store.get(definitionsKey, '', `${resource.resource}.${resource.group}`)
    if (definition?.metadata.deletionTimestamp !== undefined) this.#settle(definition)
  }

  #settle(definition: KubeObject): void {
    if (definition.metadata.deletionTimestamp !== undefined) {
      this.#serve(definition)
      this.#publish()
      this.#end(definition)
      return
    }
    this.#establish(definition)
    const { name = '' } = definition.metadata
    if (this.#served.get(name)?.spec === definition['spec']) return
    if (sameJson(this.#served.get(name)?.spec, definition['spec'])) return
    this.#serve(definition)
    this.#publish()
  }

  /** The naming and establishing controllers of apiextensions, in one step. */
  #establish(definition: KubeObject): void {
    const now = rfc3339(this.#world.clock.now())
    const next = privateCopy(definition)
    const names = isObject(next['spec']) ? next['spec']['names'] : {}
    const status = isObject(next['status']) ? next['status'] : {}
    next['status'] = { ...status, acceptedNames: privateCopy(names) }
    setCondition(
      next,
      { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
      now,
    )
    if (!isTrue(next, 'Established')) {
      setCondition(
        next,
        {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
        now,
      )
    }
    this.#writeStatus(definition, next)
  }

  #writeStatus(live: KubeObject, next: KubeObject): void {
    if (sameJson(live, next)) return
    const type = this.#world.registry.find(definitionsKey.group, 'v1', definitionsKey.resource)
    if (type === undefined) return
    this.#world.store.put(definitionsKey, tracked(this.#world, type, live, next, 'kube-apiserver', 'status'))
  }

  /** Deletes what is left of the kind; the last one gone, the definition follows. */
  #end(definition: KubeObject): void {
    const { store, clock } = this.#world
    const { metadata } = definition
    if (!(metadata.finalizers ?? []).includes(cleanupFinalizer)) return
    const resource = {
      group: textAt(definition, 'spec', 'group'),
      resource: textAt(definition, 'spec', 'names', 'plural'),
    }
    const now = rfc3339(clock.now())
    for (const instance of store.list(resource)) this.#deleteInstance(resource, instance, now)
    if (store.count(resource) > 0) {
      const next = privateCopy(definition)
      setCondition(
        next,
        {
          type: 'Terminating',
          status: 'True',
          reason: 'InstanceDeletionInProgress',
          message: 'CustomResource deletion is in progress',
        },
        now,
      )
      this.#writeStatus(definition, next)
      return
    }
    const current = store.get(definitionsKey, '', metadata.name ?? '')
    if (current === undefined) return
    const next = privateCopy(current)
    const left = (next.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer)
    if (left.length === 0) {
      store.remove(definitionsKey, '', metadata.name ?? '')
      return
    }
    next.metadata.finalizers = left
    store.put(definitionsKey, next)
  }

  #deleteInstance(
    resource: { readonly group: string; readonly resource: string },
    instance: KubeObject,
    now: string,
  ): void {
    const { store } = this.#world
    const { namespace = '', name = '', finalizers = [], deletionTimestamp } = instance.metadata
    if (finalizers.length === 0) store.remove(resource, namespace, name)
    else if (deletionTimestamp === undefined) {
      const next = privateCopy(instance)
      next.metadata.deletionTimestamp = now
      next.metadata.deletionGracePeriodSeconds = 0
      next.metadata.generation = (next.metadata.generation ?? 0) + 1
      store.put(resource, next)
    }
  }

  #serve(definition: KubeObject): void {
    const { name = '' } = definition.metadata
    this.#served.set(name, { spec: definition['spec'], types: typesOf(definition) })
  }

  #publish(): void {
    this.#world.registry.setCustom([...this.#served.values()].flatMap(({ types }) => types))
  }
}

function typesOf(definition: KubeObject): ResourceType[] {
  const versions = versionsOf(definition)
  const storage = versions.find((version) => version.storage)
  return versions.filter((version) => version.served).map((version) => typeOf(definition, version, storage ?? version))
}

function typeOf(definition: KubeObject, version: CustomVersion, storage: CustomVersion): ResourceType {
  const group = textAt(definition, 'spec', 'group')
  const names = isObject(definition['spec']) && isObject(definition['spec']['names']) ? definition['spec']['names'] : {}
  const resource = textAt(names, 'plural')
  const stored = `${group}/${storage.name}`
  const served = `${group}/${version.name}`
  return {
    group,
    version: version.name,
    resource,
    kind: version.kind,
    listKind: textAt(names, 'listKind') || `${version.kind}List`,
    singular: textAt(names, 'singular'),
    shortNames: texts(names['shortNames']),
    categories: texts(names['categories']),
    namespaced: version.namespaced,
    verbs: customVerbs,
    storageVersionHash: version.storage ? storageVersionHash(group, version.name, version.kind) : undefined,
    subresources: subresourcesOf(version),
    storage: { group, resource },
    custom: true,
    openAPIV3Schema: version.openAPIV3Schema,
    deprecation: version.deprecationWarning,
    ending: definition.metadata.deletionTimestamp !== undefined,
    scale: version.scale,
    behaviour: customBehaviour(version),
    fromStorage: reader(served, version),
    toStorage: (object) => (object.apiVersion === stored ? object : { ...object, apiVersion: stored }),
  }
}

/** Stored objects get the version's name, and defaults that the schema has learned since. */
function reader(apiVersion: string, { schema }: CustomVersion): (stored: KubeObject) => KubeObject {
  const seen = new WeakMap<KubeObject, KubeObject>()
  return (stored) => {
    const known = seen.get(stored)
    if (known !== undefined) return known
    const filled = (schema.hasDefaults ? withDefaults(stored, schema) : stored) as KubeObject
    const object = filled.apiVersion === apiVersion ? filled : { ...filled, apiVersion }
    seen.set(stored, object)
    return object
  }
}

function subresourcesOf({ kind, hasStatus, scale }: CustomVersion): ReadonlyMap<string, SubresourceType> {
  const found = new Map<string, SubresourceType>()
  if (hasStatus) found.set('status', { name: 'status', kind, group: '', version: '', verbs: subresourceVerbs })
  if (scale !== undefined) {
    found.set('scale', { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: subresourceVerbs })
  }
  return found
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
}
