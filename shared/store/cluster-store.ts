import { isArray, isObject, type Json } from '../model/json.ts'
import { resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Operation, Outcome, StepOutcome } from '../model/outcome.ts'
import type {
  Cancellable,
  ClockPort,
  Digest,
  FinishOptions,
  Inventory,
  InventoryEntry,
  StorePort,
} from '../model/ports.ts'
import type { HistoryEntry } from '../model/status.ts'
import { OperationLock, releaseOperation } from './operation-lock.ts'
import {
  emptyRecords,
  historyEntry,
  NAME_ANNOTATION,
  readConfigMap,
  ROLE_LABEL,
  type Records,
  type Shard,
} from './read-records.ts'
import { keptSteps, readResults, writeEntry } from './records.ts'
import type { StoreClient } from './store-client.ts'

/** The one namespace in which Plumbline keeps what must outlive a run. */
export const STORE_NAMESPACE = 'plumbline'
const CONFIG_MAPS = `/api/v1/namespaces/${STORE_NAMESPACE}/configmaps`
/** The role of what only is read when somebody asks for one sync of the past. */
const RESULTS = 'results'
const APPLICATION_LABEL = 'plumbline.dev/application'
/** A ConfigMap may hold 1 MiB; an entry takes about 300 bytes. */
const MOST_ENTRIES = 2000

/**
 * Inventory, history and the last operation, in ConfigMaps on the cluster itself. One object is one key, written by a merge
 * patch of that key alone, so that two writers at once lose nothing of each other.
 */
export class ClusterStore implements StorePort {
  readonly #client: StoreClient
  readonly #digest: Digest
  readonly #clock: ClockPort
  readonly #locks = new Map<string, OperationLock>()
  #loading: Promise<Map<string, Records>> | undefined

  constructor(client: StoreClient, digest: Digest, clock: ClockPort) {
    this.#client = client
    this.#digest = digest
    this.#clock = clock
  }

  /** Reads everything anew at the next question: another agent may have written. */
  invalidate(): void {
    this.#loading = undefined
    this.#locks.clear()
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
      // Counted at once, so that the rest of the same batch sees when it is full.
      shard.keys.add(key)
      const data = writes.get(shard.name) ?? {}
      data[key] = writeEntry(entry)
      writes.set(shard.name, data)
    }
    for (const [name, data] of writes) await this.#write(name, application, 'inventory', data, options)
    const inventory = new Map(records.inventory)
    for (const entry of entries) inventory.set(resourceKey(entry.id), entry)
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

  async running(
    application: string,
    { fresh, ...options }: Cancellable & { readonly fresh: boolean },
  ): Promise<Operation | undefined> {
    const lock = await this.#lock(application, options)
    // Who else has written may have made other objects ours.
    if (await lock.refresh(fresh, options)) this.#loading = undefined
    return lock.running
  }

