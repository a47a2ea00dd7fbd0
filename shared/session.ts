import path from 'node:path'
import { systemClock } from './base/clock.ts'
import { sha256 } from './base/digest.ts'
import { stateFolder } from './base/folders.ts'
import { Jq } from './base/jq.ts'
import { userName } from './base/user-name.ts'
import { EMBEDDED_CONTEXT, openEmbedded, type EmbeddedCluster } from './clusters/embedded.ts'
import type { SyncRequest } from './core/guards.ts'
import { runOperation } from './core/operation/run-operation.ts'
import type { Ports } from './core/pass-context.ts'
import { reconcile } from './core/reconcile.ts'
import type { Pass } from './core/status.ts'
import { createSource, type GitSource } from './git/source.ts'
import { connectCluster, type Cluster } from './kube/cluster.ts'
import type { Application } from './model/application.ts'
import type { SyncEvent } from './model/outcome.ts'
import type { Cancellable } from './model/ports.ts'
import { Loop } from './loop.ts'
import { createRenderer, type SourceRenderer } from './render/render.ts'
import { CommitVerifier } from './session/commit-verifier.ts'
import { syncThroughArgoCd } from './session/argo-cd.ts'
import { syncByItself, type Unasked } from './session/automation.ts'
import { contextOf } from './session/destination.ts'
import { findApplications, type FoundApplications } from './session/find-applications.ts'
import { ClusterSettings } from './session/cluster-settings.ts'
import { withIgnoredBySettings } from './session/ignore-settings.ts'
import { FolderKeyring, keyFolder } from './session/keyring.ts'
import { PassMemories } from './session/pass-memories.ts'
import type { SessionOptions, SessionParts } from './session/session-options.ts'
import { storeClient } from './session/store-access.ts'
import { ClusterStore } from './store/cluster-store.ts'

export type LookOptions = Cancellable & {
  /** Another revision than the application names; `WORKTREE` for the files as they are. */
  readonly revision?: string
}

/** Text that is not saved yet, by absolute path; counts for `WORKTREE`. Such a look leaves no trace in later ones. */
export type Edited = { readonly overlay?: ReadonlyMap<string, string> }

export type SyncOptions = LookOptions & {
  readonly request: SyncRequest
  readonly report?: (event: SyncEvent) => void
}

type Bundle = { readonly cluster: Cluster; readonly store: ClusterStore; readonly settings: ClusterSettings }

/** Git says nothing when it moves; it is looked at this often. */
const WATCH_TIMER_MS = 10_000
/** A rollout brings dozens of events within a moment; more than this would be felt. */
const GATHER_MS = 10
/** Application and project files are looked for again after this time. */
const DEFINITIONS_AGE_MS = 5000

/** The one door for fronts: applications of a workspace, looked at and synced. */
export class Session {
  readonly options: SessionOptions
  readonly #source: GitSource
  readonly #renderer: SourceRenderer = createRenderer()
  readonly #jq = new Jq()
  readonly #keyring = new FolderKeyring(keyFolder())
  readonly #verifier: CommitVerifier
  readonly #bundles = new Map<string, Promise<Bundle>>()
  readonly #memories = new PassMemories()
  #embedded: Promise<EmbeddedCluster> | undefined
  #found: { readonly at: number; readonly value: Promise<FoundApplications> } | undefined

