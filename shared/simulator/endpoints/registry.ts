import type { ResourceType } from './resource-type.ts'
import { apiVersionOf } from './resource-type.ts'

/** Every resource that is served now: the built-in ones, and those that definitions add and remove. */
export class ResourceRegistry {
  readonly #builtIn: ReadonlyMap<string, ResourceType>
  #custom = new Map<string, ResourceType>()
  readonly #listeners = new Set<() => void>()
  /** Grows with every change, for caches of what is derived from the registry. */
  generation = 0

  constructor(builtIn: readonly ResourceType[]) {
    this.#builtIn = new Map(builtIn.map((type) => [nameOf(type.group, type.version, type.resource), type]))
  }

  find(group: string, version: string, resource: string): ResourceType | undefined {
    const name = nameOf(group, version, resource)
    return this.#builtIn.get(name) ?? this.#custom.get(name)
  }

  byKind(apiVersion: string, kind: string): ResourceType | undefined {
    for (const type of this.all()) if (type.kind === kind && apiVersionOf(type) === apiVersion) return type
    return undefined
  }

  /** Any served version of a resource, the built-in or first defined one first. */
  byResource(group: string, resource: string): ResourceType | undefined {
    for (const type of this.all()) if (type.group === group && type.resource === resource) return type
    return undefined
  }

  *all(): Iterable<ResourceType> {
    yield* this.#builtIn.values()
    yield* this.#custom.values()
  }

  custom(): readonly ResourceType[] {
    return [...this.#custom.values()]
  }

  /** Replaces all custom resources. */
  setCustom(types: readonly ResourceType[]): void {
    this.#custom = new Map(types.map((type) => [nameOf(type.group, type.version, type.resource), type]))
    this.generation++
    for (const listener of this.#listeners) listener()
  }

  /** Calls the listener after every change; the answer ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

function nameOf(group: string, version: string, resource: string): string {
  return `${group}/${version}/${resource}`
}
