import { unwatchFile, watchFile } from 'node:fs'
import { userInfo } from 'node:os'
import path from 'node:path'
import { singleFlight } from '../base/single-flight.ts'
import type { Pass } from '../core/status.ts'
import type { Trigger } from '../loop.ts'
import type { Application } from '../model/application.ts'
import { canonicalJson } from '../model/json.ts'
import type { Failure } from '../model/failure.ts'
import type { SyncEvent } from '../model/outcome.ts'
import type { Cancellable } from '../model/ports.ts'
import { Session, type SyncOptions } from '../session.ts'
import type { SessionOptions } from '../session/session-options.ts'
import { Acting } from './acting.ts'
import { AgentError } from './agent-error.ts'
import { ClusterNews } from './cluster-news.ts'
import type { OpenParams, SessionEvent, SyncParams } from './contract.ts'
import { endLoop, headOf, messageOf, newlyHosted, sameFailures, writtenAs, type Hosted } from './hosted-application.ts'
import { syncRequestOf } from './sync-request.ts'

/** Git's own record of where HEAD was is looked at this often: a stat of two files. */
const GIT_POLL_MS = 1000
/** A cluster that could not be connected to is tried anew after this. */
const AGAIN_MS = 3000

/** One session, its applications watched from the first subscriber on. */
export class HostedSession {
  readonly session: Session
  readonly #params: OpenParams
  readonly #hosted = new Map<string, Hosted>()
  readonly #listeners = new Set<(event: SessionEvent) => void>()
  readonly #watched: readonly string[]
  readonly #rescan: () => Promise<void>
  readonly #acting: Acting
  readonly #news = new ClusterNews((cluster) => {
    for (const hosted of this.#hosted.values()) if (hosted.cluster === cluster) this.#tellPass(hosted)
  })
  #failures: readonly Failure[] = []
  #again: NodeJS.Timeout | undefined
  #started: Promise<void> | undefined
  #disposed = false

  private constructor(session: Session, params: OpenParams) {
    this.session = session
    this.#params = params
    this.#rescan = singleFlight(async () => this.#scan())
    this.#acting = new Acting(session, () => this.#wake('timer'))
    const gitDir = session.source.repository?.layout.gitDir
    this.#watched = gitDir === undefined ? [] : [path.join(gitDir, 'HEAD'), path.join(gitDir, 'logs', 'HEAD')]
  }

  /** @throws GitError, ClusterError */
  static async open(params: OpenParams, access: SessionOptions['access']): Promise<HostedSession> {
    const { workspace, context, trusted, apps, kubeconfig } = params
    const session = await Session.open({
      workspace,
      context,
      watch: true,
      trusted,
      user: thisUser(),
      ...(access === undefined ? {} : { access }),
      ...(apps === undefined ? {} : { apps }),
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
    })
    return new HostedSession(session, params)
  }

  get root(): string {
    return this.session.source.root ?? this.#params.workspace
  }

  /** Tells everything that is known, then everything that happens. @returns the listener's removal */
  async subscribe(listener: (event: SessionEvent) => void): Promise<() => void> {
    const known = this.#started !== undefined
    this.#listeners.add(listener)
    this.#started ??= this.#start()
    await this.#started
    if (known) {
      listener(this.#applicationsEvent())
      for (const { pass, local, failure, application } of this.#hosted.values()) {
        if (pass !== undefined) listener({ kind: 'snapshot', snapshot: pass.snapshot, local })
        if (failure !== undefined) listener({ kind: 'failed', application: application.name, message: failure })
      }
    }
    return () => this.#listeners.delete(listener)
  }

  /** @throws AgentError `no-application` */
  async refresh(name: string | undefined, hard: boolean): Promise<void> {
    if (hard) this.session.source.expire()
    await this.#rescan()
    const wanted = name === undefined ? [...this.#hosted.values()] : [this.#named(name)]
    for (const hosted of wanted) {
      if (hard) await this.session.forget(hosted.application)
      ;(await hosted.loop)?.wake('person')
    }
  }

  /** What a sync would do. */
  async plan(params: SyncParams, options: Cancellable): Promise<Pass> {
    return this.session.sync(await this.application(params.application), {
      ...this.#syncOptions(params, true),
      ...options,
    })
  }

  async sync(params: SyncParams, options: Cancellable): Promise<Pass> {
    return this.acting(params.application, async (application, report) => {
      const asked = { ...this.#syncOptions(params, false), ...options }
      if (params.requireRehearsal !== true) return this.session.sync(application, { ...asked, report })
      // The embedded server is large; syncs that ask for no rehearsal do not load it.
      const { rehearsedRequest } = await import('../session/rehearse.ts')
      const { request } = await rehearsedRequest(this.session, application, asked)
      return this.session.sync(application, { ...asked, request, report })
    })
  }

  /** Work that changes an application: its steps are told to everybody, and then it is looked at again. */
  async acting<T>(
    name: string,
    work: (application: Application, report: (event: SyncEvent) => void) => Promise<T>,
  ): Promise<T> {
    const application = await this.application(name)
    try {
      return await work(application, (event) => this.#tell({ kind: 'sync', application: name, event }))
    } finally {
      ;(await this.#hosted.get(name)?.loop)?.wake('person')
    }
  }

  /** Every application of the workspace's files, and those whose pass is known with it. */
  async all(): Promise<readonly { readonly application: Application; readonly pass: Pass | undefined }[]> {
    if (this.#hosted.size === 0) await this.#rescan()
    return [...this.#hosted.values()].map(({ application, pass }) => ({ application, pass }))
  }

  /** The last pass over an application, or the first one where nobody watches yet. */
  async pass(name: string, options: Cancellable): Promise<Pass> {
    return this.#hosted.get(name)?.pass ?? this.session.look(await this.application(name), options)
  }

  /** @throws AgentError `no-application` */
  async application(name: string): Promise<Application> {
    if (!this.#hosted.has(name)) await this.#rescan()
    return this.#named(name).application
  }

  async dispose(): Promise<void> {
    this.#disposed = true
    clearTimeout(this.#again)
    for (const file of this.#watched) unwatchFile(file, this.#onCommit)
    for (const hosted of this.#hosted.values()) await endLoop(hosted)
    this.#news.dispose()
    await this.#acting.dispose()
    await this.session.dispose()
  }

  #named(name: string): Hosted {
    const hosted = this.#hosted.get(name)
    if (hosted === undefined)
      throw new AgentError('no-application', `there is no application ${name} in this workspace`)
    return hosted
  }

  #syncOptions(params: SyncParams, dryRun: boolean): SyncOptions {
    const { revision } = params
    return { ...(revision === undefined ? {} : { revision }), request: syncRequestOf(params, dryRun) }
  }

  async #start(): Promise<void> {
    for (const file of this.#watched) watchFile(file, { interval: GIT_POLL_MS, persistent: false }, this.#onCommit)
    await this.#rescan()
  }

  readonly #onCommit = (): void => {
    // Files may define other applications now; those that stay look at the new commit.
    void this.#rescan().catch(() => undefined)
    this.#wake('commit')
  }

  #wake(trigger: Trigger): void {
    for (const { loop } of this.#hosted.values())
      void loop?.then(
        (running) => running.wake(trigger),
        () => undefined,
      )
  }

  async #scan(): Promise<void> {
    const { applications, failures } = await this.session.applications()
    if (this.#disposed) return
    const before = canonicalJson([...this.#hosted.values()].map(({ written }) => written))
    const named = new Map(applications.map((application) => [application.name, application]))
    for (const [name, hosted] of this.#hosted) {
      if (writtenAs(named.get(name)) === hosted.written) continue
      this.#hosted.delete(name)
      await endLoop(hosted)
    }
    for (const application of named.values()) {
      if (this.#hosted.has(application.name)) continue
      const hosted = newlyHosted(application)
      this.#hosted.set(application.name, hosted)
    }
    const after = canonicalJson([...this.#hosted.values()].map(({ written }) => written))
    const same = before === after && sameFailures(failures, this.#failures)
    this.#failures = failures
    if (!same || this.#hosted.size === 0) this.#tell(this.#applicationsEvent())
    if (this.#listeners.size > 0) for (const hosted of this.#hosted.values()) this.#watch(hosted)
  }

  #watch(hosted: Hosted): void {
    if (hosted.loop !== undefined) return
    const { application } = hosted
    const fail = (error: unknown): void => this.#fail(hosted, messageOf(error))
    const loop = this.#acting.for(application).then(async (acting) => {
      hosted.cluster = await this.session.clusterOf(application)
      this.#news.follow(hosted.cluster)
      const tell = (pass: Pass): void => void this.#onPass(hosted, pass).catch(fail)
      const report = (event: SyncEvent): void => this.#tell({ kind: 'sync', application: application.name, event })
      return this.session.watch(application, tell, fail, acting, report)
    })
    hosted.loop = loop
    loop.catch((error: unknown) => {
      hosted.loop = undefined
      fail(error)
      // A kubeconfig that could not be read a moment ago may be whole by now.
      this.#again ??= setTimeout(() => {
        this.#again = undefined
        void this.#rescan().catch(() => undefined)
      }, AGAIN_MS).unref()
    })
  }

  async #onPass(hosted: Hosted, pass: Pass): Promise<void> {
    // Nothing has moved: the loop got its last pass again.
    if (hosted.pass?.snapshot === pass.snapshot && hosted.failure === undefined) return
    const moved = hosted.pass !== undefined && hosted.pass.snapshot.revision?.sha !== pass.snapshot.revision?.sha
    hosted.pass = pass
    // Not every git keeps a record of HEAD; another commit may define other applications.
    if (moved) void this.#rescan().catch(() => undefined)
    hosted.local = await this.isLocal(hosted.application)
    if (hosted.pass !== pass || this.#hosted.get(hosted.application.name) !== hosted) return
    this.#tellPass(hosted)
  }

  /** The last pass, and what keeps it from being true now. */
  #tellPass(hosted: Hosted): void {
    const { pass, local, cluster } = hosted
    if (pass !== undefined) this.#tell({ kind: 'snapshot', snapshot: pass.snapshot, local })
    hosted.failure = undefined
    const trouble = this.#news.trouble(cluster)
    if (trouble !== undefined) this.#fail(hosted, trouble)
  }

  #fail(hosted: Hosted, message: string): void {
    hosted.failure = message
    this.#tell({ kind: 'failed', application: hosted.application.name, message })
  }

  /** Whether every place that a pass tells is a place in the open repository. */
  async isLocal({ sources }: Application): Promise<boolean> {
    const { source } = this.session
    if (source.repository === undefined) return false
    for (const { repoURL, chart, targetRevision } of sources) {
      if (chart !== undefined) continue
      const repository = await source.repositoryOf(repoURL, { revision: targetRevision }).catch(() => undefined)
      if (repository !== source.repository) return false
    }
    return true
  }

  #applicationsEvent(): SessionEvent {
    const heads = [...this.#hosted.values()].map(({ application }) => headOf(application, this.#params.context))
    return { kind: 'applications', applications: heads, failures: this.#failures }
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

/** Who is said to have asked for a sync. Not every machine knows the name of its user. */
function thisUser(): string {
  try {
    return userInfo().username
  } catch {
    return process.env['USER'] ?? 'unknown'
  }
}