  private constructor(options: SessionOptions, source: GitSource) {
    this.options = options
    this.#source = source
    this.#verifier = new CommitVerifier({
      source,
      keyring: this.#keyring,
      projects: async (cancel) => (await this.#definitions(cancel)).projects,
    })
  }

  /** @throws GitError when the workspace cannot be read */
  static async open(options: SessionOptions): Promise<Session> {
    const source = await createSource({
      workspace: options.workspace,
      access: options.access,
      ...(options.signal ? { signal: options.signal } : {}),
    })
    return new Session(options, source)
  }

  /** Applications and projects in the workspace's files, as they are now. */
  async applications(options: Cancellable = {}): Promise<FoundApplications> {
    const root = this.#source.root ?? this.options.workspace
    const from = this.options.apps === undefined ? root : path.resolve(this.options.workspace, this.options.apps)
    const found = findApplications(from, root, options)
    this.#found = { at: Date.now(), value: found }
    return found
  }

  /** One pass that only looks. */
  async look(application: Application, options: LookOptions & Edited = {}): Promise<Pass> {
    const { overlay, ...asked } = options
    const { projects, settings: written } = await this.#definitions(options)
    const ports = await this.#ports(application)
    const { settings, health } = await this.#rules(application, written, options)
    const source: Ports['source'] = {
      resolve: async (one, cancel) => this.#source.resolve(one, { ...cancel, ...(overlay ? { overlay } : {}) }),
    }
    return reconcile(
      withIgnoredBySettings(application, settings),
      { ...ports, source },
      {
        ...asked,
        ...health,
        projects,
        memory: this.#memories.of(application, overlay === undefined ? '' : ' (edited)'),
        trusted: this.options.trusted,
      },
    )
  }

  /** Syncs, planning anew what moved meanwhile, and looks once more at what became of it. */
  async sync(application: Application, options: SyncOptions): Promise<Pass> {
    const { request, ...rest } = options
    const handed = await syncThroughArgoCd(this, application, options)
    if (handed !== undefined) return handed
    // A policy that was written a second ago holds for a sync.
    const cancel = options.signal === undefined ? {} : { signal: options.signal }
    const { projects, settings: written } = await this.applications(cancel)
    const { settings, health } = await this.#rules(application, written, cancel)
    const ports = await this.#ports(application)
    const common = {
      ...rest,
      ...health,
      projects,
      memory: this.#memories.of(application),
      trusted: this.options.trusted,
    }
    const initiatedBy = request.initiatedBy ?? {
      username: this.options.user ?? userName(),
      automated: false,
    }
    const whole = withIgnoredBySettings(application, settings)
    const pass = await runOperation(whole, ports, { ...common, sync: { ...request, initiatedBy } })
    if (request.dryRun || pass.outcome === undefined) return pass
    const after = await reconcile(whole, ports, common)
    return { ...after, ...(pass.plan ? { plan: pass.plan } : {}), ...(pass.outcome ? { outcome: pass.outcome } : {}) }
  }

  /**
   * Looks again whenever the cluster, a commit or the timer gives a reason to, and tells every pass; while `acting` says so,
   * an automated application is synced too. Needs a session that watches. @returns the loop, which the caller disposes
   */
  async watch(
    application: Application,
    listener: (pass: Pass) => void,
    onError: (error: unknown) => void,
    acting: () => boolean = () => false,
    report: (event: SyncEvent) => void = () => undefined,
  ): Promise<Loop> {
    const cluster = await this.clusterOf(application)
    const loop = new Loop({
      pass: async (_, options) => {
        const pass = await this.look(application, options)
        listener(pass)
        if (acting()) await this.#automate(pass, loop, listener, { ...options, report })
      },
      onError,
      timerMs: WATCH_TIMER_MS,
      gatherMs: GATHER_MS,
    })
    const remove = cluster.onChange(() => loop.wake('cluster'))
    const dispose = loop.dispose.bind(loop)
    loop.dispose = (): void => {
      remove()
      dispose()
    }
    loop.wake('person')
    return loop
  }

  async #automate({ snapshot }: Pass, loop: Loop, listener: (pass: Pass) => void, options: Unasked): Promise<void> {
    const { projects } = await this.#definitions(options)
    const { pass, againMs } = await syncByItself(this, snapshot, projects, options)
    if (pass !== undefined) listener(pass)
    // The timer looks often enough for what is further away.
    if (againMs < WATCH_TIMER_MS) setTimeout(() => loop.wake('timer'), againMs).unref()
  }

  /** Forgets what other processes may have changed: the inventory and all that was concluded. */
  async forget(application: Application): Promise<void> {
    this.#memories.forget(application)
    const { store } = await this.#bundle(contextOf(application, this.options.context))
    store.invalidate()
  }

  /** The cluster that an application goes to. @throws ClusterError */
  async clusterOf(application: Application): Promise<Cluster> {
    return (await this.#bundle(contextOf(application, this.options.context))).cluster
  }

  /** The cluster of a context. @throws ClusterError */
  async cluster(context: string = this.options.context): Promise<Cluster> {
    return (await this.#bundle(context)).cluster
  }

  get source(): GitSource {
    return this.#source
  }

  get renderer(): SourceRenderer {
    return this.#renderer
  }

  /** What a run of the line needs besides a cluster, for those who run it on another one. */
  get parts(): SessionParts {
    return { source: this.#source, renderer: this.#renderer, jq: this.#jq, verifier: this.#verifier }
  }

  async store(application: Application): Promise<ClusterStore> {
    return (await this.#bundle(contextOf(application, this.options.context))).store
  }

  async dispose(): Promise<void> {
    const bundles = await Promise.allSettled(this.#bundles.values())
    await Promise.all(
      bundles.map(async (bundle) => {
        if (bundle.status === 'rejected') return
        bundle.value.settings.dispose()
        await bundle.value.cluster.dispose()
      }),
    )
    await this.#jq.dispose()
    await this.#source.dispose()
    await this.#embedded?.then(
      (embedded) => embedded.dispose(),
      () => undefined,
    )
  }

  /** What was found a moment ago. A pass that only looks does not wait for the files to be gone through once more. */
  async #definitions(options: Cancellable): Promise<FoundApplications> {
    const known = this.#found
    if (known === undefined) return this.applications(options)
    if (Date.now() - known.at > DEFINITIONS_AGE_MS) {
      // A failed search is told by whoever asks next.
      this.applications().catch(() => (this.#found = undefined))
    }
    return known.value
  }

  async #ports(application: Application): Promise<Ports> {
    const { cluster, store } = await this.#bundle(contextOf(application, this.options.context))
    return {
      source: this.#source,
      verifier: this.#verifier.portFor(store),
      renderer: this.#renderer,
      cluster,
      store,
      jq: this.#jq,
      clock: systemClock,
      digest: sha256,
    }
  }

  /** What `argocd-cm` says, in the workspace or on the cluster. */
  async #rules(
    application: Application,
    written: FoundApplications['settings'],
    { signal }: Cancellable,
  ): ReturnType<ClusterSettings['rulesFor']> {
    const { settings } = await this.#bundle(contextOf(application, this.options.context))
    return settings.rulesFor(written, signal === undefined ? {} : { signal })
  }

  async #bundle(context: string): Promise<Bundle> {
    let bundle = this.#bundles.get(context)
    if (bundle === undefined) {
      bundle = this.#connect(context)
      this.#bundles.set(context, bundle)
      bundle.catch(() => this.#bundles.delete(context))
    }
    return bundle
  }

  async #connect(context: string): Promise<Bundle> {
    const kubeconfig = context === EMBEDDED_CONTEXT ? await this.#embeddedKubeconfig() : this.options.kubeconfig
    const file = kubeconfig === undefined ? {} : { kubeconfig }
    const named = context === '' ? {} : { context }
    const { watch, requestTimeoutMs } = this.options
    const limit = requestTimeoutMs === undefined ? {} : { timeoutMs: requestTimeoutMs }
    const cluster = await connectCluster({ ...file, ...named, ...limit, watch })
    const store = new ClusterStore(storeClient(cluster), sha256, systemClock)
    return { cluster, store, settings: new ClusterSettings(cluster) }
  }

  async #embeddedKubeconfig(): Promise<string> {
    this.#embedded ??= openEmbedded(path.join(stateFolder(), 'embedded'))
    return (await this.#embedded).kubeconfig
  }
}
