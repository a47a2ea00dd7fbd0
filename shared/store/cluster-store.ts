import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts'
import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Cancellable, Digest, Inventory, InventoryEntry, StorePort } from '../model/ports.ts'
import type { HistoryEntry } from '../model/status.ts'
import { readEntry, readHistory, readOutcome, writeEntry } from './records.ts'
import type { StoreClient } from './store-client.ts'

/** The one namespace in which Plumbline keeps what must outlive a run. */
export const STORE_NAMESPACE = 'plumbline'
const CONFIG_MAPS = `/api/v1/namespaces/${STORE_NAMESPACE}/configmaps`
const APPLICATION_LABEL = 'plumbline.dev/application'
const ROLE_LABEL = 'plumbline.dev/record'
const ANNOTATION = 'plumbline.dev/application-name'
/** A ConfigMap may hold 1 MiB; an entry takes about 300 bytes. */
const MOST_ENTRIES = 2000
/** A person reads the first of many; the rest would only grow the record. */
const MOST_STEPS_KEPT = 1000

type Shard = { readonly name: string; readonly keys: Set<string> }

type Records = {
  /** A new map after each write: who holds an old one sees that it is old. */
  inventory: ReadonlyMap<string, InventoryEntry>
  readonly shards: Shard[]
  history: readonly HistoryEntry[]
  operation: Outcome | undefined
}

/**
 * Inventory, history and the last operation, in ConfigMaps on the cluster itself. One object is one key, written by a merge
 * patch of that key alone, so that two writers at once lose nothing of each other.
 */
export class ClusterStore implements StorePort {
  readonly #client: StoreClient
  readonly #digest: Digest
  readonly #initiator: string
  #loading: Promise<Map<string, Records>> | undefined

  constructor(client: StoreClient, digest: Digest, initiator: string) {
    this.#client = client
    this.#digest = digest
    this.#initiator = initiator
  }

  /** Reads everything anew at the next question: another agent may have written. */
  invalidate(): void {
    this.#loading = undefined
  }

