import { isObject, type Json } from '../model/json.ts'
import type { Cancellable, ClockPort } from '../model/ports.ts'
import type { StoreClient } from './store-client.ts'

export type LeaseOptions = {
  readonly client: StoreClient
  readonly clock: ClockPort
  /** Namespace of the store. */
  readonly namespace: string
  readonly name: string
  /** Who asks; another one for each process. */
  readonly identity: string
  /** Seconds after which a holder that gave no sign of life may be replaced. */
  readonly durationSeconds?: number
  /** Milliseconds between two signs of life of the holder. */
  readonly renewMs?: number
  /** Told at each change, and once at the beginning. */
  readonly onChange: (state: LeaseState) => void
  /** A look that failed; the next one follows. */
  readonly onError: (error: unknown) => void
}

/** `acting` may write to the cluster, `watching` only looks; `holder` is the other one where it is known. */
export type LeaseState = { readonly kind: 'acting' } | { readonly kind: 'watching'; readonly holder: string }

const DURATION_SECONDS = 15
const RENEW_MS = 5000

/**
 * Lets one agent of many act on a cluster: a Lease (`coordination.k8s.io/v1`), taken and renewed as client-go's leader
 * election does. How long a holder has been silent is measured by this process' own clock, so that clocks need not agree.
 */
export class Lease {
  readonly #options: LeaseOptions
  readonly #stop = new AbortController()
  readonly #ended: Promise<void>
  #state: LeaseState | undefined
  #seen: { readonly version: string; readonly at: number } | undefined
  #renewedAt = Number.NEGATIVE_INFINITY

  constructor(options: LeaseOptions) {
    this.#options = options
    this.#ended = this.#run()
  }

  get acting(): boolean {
    return this.#state?.kind === 'acting'
  }

  /** Gives the lease back, so that another agent need not wait for its end. */
  async dispose(): Promise<void> {
    this.#stop.abort()
    await this.#ended
    if (!this.acting) return
    this.#state = undefined
    await this.#patch(undefined, { holderIdentity: '', leaseDurationSeconds: 1 }, {}).catch(() => undefined)
  }

  /** Ends without a word, as a process that is killed does. */
  async abandon(): Promise<void> {
    this.#stop.abort()
    await this.#ended
    this.#state = undefined
  }

  async #run(): Promise<void> {
    const { clock, onError } = this.#options
    const cancel = { signal: this.#stop.signal }
    while (!this.#stop.signal.aborted) {
      try {
        await this.#look(cancel)
      } catch (error) {
        if (this.#stop.signal.aborted) return
        onError(error)
        // A holder that cannot renew must stop acting before others may start.
        if (clock.now() - this.#renewedAt > this.#durationMs * 0.7) this.#tell({ kind: 'watching', holder: '' })
      }
      await clock.sleep(this.#pauseMs, cancel).catch(() => undefined)
    }
  }

  async #look(cancel: Cancellable): Promise<void> {
    const { client, clock, identity } = this.#options
    const began = clock.now()
    const found = await client.get(this.#path, cancel)
    if (found === undefined) {
      await this.#create(cancel)
      return
    }
    const { version, holder, silentSeconds } = leaseOf(found)
    if (this.#seen?.version !== version) this.#seen = { version, at: began }
    const silent = began - this.#seen.at >= silentSeconds * 1000
    if (holder !== identity && holder !== '' && !silent) {
      this.#tell({ kind: 'watching', holder })
      return
    }
    try {
      const spec = { holderIdentity: identity, leaseDurationSeconds: this.#durationMs / 1000 }
      await this.#patch(version, { ...spec, ...(holder === identity ? {} : { acquireTime: microTime(began) }) }, cancel)
      this.#renewedAt = began
      this.#tell({ kind: 'acting' })
    } catch (error) {
      if (!isConflict(error)) throw error
      // Somebody else was quicker, or another session of this process has renewed.
      if (holder !== identity) this.#tell({ kind: 'watching', holder: '' })
      else await this.#look(cancel)
    }
  }

  async #create(cancel: Cancellable): Promise<void> {
    const { client, clock, namespace, name, identity } = this.#options
    const base = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`
    const now = microTime(clock.now())
    const timing = { acquireTime: now, renewTime: now, leaseDurationSeconds: this.#durationMs / 1000 }
    const body = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name },
      spec: { holderIdentity: identity, ...timing },
    }
    const created = await client.create(base, body, cancel).catch(async (error: unknown) => {
      // Only now, since an agent without cluster scope may not make one, and has one.
      if (!isAbsent(error)) throw error
      const place = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
      await client.create('/api/v1/namespaces', place, cancel)
      return client.create(base, body, cancel)
    })
    if (!created) return this.#look(cancel)
    this.#renewedAt = clock.now()
    this.#tell({ kind: 'acting' })
  }

  async #patch(version: string | undefined, spec: Readonly<Record<string, Json>>, cancel: Cancellable): Promise<void> {
    const { client, clock } = this.#options
    const metadata = version === undefined ? {} : { metadata: { resourceVersion: version } }
    await client.mergePatch(this.#path, { ...metadata, spec: { ...spec, renewTime: microTime(clock.now()) } }, cancel)
  }

  #tell(state: LeaseState): void {
    const before = this.#state
    this.#state = state
    const same =
      before?.kind === state.kind &&
      (state.kind === 'acting' || (before.kind === 'watching' && before.holder === state.holder))
    if (!same) this.#options.onChange(state)
  }

  get #path(): string {
    const { namespace, name } = this.#options
    return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${name}`
  }

  /** Who waits looks more often than who holds, and costs a read each time. */
  get #pauseMs(): number {
    const renewMs = this.#options.renewMs ?? RENEW_MS
    return this.acting ? renewMs : Math.min(renewMs, this.#durationMs / 10)
  }

  get #durationMs(): number {
    return (this.#options.durationSeconds ?? DURATION_SECONDS) * 1000
  }
}

function leaseOf(lease: Json): { readonly version: string; readonly holder: string; readonly silentSeconds: number } {
  const { metadata, spec } = isObject(lease) ? lease : {}
  const version = isObject(metadata) ? metadata['resourceVersion'] : undefined
  const { holderIdentity, leaseDurationSeconds } = isObject(spec) ? spec : {}
  return {
    version: typeof version === 'string' ? version : '',
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    silentSeconds: typeof leaseDurationSeconds === 'number' ? leaseDurationSeconds : DURATION_SECONDS,
  }
}

/** Kubernetes' MicroTime. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

function isAbsent(error: unknown): boolean {
  return (error as { readonly reason?: unknown } | null)?.reason === 'not-found'
}

function isConflict(error: unknown): boolean {
  return (error as { readonly reason?: unknown } | null)?.reason === 'conflict'
}
