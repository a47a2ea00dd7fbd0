import { deducedSchema } from '../../fields/schema.ts'
import type { Schema } from '../../fields/schema.ts'
import { builtInCatalogue } from '../../kubernetes/built-in.ts'
import discoveryData from '../../kubernetes/discovery-v1.36.json' with { type: 'json' }
import { definitionStrategy } from '../crd/definition-strategy.ts'
import { decodeObject } from '../kinds/codec.ts'
import { strategyFor } from '../kinds/registry.ts'
import { splitApiVersion } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { builtInTable } from '../printers/built-in-table.ts'
import type { Behaviour } from './behaviour.ts'
import { conversionOf } from './conversions.ts'
import type { ResourceType, SubresourceType } from './resource-type.ts'

interface DiscoveredResource {
  readonly name: string
  readonly singularName: string
  readonly namespaced: boolean
  readonly kind: string
  readonly verbs: readonly string[]
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly storageVersionHash?: string
  readonly group?: string
  readonly version?: string
}

/** Kinds whose finished DELETE answers with the object (their registries set ReturnDeletedObject). */
const returningDeleted: ReadonlySet<string> = new Set([
  '/namespaces',
  '/persistentvolumeclaims',
  '/persistentvolumes',
  '/pods',
  '/podtemplates',
  '/resourcequotas',
  '/serviceaccounts',
  '/services',
  'resource.k8s.io/deviceclasses',
  'resource.k8s.io/devicetaintrules',
  'resource.k8s.io/resourceclaims',
  'resource.k8s.io/resourceclaimtemplates',
  'resource.k8s.io/resourceslices',
  'storage.k8s.io/csidrivers',
  'storage.k8s.io/csinodes',
  'storage.k8s.io/storageclasses',
  'storage.k8s.io/volumeattachments',
  'storage.k8s.io/volumeattributesclasses',
])

const deprecations: Readonly<Record<string, string>> = {
  'v1 componentstatuses': 'v1 ComponentStatus is deprecated in v1.19+',
  'v1 endpoints': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
}

/** What the recorded server lists in its discovery documents, ready to be served. */
export function builtInTypes(): ResourceType[] {
  const documents: Readonly<Record<string, object>> = discoveryData
  return Object.values(documents).flatMap((document) => {
    const { groupVersion, resources } = document as { groupVersion?: string; resources?: DiscoveredResource[] }
    if (groupVersion === undefined || resources === undefined) return []
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map((resource) => typeOf(groupVersion, resource, subresourcesOf(resources, resource.name)))
  })
}

function subresourcesOf(resources: readonly DiscoveredResource[], name: string): ReadonlyMap<string, SubresourceType> {
  const found = new Map<string, SubresourceType>()
  for (const { name: full, kind, group = '', version = '', verbs } of resources) {
    if (!full.startsWith(`${name}/`)) continue
    const own = full.slice(name.length + 1)
    found.set(own, { name: own, kind, group, version, verbs })
  }
  return found
}

function typeOf(
  groupVersion: string,
  entry: DiscoveredResource,
  subresources: ReadonlyMap<string, SubresourceType>,
): ResourceType {
  const [group, version] = splitApiVersion(groupVersion)
  const conversion = conversionOf(groupVersion, entry.name)
  return {
    group,
    version,
    resource: entry.name,
    kind: entry.kind,
    listKind: `${entry.kind}List`,
    singular: entry.singularName,
    shortNames: entry.shortNames ?? [],
    categories: entry.categories ?? [],
    namespaced: entry.namespaced,
    verbs: entry.verbs,
    storageVersionHash: entry.storageVersionHash,
    subresources,
    storage: conversion?.storage ?? { group, resource: entry.name },
    custom: false,
    openAPIV3Schema: undefined,
    deprecation: deprecations[`${groupVersion} ${entry.name}`],
    ending: false,
    scale: undefined,
    behaviour: behaviourOf(group, version, entry),
    fromStorage: conversion?.fromStorage ?? same,
    toStorage: conversion?.toStorage ?? same,
  }
}

function same(object: KubeObject): KubeObject {
  return object
}

/** Parts that are costly to make are made when first used: most servers never see most kinds. */
function behaviourOf(group: string, version: string, { name, kind }: DiscoveredResource): Behaviour {
  let schema: Schema | undefined
  let strategy: Behaviour['strategy'] | undefined
  let table: Behaviour['table'] | undefined
  return {
    get strategy() {
      return (strategy ??= name === 'customresourcedefinitions' ? definitionStrategy : strategyFor(group, name))
    },
    get schema() {
      return (schema ??= builtInCatalogue().schemaFor(group, version, kind) ?? deducedSchema)
    },
    get table() {
      return (table ??= builtInTable(group, name))
    },
    strategicPatch: true,
    returnsDeleted: returningDeleted.has(`${group}/${name}`),
    decode: decodeObject,
  }
}