  async inventory(application: string, options: Cancellable): Promise<Inventory> {
    return (await this.#records(application, options)).inventory
  }

  async record(application: string, entries: readonly InventoryEntry[], options: Cancellable): Promise<void> {
    const records = await this.#records(application, options)
    const writes = new Map<string, Record<string, string>>()
    for (const entry of entries) {
      const key = this.#keyOf(entry.id)
      const shard = this.#shardFor(application, records, key)
      const data = writes.get(shard.name) ?? {}
      data[key] = writeEntry(entry)
      writes.set(shard.name, data)
    }
    for (const [name, data] of writes) await this.#write(name, application, 'inventory', data, options)
    const inventory = new Map(records.inventory)
    for (const entry of entries) {
      const key = this.#keyOf(entry.id)
      this.#shardFor(application, records, key).keys.add(key)
      inventory.set(resourceKey(entry.id), entry)
    }
    records.inventory = inventory
  }

  async forget(application: string, ids: readonly ResourceId[], options: Cancellable): Promise<void> {
    const records = await this.#records(application, options)
    for (const shard of records.shards) {
      const gone = ids.map((id) => this.#keyOf(id)).filter((key) => shard.keys.has(key))
      if (gone.length === 0) continue
      await this.#client.mergePatch(
        `${CONFIG_MAPS}/${shard.name}`,
        { data: Object.fromEntries(gone.map((key) => [key, null])) },
        options,
      )
      for (const key of gone) shard.keys.delete(key)
    }
    const forgotten = new Set(ids.map(resourceKey))
    records.inventory = new Map([...records.inventory].filter(([key]) => !forgotten.has(key)))
  }

  async history(application: string, options: Cancellable): Promise<readonly HistoryEntry[]> {
    return (await this.#records(application, options)).history
  }

  async lastOperation(application: string, options: Cancellable): Promise<Outcome | undefined> {
    return (await this.#records(application, options)).operation
  }

  async finish(application: string, outcome: Outcome, limit: number, options: Cancellable): Promise<void> {
    const records = await this.#records(application, options)
    const data: Record<string, string | null> = {
      operation: JSON.stringify({ ...outcome, steps: outcome.steps.slice(0, MOST_STEPS_KEPT) }),
    }
    const kept = [...records.history]
    if (outcome.phase === 'Succeeded') {
      const entry: HistoryEntry = {
        id: (kept.at(-1)?.id ?? -1) + 1,
        revision: outcome.revision,
        deployedAt: outcome.finishedAt,
        deployStartedAt: outcome.startedAt,
        initiatedBy: this.#initiator,
        automated: false,
      }
      kept.push(entry)
      data[`history-${entry.id}`] = JSON.stringify(entry)
    }
    for (const old of kept.splice(0, Math.max(0, kept.length - limit))) data[`history-${old.id}`] = null
    await this.#write(this.#nameOf(application, 'operations'), application, 'operations', data, options)
    records.history = kept
    records.operation = outcome
  }

  async drop(application: string, options: Cancellable): Promise<void> {
    const records = await this.#records(application, options)
    const names = [...records.shards.map((shard) => shard.name), this.#nameOf(application, 'operations')]
    for (const name of names) await this.#client.delete(`${CONFIG_MAPS}/${name}`, options)
    this.invalidate()
  }

  async #records(application: string, options: Cancellable): Promise<Records> {
    this.#loading ??= this.#load(options)
    try {
      const all = await this.#loading
      let records = all.get(application)
      if (records === undefined) {
        records = { inventory: new Map(), shards: [], history: [], operation: undefined }
        all.set(application, records)
      }
      return records
    } catch (error) {
      this.invalidate()
      throw error
    }
  }

  async #load(options: Cancellable): Promise<Map<string, Records>> {
    const all = new Map<string, Records>()
    const list = await this.#client.get(`${CONFIG_MAPS}?labelSelector=${encodeURIComponent(ROLE_LABEL)}`, options)
    const items = isObject(list) && isArray(list['items']) ? list['items'].filter(isObject) : []
    for (const item of items) readConfigMap(item, all)
    return all
  }

  #shardFor(application: string, records: Records, key: string): Shard {
    const holding = records.shards.find((shard) => shard.keys.has(key))
    const roomy = holding ?? records.shards.find((shard) => shard.keys.size < MOST_ENTRIES)
    if (roomy !== undefined) return roomy
    const shard = { name: this.#nameOf(application, `inventory-${records.shards.length}`), keys: new Set<string>() }
    records.shards.push(shard)
    return shard
  }

  async #write(
    name: string,
    application: string,
    role: string,
    data: Readonly<Record<string, string | null>>,
    options: Cancellable,
  ): Promise<void> {
    if (await this.#client.mergePatch(`${CONFIG_MAPS}/${name}`, { data }, options)) return
    const labels = { [ROLE_LABEL]: role, [APPLICATION_LABEL]: this.#labelOf(application) }
    const present = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
    const metadata = { name, labels, annotations: { [ANNOTATION]: application } }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: present }
    await this.#ensureNamespace(options)
    // Somebody else may have made it meanwhile; then the patch finds it.
    if (!(await this.#client.create(CONFIG_MAPS, body, options)))
      await this.#client.mergePatch(`${CONFIG_MAPS}/${name}`, { data }, options)
  }

  async #ensureNamespace(options: Cancellable): Promise<void> {
    if ((await this.#client.get(`/api/v1/namespaces/${STORE_NAMESPACE}`, options)) !== undefined) return
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: STORE_NAMESPACE } }
    await this.#client.create('/api/v1/namespaces', body, options)
  }

  #keyOf(id: ResourceId): string {
    return this.#digest(resourceKey(id)).slice(0, 40)
  }

  #nameOf(application: string, role: string): string {
    return `${this.#labelOf(application)}.${role}`
  }

  /** Application names may be longer than a label's value may be. */
  #labelOf(application: string): string {
    return application.length <= 40
      ? application
      : `${application.slice(0, 31)}-${this.#digest(application).slice(0, 8)}`
  }
}

function readConfigMap(item: JsonObject, all: Map<string, Records>): void {
  const { metadata, data } = item
  if (!isObject(metadata) || !isObject(metadata['annotations']) || !isObject(metadata['labels'])) return
  const application = metadata['annotations'][ANNOTATION]
  if (typeof application !== 'string' || typeof metadata['name'] !== 'string') return
  const records = all.get(application) ?? { inventory: new Map(), shards: [], history: [], operation: undefined }
  all.set(application, records)
  const values = Object.entries(isObject(data) ? data : {})
  if (metadata['labels'][ROLE_LABEL] === 'operations') readOperations(values, records)
  else readInventory(metadata['name'], values, records)
}

type Values = readonly (readonly [string, Json | undefined])[]

function readInventory(name: string, values: Values, records: Records): void {
  const keys = new Set<string>()
  const inventory = new Map(records.inventory)
  for (const [key, value] of values) {
    const entry = typeof value === 'string' ? readEntry(value) : undefined
    if (entry === undefined) continue
    keys.add(key)
    inventory.set(resourceKey(entry.id), entry)
  }
  records.inventory = inventory
  records.shards.push({ name, keys })
}

function readOperations(values: Values, records: Records): void {
  const history: HistoryEntry[] = []
  for (const [key, value] of values) {
    if (typeof value !== 'string') continue
    if (key === 'operation') records.operation = readOutcome(value)
    const entry = key.startsWith('history-') ? readHistory(value) : undefined
    if (entry !== undefined) history.push(entry)
  }
  records.history = history.sort((a, b) => a.id - b.id)
}
