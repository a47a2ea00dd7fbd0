import { canonicalJson } from '../../model/json.ts'
import { resourceKey } from '../../model/kubernetes.ts'
import type { HookRun, Initiator, Operation, StepOutcome } from '../../model/outcome.ts'
import type { Cancellable, ClockPort, StorePort } from '../../model/ports.ts'
import type { Revision } from '../../model/revision.ts'
import type { SyncRequest } from '../guards.ts'
import { timeOf, type PassContext } from '../pass-context.ts'
import type { Checkouts } from '../sources.ts'

/** A record that nobody renews for long is that of a dead process; it is renewed this often. */
const RENEW_MS = 5000
const NOBODY: Initiator = { username: '', automated: false }

/** Holds the log of a sync between its passes; a retry begins at the commits of the try before, where it has `pinned` them. */
export type OperationSlot = { log?: OperationLog; readonly pinned?: readonly string[] }

/** What one sync has done so far, in memory and in the store. The store knows of it from before the first write on. */
export class OperationLog {
  readonly application: string
  /** True when another process began the operation and did not end it. */
  readonly resumed: boolean
  /** RFC 3339; when the sync before this one ended. What was approved since then is approved for this one. */
  readonly approvedSince: string
  /** Steps that have ended. */
  done = 0
  /** Milliseconds since 1970 since when the present wave is waited for; by `wait`. */
  #waiting: { readonly what: string; readonly since: number } | undefined
  #operation: Operation
  #begun = false
  #changed = false
  #savedAt = 0
  readonly #store: StorePort
  readonly #clock: ClockPort
  readonly #tries = new Map<string, number>()

  constructor(
    application: string,
    operation: Operation,
    resumed: boolean,
    ports: Pick<PassContext['ports'], 'store' | 'clock'>,
    approvedSince: string,
  ) {
    this.approvedSince = approvedSince
    this.application = application
    this.#operation = operation
    this.resumed = resumed
    this.#store = ports.store
    this.#clock = ports.clock
  }

  get operation(): Operation {
    return this.#operation
  }

  get begun(): boolean {
    return this.#begun
  }

  /** Takes the operation for this process; a second call does nothing. @throws where another one is at work */
  async begin(options: Cancellable): Promise<void> {
    if (this.#begun) return
    await this.#store.begin(this.application, this.#operation, options)
    this.#begun = true
    this.#savedAt = this.#clock.now()
  }

  /** @returns how often the object was written by this operation, this time included */
  note(outcome: StepOutcome): number {
    const key = keyOf(outcome)
    const kept = this.#operation.steps.filter((step) => keyOf(step) !== key)
    this.#change({ steps: [...kept, outcome] })
    const tries = (this.#tries.get(key) ?? 0) + 1
    this.#tries.set(key, tries)
    return tries
  }

  hook(key: string, run: HookRun): void {
    const known = this.#operation.hooks[key]
    if (known?.state === run.state && known.uid === run.uid) return
    this.#change({ hooks: { ...this.#operation.hooks, [key]: run } })
  }

  fail(failure: string): void {
    this.#change({ failure: this.#operation.failure ?? failure })
  }

  /** Milliseconds for which the sync has been waiting for the same thing. */
  wait(what: string): number {
    if (this.#waiting?.what !== what) this.#waiting = { what, since: this.#clock.now() }
    return this.#clock.now() - this.#waiting.since
  }

  /** Writes what has changed, and renews the record where nothing has. */
  async save(options: Cancellable): Promise<void> {
    const due = this.#changed || this.#clock.now() - this.#savedAt > RENEW_MS
    if (!this.#begun || !due) return
    const { terminate } = await this.#store.save(this.application, this.#operation, options)
    this.#operation = { ...this.#operation, terminate: this.#operation.terminate || terminate }
    this.#changed = false
    this.#savedAt = this.#clock.now()
  }

  /** Renews the record of a sync that takes long; what has changed can wait. */
  async renew(options: Cancellable): Promise<void> {
    if (this.#clock.now() - this.#savedAt > RENEW_MS) await this.save(options)
  }

  /** Asks the store whether somebody wants this operation to end. */
  async heed(options: Cancellable): Promise<void> {
    if (!this.#begun) return
    const running = await this.#store.running(this.application, { ...options, fresh: true })
    if (running?.id === this.#operation.id && running.terminate)
      this.#operation = { ...this.#operation, terminate: true }
  }

  #change(change: Partial<Operation>): void {
    this.#operation = { ...this.#operation, ...change }
    this.#changed = true
  }
}

function keyOf({ id, phase }: StepOutcome): string {
  return `${phase ?? 'Sync'}|${resourceKey(id)}`
}

/**
 * The log of this sync: the one that its earlier passes have written, the one that a killed process left behind for the same
 * request, or a new one. Undefined where a pass only looks.
 */
export async function openOperation(pass: PassContext, checkouts: Checkouts): Promise<OperationLog | undefined> {
  const { application, ports, request, slot, cancel } = pass
  if (request.dryRun) return undefined
  if (slot.log !== undefined) return slot.log
  const fresh = freshOperation(pass, checkouts)
  const left = await ports.store.running(application.name, { ...cancel, fresh: false })
  const same =
    left !== undefined && left.revision === fresh.revision && left.request === fresh.request && !left.terminate
  const before = await ports.store.lastOperation(application.name, cancel)
  slot.log = new OperationLog(application.name, same ? left : fresh, same, ports, before?.finishedAt ?? '')
  return slot.log
}

function freshOperation({ application, ports, request }: PassContext, checkouts: Checkouts): Operation {
  const { revision } = checkouts
  const startedAt = timeOf(ports.clock)
  const asked = requestText(request)
  const initiatedBy = request.initiatedBy ?? NOBODY
  const seed = `${application.name}|${revision.sha}|${ports.clock.now()}|${initiatedBy.username}|${asked}`
  return {
    id: ports.digest(seed).slice(0, 12),
    revision: revision.sha,
    request: asked,
    startedAt,
    initiatedBy,
    sources: application.sources,
    revisions: checkouts.sources.map(({ checkout }) => nameOf(checkout.revision)),
    ...(request.healAttempt === undefined ? {} : { healAttempt: request.healAttempt }),
    hooks: {},
    terminate: false,
    steps: [],
  }
}

/** Files on disk cannot be gone back to. */
function nameOf({ kind, sha }: Revision): string {
  return kind === 'worktree' ? 'WORKTREE' : sha
}

/** A selective sync is never gone on with: which objects it takes cannot be written down, and it has no hooks. */
function requestText({ prune, teardown, force, replace, confirmed, allowEmpty, hooks, only }: SyncRequest): string {
  return only === undefined
    ? canonicalJson({ prune, teardown, force, replace, confirmed, allowEmpty, hooks })
    : 'selective'
}