  async begin(application: string, operation: Operation, options: Cancellable): Promise<void> {
    const kept = { ...operation, steps: keptSteps(operation.steps) }
    await (await this.#lock(application, options)).begin(kept, options)
  }

  async save(
    application: string,
    operation: Operation,
    options: Cancellable,
  ): Promise<{ readonly terminate: boolean }> {
    const kept = { ...operation, steps: keptSteps(operation.steps) }
    return (await this.#lock(application, options)).save(kept, options)
  }

  release(id: string): void {
    releaseOperation(id)
  }

  async terminate(application: string, options: Cancellable): Promise<boolean> {
    return (await this.#lock(application, options)).terminate(options)
  }

  async finish(application: string, outcome: Outcome, how: FinishOptions, options: Cancellable): Promise<void> {
    const records = await this.#records(application, options)
    const lock = await this.#lock(application, options)
    const data: Record<string, string | null> = {
      operation: JSON.stringify({ ...outcome, steps: keptSteps(outcome.steps) }),
      ...(how.ended ? lock.cleared() : {}),
    }
    const kept = [...(how.recorded ? await this.#historyNow(application, options) : records.history)]
    if (how.recorded) {
      const entry = historyEntry((kept.at(-1)?.id ?? -1) + 1, outcome)
      kept.push(entry)
      data[`history-${entry.id}`] = JSON.stringify(entry)
      // First, so that no entry is without its results.
      const results = { [RESULTS]: JSON.stringify(keptSteps(outcome.steps)) }
      await this.#write(this.#resultsOf(application, entry.id), application, RESULTS, results, options)
    }
    const old = kept.splice(0, Math.max(0, kept.length - how.limit))
    for (const { id } of old) data[`history-${id}`] = null
    lock.took(await this.#write(this.#nameOf(application, 'operations'), application, 'operations', data, options))
    for (const { id } of old) await this.#client.delete(`${CONFIG_MAPS}/${this.#resultsOf(application, id)}`, options)
    records.history = kept
    records.operation = outcome
  }

  /** What became of each resource in a sync of the history; empty where nobody knows. */
  async results(application: string, id: number, options: Cancellable): Promise<readonly StepOutcome[]> {
    const found = await this.#client.get(`${CONFIG_MAPS}/${this.#resultsOf(application, id)}`, options)
    const data = isObject(found) && isObject(found['data']) ? found['data'] : {}
    return readResults(data[RESULTS])
  }

  /** Another agent may have written an entry since the last look; its number must not be given out twice. */
  async #historyNow(application: string, options: Cancellable): Promise<readonly HistoryEntry[]> {
    const item = await this.#client.get(`${CONFIG_MAPS}/${this.#nameOf(application, 'operations')}`, options)
    const all = new Map<string, Records>()
    if (isObject(item)) readConfigMap(item, all)
    return all.get(application)?.history ?? []
  }

  async markHealthy(application: string, id: number, options: Cancellable): Promise<void> {
    const records = await this.#records(application, options)
    const entry = records.history.find((one) => one.id === id)
    if (entry === undefined || entry.healthy === true) return
    const healthy = { ...entry, healthy: true }
    const data = { [`history-${id}`]: JSON.stringify(healthy) }
    const written = await this.#write(this.#nameOf(application, 'operations'), application, 'operations', data, options)
    ;(await this.#lock(application, options)).took(written)
    records.history = records.history.map((one) => (one.id === id ? healthy : one))
  }

  async drop(application: string, options: Cancellable): Promise<void> {
    const records = await this.#records(application, options)
    const results = (await this.#historyNow(application, options)).map(({ id }) => this.#resultsOf(application, id))
    const names = [...records.shards.map((shard) => shard.name), ...results, this.#nameOf(application, 'operations')]
    for (const name of names) await this.#client.delete(`${CONFIG_MAPS}/${name}`, options)
    this.invalidate()
  }

  async #records(application: string, options: Cancellable): Promise<Records> {
    this.#loading ??= this.#load(options)
    try {
      const all = await this.#loading
      let records = all.get(application)
      if (records === undefined) {
        records = emptyRecords()
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
    const selector = encodeURIComponent(`${ROLE_LABEL},${ROLE_LABEL}!=${RESULTS}`)
    const list = await this.#client.get(`${CONFIG_MAPS}?labelSelector=${selector}`, options)
    const items = isObject(list) && isArray(list['items']) ? list['items'].filter(isObject) : []
    for (const item of items) readConfigMap(item, all)
    return all
  }

  async #lock(application: string, options: Cancellable): Promise<OperationLock> {
    const { locked } = await this.#records(application, options)
    let lock = this.#locks.get(application)
    if (lock === undefined) {
      const name = this.#nameOf(application, 'operations')
      const place = {
        path: `${CONFIG_MAPS}/${name}`,
        create: async (data: Readonly<Record<string, string>>, cancel: Cancellable): Promise<boolean> =>
          this.#create(name, application, 'operations', data, cancel),
      }
      lock = new OperationLock(this.#client, this.#clock, place, locked)
      this.#locks.set(application, lock)
    }
    return lock
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
  ): Promise<Json | undefined> {
    const path = `${CONFIG_MAPS}/${name}`
    const written = await this.#client.mergePatch(path, { data }, options)
    if (written !== undefined) return written
    const present = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
    // Somebody else may have made it meanwhile; then the patch finds it.
    await this.#create(name, application, role, present, options)
    return this.#client.mergePatch(path, { data }, options)
  }

  /** False where it is there already. */
  async #create(
    name: string,
    application: string,
    role: string,
    data: Readonly<Record<string, string | null>>,
    options: Cancellable,
  ): Promise<boolean> {
    const labels = { [ROLE_LABEL]: role, [APPLICATION_LABEL]: this.#labelOf(application) }
    const metadata = { name, labels, annotations: { [NAME_ANNOTATION]: application } }
    await this.#ensureNamespace(options)
    return this.#client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }, options)
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

  #resultsOf(application: string, id: number): string {
    return this.#nameOf(application, `${RESULTS}-${id}`)
  }

  /** Application names may be longer than a label's value may be. */
  #labelOf(application: string): string {
    return application.length <= 40
      ? application
      : `${application.slice(0, 31)}-${this.#digest(application).slice(0, 8)}`
  }
}
