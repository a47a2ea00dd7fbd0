import type { KubeObject } from '../model/kubernetes.ts'
import { ApiServer, type ApiServerOptions } from '../simulator/api-server.ts'
import { bootstrap } from '../simulator/bootstrap.ts'
import type { KubeObject as StoredObject } from '../simulator/object.ts'
import type { MemoryStore } from '../simulator/storage/memory-store.ts'
import { tableName, type ResourceKey } from '../simulator/storage/store.ts'

let bootstrapped: MemoryStore | undefined

/** A fork of a server that has what every cluster has from the start. */
function freshStore(): MemoryStore {
  if (bootstrapped === undefined) {
    const server = new ApiServer()
    bootstrap(server)
    bootstrapped = server.store
  }
  return bootstrapped.fork()
}

type Entry = readonly [ResourceKey, StoredObject]

const DEFINITION = 'CustomResourceDefinition'

/**
 * A server that holds exactly the recorded objects, uid, resourceVersion, owners and status included, and what every
 * cluster has besides. @returns also the objects whose kind it does not serve
 */
export function filledServer<T extends ApiServer>(
  make: (options: ApiServerOptions) => T,
  objects: readonly KubeObject[],
): { readonly server: T; readonly unserved: readonly KubeObject[] } {
  const store = freshStore()
  const server = make({ store })
  const definitions = objects.filter(({ kind }) => kind === DEFINITION)
  // Kinds that definitions bring are served once they are there.
  if (definitions.length > 0) load(server, definitions)
  const unserved = load(server, objects)
  return { server, unserved }
}

function load(server: ApiServer, objects: readonly KubeObject[]): readonly KubeObject[] {
  const { store } = server
  const types = new Map([...server.registry.all()].map((type) => [`${type.group}/${type.version}/${type.kind}`, type]))
  const entries = new Map<string, Entry>()
  for (const entry of store.state().objects) entries.set(keyOf(entry), entry)
  const unserved: KubeObject[] = []
  let newest = store.resourceVersion
  for (const object of objects) {
    const version = object.apiVersion.includes('/') ? object.apiVersion : `/${object.apiVersion}`
    const type = types.get(`${version}/${object.kind}`)
    if (type === undefined) {
      unserved.push(object)
      continue
    }
    const entry: Entry = [type.storage, type.toStorage(structuredClone(object) as unknown as StoredObject)]
    entries.set(keyOf(entry), entry)
    newest = Math.max(newest, Number(object.metadata.resourceVersion ?? 0) || 0)
  }
  store.restore({ resourceVersion: newest, objects: entries.values() })
  return unserved
}

function keyOf([resource, { metadata }]: Entry): string {
  return `${tableName(resource)}|${metadata.namespace ?? ''}|${metadata.name ?? ''}`
}
