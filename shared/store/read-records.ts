import { isObject, type Json, type JsonObject } from '../model/json.ts'
import { resourceKey } from '../model/kubernetes.ts'
import type { Outcome } from '../model/outcome.ts'
import type { InventoryEntry } from '../model/ports.ts'
import type { HistoryEntry } from '../model/status.ts'
import { lockStateOf, type LockState } from './operation-lock.ts'
import { readEntry, readHistory, readOutcome } from './records.ts'

export const ROLE_LABEL = 'plumbline.dev/record'
export const NAME_ANNOTATION = 'plumbline.dev/application-name'

export type Shard = { readonly name: string; readonly keys: Set<string> }

/** What the store knows of one application. */
export type Records = {
  /** A new map after each write: who holds an old one sees that it is old. */
  inventory: ReadonlyMap<string, InventoryEntry>
  readonly shards: Shard[]
  history: readonly HistoryEntry[]
  operation: Outcome | undefined
  /** The ConfigMap of operations when it was read. */
  locked: LockState | undefined
}

/** Takes one ConfigMap of ours in. */
export function readConfigMap(item: JsonObject, all: Map<string, Records>): void {
  const { metadata, data } = item
  if (!isObject(metadata) || !isObject(metadata['annotations']) || !isObject(metadata['labels'])) return
  const application = metadata['annotations'][NAME_ANNOTATION]
  if (typeof application !== 'string' || typeof metadata['name'] !== 'string') return
  const records = all.get(application) ?? emptyRecords()
  all.set(application, records)
  const values = Object.entries(isObject(data) ? data : {})
  if (metadata['labels'][ROLE_LABEL] === 'operations') {
    records.locked = lockStateOf(item)
    readOperations(values, records)
  } else readInventory(metadata['name'], values, records)
}

export function emptyRecords(): Records {
  return { inventory: new Map(), shards: [], history: [], operation: undefined, locked: undefined }
}

export function historyEntry(id: number, outcome: Outcome): HistoryEntry {
  return {
    id,
    revision: outcome.revision,
    deployedAt: outcome.finishedAt,
    deployStartedAt: outcome.startedAt,
    initiatedBy: outcome.initiatedBy?.username ?? 'unknown',
    automated: outcome.initiatedBy?.automated ?? false,
    ...(outcome.sources === undefined ? {} : { sources: outcome.sources }),
    ...(outcome.revisions === undefined ? {} : { revisions: outcome.revisions }),
  }
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
