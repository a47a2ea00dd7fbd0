import { isObject, type Json, type JsonObject } from '../model/json.ts'
import type { Operation } from '../model/outcome.ts'
import type { Cancellable, ClockPort } from '../model/ports.ts'
import { isAlive, readHolder, thisHolder, type Holder } from './holder.ts'
import { readOperation } from './records.ts'
import type { StoreClient } from './store-client.ts'
import { StoreError } from './store-error.ts'

/** Where the record of an application's running sync is, and how its ConfigMap is made. */
export type LockPlace = {
  readonly path: string
  create(data: Readonly<Record<string, string>>, options: Cancellable): Promise<boolean>
}

/** A running sync as the ConfigMap has it, at one version of it. */
export type LockState = {
  readonly resourceVersion: string
  readonly running: { readonly operation: Operation; readonly holder: Holder; readonly renewedAt: number } | undefined
}

const RUNNING = 'running'
const TERMINATE = 'terminate'
const MOST_RACES = 20
const MOMENT_MS = 500

/** What a ConfigMap of operations says of the sync that is under way. */
export function lockStateOf(configMap: Json): LockState | undefined {
  if (!isObject(configMap) || !isObject(configMap['metadata'])) return undefined
  const resourceVersion = configMap['metadata']['resourceVersion']
  if (typeof resourceVersion !== 'string') return undefined
  const data = isObject(configMap['data']) ? configMap['data'] : {}
  return { resourceVersion, running: readRunning(data) }
}

function readRunning(data: JsonObject): LockState['running'] {
  const text = data[RUNNING]
  if (typeof text !== 'string') return undefined
  const found = readOperation(text)
  const holder = readHolder(found?.holder)
  if (found === undefined || holder === undefined) return undefined
  const terminate = data[TERMINATE] === found.operation.id
  return { operation: { ...found.operation, terminate }, holder, renewedAt: found.renewedAt }
}

/** Operations that this process works on, in whichever of its sessions. */
const atWork = new Set<string>()

export function releaseOperation(id: string): void {
  atWork.delete(id)
}

function busyWith({ startedAt, initiatedBy }: Operation): StoreError {
  const who = initiatedBy.username === '' ? 'another process' : initiatedBy.username
  const message = `a sync of ${who} is under way since ${startedAt}; \`plumbline app terminate-op NAME\` ends it`
  return new StoreError('busy', message)
}

/**
 * One sync at a time per application, across processes and machines. Every write carries the resourceVersion that it was
 * decided on, so that of two who try at once one is refused by the server.
 */
export class OperationLock {
  readonly #client: StoreClient
  readonly #clock: ClockPort
  readonly #place: LockPlace
  #state: LockState | undefined
  #readAt: number

  constructor(client: StoreClient, clock: ClockPort, place: LockPlace, state: LockState | undefined) {
    this.#client = client
    this.#clock = clock
    this.#place = place
    this.#state = state
    this.#readAt = clock.now()
  }

  /** True where somebody else has written since the last look. A look that is a moment old is as good as a new one. */
  async refresh(fresh: boolean, options: Cancellable): Promise<boolean> {
    if (!fresh && this.#clock.now() - this.#readAt < MOMENT_MS) return false
    const before = this.#state?.resourceVersion
    await this.#read(options)
    return this.#state?.resourceVersion !== before
  }

  get running(): Operation | undefined {
    return this.#state?.running?.operation
  }

  /** @throws StoreError `busy` */
  async begin(operation: Operation, options: Cancellable): Promise<void> {
    if (atWork.has(operation.id)) throw busyWith(operation)
    atWork.add(operation.id)
    try {
      await this.#write(operation, options, ({ running }) => {
        if (running !== undefined && this.#isAtWork(running, operation)) throw busyWith(running.operation)
      })
    } catch (error) {
      atWork.delete(operation.id)
      throw error
    }
  }

  /** What this process has left behind is gone on with or replaced; what it works on is not. */
  #isAtWork({ holder, operation, renewedAt }: NonNullable<LockState['running']>, wanted: Operation): boolean {
    if (holder.run === thisHolder.run) return operation.id !== wanted.id && atWork.has(operation.id)
    return isAlive(holder, renewedAt, this.#clock.now())
  }

  /** @throws StoreError `lost` */
  async save(operation: Operation, options: Cancellable): Promise<{ readonly terminate: boolean }> {
    await this.#write(operation, options, ({ running }) => {
      if (running?.holder.run === thisHolder.run) return
      throw new StoreError('lost', 'another process has taken the sync over, or ended it')
    })
    return { terminate: this.#state?.running?.operation.terminate ?? false }
  }

  async terminate(options: Cancellable): Promise<boolean> {
    await this.#read(options)
    const running = this.#state?.running
    if (running === undefined) return false
    const alive = isAlive(running.holder, running.renewedAt, this.#clock.now())
    // Nobody is left who could end it; the record goes, so that the next sync starts anew.
    const data = alive ? { [TERMINATE]: running.operation.id } : { [RUNNING]: null, [TERMINATE]: null }
    this.#took(await this.#client.mergePatch(this.#place.path, { data }, options))
    return true
  }

  /** Keys that take the record away, for the write that keeps the outcome. */
  cleared(): Readonly<Record<string, null>> {
    return { [RUNNING]: null, [TERMINATE]: null }
  }

  /** The ConfigMap as a write of somebody else in this process has left it. */
  took(configMap: Json | undefined): void {
    this.#took(configMap)
  }

  async #write(operation: Operation, options: Cancellable, check: (state: LockState) => void): Promise<void> {
    const record = { ...operation, terminate: false, holder: thisHolder, renewedAt: this.#clock.now() }
    const data = { [RUNNING]: JSON.stringify(record) }
    for (let race = 0; race < MOST_RACES; race++) {
      if (this.#state === undefined) {
        await this.#place.create(data, options)
        await this.#read(options)
        if (this.#state !== undefined && this.#isMine(operation)) return
        continue
      }
      const { resourceVersion } = this.#state
      check(this.#state)
      try {
        this.#took(await this.#client.mergePatch(this.#place.path, { metadata: { resourceVersion }, data }, options))
        if (this.#state !== undefined) return
      } catch (error) {
        if (!isConflict(error)) throw error
        await this.#read(options)
      }
    }
    throw new StoreError('busy', 'others keep writing the record of this application')
  }

  #isMine(operation: Operation): boolean {
    const running = this.#state?.running
    return running?.holder.run === thisHolder.run && running.operation.id === operation.id
  }

  async #read(options: Cancellable): Promise<void> {
    this.#took(await this.#client.get(this.#place.path, options))
  }

  #took(configMap: Json | undefined): void {
    this.#state = configMap === undefined ? undefined : lockStateOf(configMap)
    this.#readAt = this.#clock.now()
  }
}

function isConflict(error: unknown): boolean {
  return (error as { readonly reason?: unknown } | null)?.reason === 'conflict'
}
