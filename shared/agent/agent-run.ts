import { hostname } from 'node:os'
import { sleep } from '../base/abort.ts'
import { systemClock } from '../base/clock.ts'
import type { AgentReport } from '../model/agent-install.ts'
import type { ApplicationSnapshot } from '../model/status.ts'
import type { Cancellable } from '../model/ports.ts'
import { dropReport, writeReport } from '../session/agent-report.ts'
import { feedApplications, type FeedSource } from './application-feed.ts'
import type { SessionEvent } from './contract.ts'
import { HostedSession } from './hosted-session.ts'

export type AgentRunOptions = Cancellable & {
  /** Folder of the Application files, where the agent keeps what it reads from elsewhere too. */
  readonly folder: string
  readonly from?: FeedSource | undefined
  /** Empty inside a cluster: the service account's own. */
  readonly context: string
  readonly kubeconfig?: string | undefined
  readonly version: string
  /** The name that it is known by; the host's when absent. */
  readonly name?: string | undefined
  readonly onLine: (line: string) => void
  /** Milliseconds between two looks at where Application files come from. */
  readonly feedMs?: number
}

const FEED_MS = 30_000
/** A sign of life at least this often, and news no oftener. */
const REPORT_MS = 10_000
const LIFE_MS = 60_000

/** Watches all applications of a folder and syncs those that are automated, as long as it holds the Lease, until its signal fires. */
export async function runAgent(options: AgentRunOptions): Promise<void> {
  const { folder, context, kubeconfig, signal, onLine } = options
  const opened = {
    workspace: folder,
    apps: folder,
    context,
    trusted: [],
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
  }
  const hosted = await HostedSession.open(opened, undefined)
  const seen = new Observed(options)
  try {
    await feed(hosted, options)
    await hosted.subscribe((event) => seen.take(event))
    onLine(`watching ${folder}`)
    await Promise.all([refeed(hosted, options), report(hosted, seen, options)])
  } catch (error) {
    if (signal?.aborted !== true) throw error
  } finally {
    const cluster = await hosted.session.cluster().catch(() => undefined)
    if (cluster !== undefined) await dropReport(cluster, seen.name, {}).catch(() => undefined)
    await hosted.dispose()
  }
}

async function feed(hosted: HostedSession, { folder, from, signal, onLine }: AgentRunOptions): Promise<void> {
  if (from === undefined) return
  const { source } = hosted.session
  const cluster = await hosted.session.cluster()
  const notes = await feedApplications(folder, from, { source, cluster }, signal === undefined ? {} : { signal })
  for (const note of notes) onLine(note)
}

/** Another revision of the files, or other files in the folder, are seen within a moment. */
async function refeed(hosted: HostedSession, options: AgentRunOptions): Promise<void> {
  const { signal, onLine, feedMs = FEED_MS } = options
  for (;;) {
    await sleep(feedMs, { signal })
    try {
      hosted.session.source.expire()
      await feed(hosted, options)
      await hosted.refresh(undefined, false)
    } catch (error) {
      if (signal?.aborted === true) throw error
      onLine(`the Application files could not be read: ${messageOf(error)}`)
    }
  }
}

async function report(hosted: HostedSession, seen: Observed, { signal, onLine }: AgentRunOptions): Promise<void> {
  let told = ''
  let at = Number.NEGATIVE_INFINITY
  for (;;) {
    const now = systemClock.now()
    const text = JSON.stringify(seen.report())
    if (text !== told || now - at > LIFE_MS) {
      try {
        await writeReport(await hosted.session.cluster(), seen.report(), signal === undefined ? {} : { signal })
        told = text
        at = now
      } catch (error) {
        if (signal?.aborted === true) throw error
        onLine(`the report could not be written: ${messageOf(error)}`)
      }
    }
    await sleep(REPORT_MS, { signal })
  }
}

/** What the agent saw last of each application. */
class Observed {
  readonly name: string
  readonly #startedAt = new Date(systemClock.now()).toISOString()
  readonly #version: string
  readonly #onLine: (line: string) => void
  readonly #applications = new Map<string, AgentReport['applications'][number]>()
  #lastPass = ''

  constructor({ name, version, onLine }: AgentRunOptions) {
    this.name = name ?? hostname()
    this.#version = version
    this.#onLine = onLine
  }

  take(event: SessionEvent): void {
    switch (event.kind) {
      case 'snapshot':
        return this.#passed(event.snapshot)
      case 'failed':
        this.#put(event.application, { sync: 'Unknown', health: 'Unknown', revision: '', message: event.message })
        return this.#onLine(`${event.application}: ${event.message}`)
      case 'applications': {
        const names = new Set(event.applications.map(({ name }) => name))
        for (const name of this.#applications.keys()) if (!names.has(name)) this.#applications.delete(name)
        for (const { message } of event.failures) this.#onLine(message)
        return this.#onLine(`applications: ${[...names].join(', ') || 'none'}`)
      }
      case 'sync':
        return
    }
  }

  report(): AgentReport {
    const applications = [...this.#applications.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    const { name } = this
    return { name, version: this.#version, startedAt: this.#startedAt, lastPass: this.#lastPass, applications }
  }

  #passed({ application, sync, health, revision, failure, conditions }: ApplicationSnapshot): void {
    this.#lastPass = new Date(systemClock.now()).toISOString()
    const message = conditions[0]?.message ?? failure?.message ?? ''
    const known = this.#applications.get(application.name)
    this.#put(application.name, { sync, health: health.status, revision: revision?.sha ?? '', message })
    if (known?.sync !== sync || known.health !== health.status) {
      this.#onLine(`${application.name}: ${sync}, ${health.status}${message === '' ? '' : `: ${message}`}`)
    }
  }

  #put(name: string, state: Omit<AgentReport['applications'][number], 'name'>): void {
    this.#applications.set(name, { name, ...state })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
