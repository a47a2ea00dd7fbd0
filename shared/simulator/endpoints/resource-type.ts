import type { KubeObject } from '../object.ts'
import type { ResourceKey } from '../storage/store.ts'
import type { Behaviour } from './behaviour.ts'
import type { ScalePaths } from './scale-paths.ts'

export interface SubresourceType {
  readonly name: string
  readonly kind: string
  /** Empty where it is the resource's own. */
  readonly group: string
  readonly version: string
  readonly verbs: readonly string[]
}

/** One resource in one served version. */
export interface ResourceType {
  readonly group: string
  readonly version: string
  /** Plural name, as in the path. */
  readonly resource: string
  readonly kind: string
  readonly listKind: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly string[]
  readonly storageVersionHash: string | undefined
  readonly subresources: ReadonlyMap<string, SubresourceType>
  /** Where its objects live; versions of one resource share them. */
  readonly storage: ResourceKey
  /** Defined by a CustomResourceDefinition. */
  readonly custom: boolean
  /** The schema of a custom resource as its definition has it. */
  readonly openAPIV3Schema: unknown
  /** What a client of this version is warned of, whatever it asks. */
  readonly deprecation: string | undefined
  /** The definition is being deleted: nothing new is taken. */
  readonly ending: boolean
  /** Where `/scale` looks; undefined for the built-in paths. */
  readonly scale: ScalePaths | undefined
  /** How objects of this version are read, checked and merged. */
  readonly behaviour: Behaviour
  /** Turns a stored object into this version; the same object where nothing differs. */
  readonly fromStorage: (stored: KubeObject) => KubeObject
  /** Turns an object of this version into what is stored. */
  readonly toStorage: (object: KubeObject) => KubeObject
}

/** What a body is read as: an object of a resource, or what stands for it, as a Scale does. */
export type DocumentType = Pick<ResourceType, 'group' | 'version' | 'kind' | 'custom'> & {
  readonly behaviour: Pick<Behaviour, 'decode' | 'schema'> & {
    readonly strategy: Pick<Behaviour['strategy'], 'setDefaults'>
  }
}

export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`
}

/** The resource as error texts name it. */
export function groupResource(type: ResourceType): { readonly group: string; readonly name: string } {
  return { group: type.group, name: type.resource }
}

/** The kind as error texts name it. */
export function groupKind(type: ResourceType): { readonly group: string; readonly name: string } {
  return { group: type.group, name: type.kind }
}
