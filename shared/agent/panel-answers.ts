import { isCancelled, sleep } from '../base/abort.ts'
import type { FrontAbilities } from '../model/front.ts'
import type { HostAnswers } from '../view/host-channel.ts'
import type { HostEvent, HostFailure, PanelMethods, PlanShown, SyncChoice, Typed } from '../view/host.ts'
import { applicationRow } from '../view/application-row.ts'
import { AgentError } from './agent-error.ts'
import type { AgentClient } from './client.ts'
import { METHODS, type SentSnapshot, type SessionEvent, type SyncParams, type SyncResult } from './contract.ts'

/** What a panel's front has at hand: an agent with a session on it, and what was told last. */
export type PanelPort = {
  readonly ask: AgentClient['ask']
  readonly abilities: FrontAbilities
  /** Empty while there is none. */
  session(): string
  /** The context that an application goes to. */
  contextOf(application: string): string
  isProduction(context: string): boolean | Promise<boolean>
  lastSnapshot(application: string): SentSnapshot | undefined
}

/** What a rehearsal tells while it runs carries its ticket; nobody here listens to it. */
let rehearsals = 0

/** How often events and logs are asked for while somebody looks. */
const EVENTS_MS = 3000
const LOGS_MS = 1500

type AgentMethod = 'hello' | `application/${string}` | 'resource/delete'
type Answered = Omit<Pick<HostAnswers, Extract<keyof PanelMethods, AgentMethod>>, 'application/ignore'>

/**
 * Answers what a panel asks with what the agent says; where files are opened and edited, the front adds its own.
 * @param watched the applications whose snapshots the panel is told of; `application/watch` adds to them
 */
export function panelAnswers(port: PanelPort, watched: Set<string>): Answered {
  return { ...lookAnswers(port, watched), ...followAnswers(port), ...actAnswers(port) }
}

/** A session's event as a panel is told of it; undefined for what it does not watch. */
export function hostEventOf(event: SessionEvent, watched: ReadonlySet<string>): HostEvent | undefined {
  switch (event.kind) {
    case 'snapshot':
      return watched.has(event.snapshot.application.name) ? event : undefined
    case 'failed':
      return watched.has(event.application) ? event : undefined
    case 'sync':
      return watched.has(event.application) ? { ...event, at: new Date().toISOString() } : undefined
    case 'applications':
      return undefined
  }
}

/** A failure in the words that a panel shows. */
export function hostFailureOf(error: unknown): HostFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (isCancelled(error)) return { message, reason: 'cancelled' }
  if (AgentError.is(error)) return { message, reason: error.detail === '' ? error.reason : error.detail }
  return { message, reason: 'failed' }
}

function lookAnswers(port: PanelPort, watched: Set<string>): Answered {
  const { ask } = port
  const of = ({ application }: { readonly application: string }): { session: string; application: string } => ({
    session: port.session(),
    application,
  })
  return {
    hello: async () => port.abilities,
    'application/watch': async ({ application }) => {
      watched.add(application)
      return port.lastSnapshot(application) ?? null
    },
    'application/unwatch': async ({ application }) => {
      watched.delete(application)
      return null
    },
    'application/refresh': async ({ application, hard }, options) =>
      ask(
        METHODS.refresh,
        { session: port.session(), ...(application === undefined ? {} : { application }), hard },
        options,
      ),
    'application/plan': async (params, options) =>
      shownOf(port, params.application, await ask(METHODS.plan, syncParams(port, params), options)),
    'application/diff': async (params, options) =>
      ask(METHODS.diff, { ...of(params), ...(params.keys === undefined ? {} : { keys: params.keys }) }, options),
    'application/object': async ({ side, id, version, ...params }, options) =>
      side === 'live'
        ? ask(METHODS.live, { ...of(params), id, version }, options)
        : ask(METHODS.desired, { ...of(params), id }, options),
    'application/history': async (params, options) => ask(METHODS.history, of(params), options),
  }
}

function followAnswers(port: PanelPort): Answered {
  return {
    'application/events': async ({ application }, { signal, part }) => {
      const told = new Map<string, string>()
      for (;;) {
        const rows = await port.ask(METHODS.events, { session: port.session(), application }, { signal })
        const fresh = rows.filter(({ uid, time, count }) => told.get(uid) !== `${time}/${count}`)
        for (const { uid, time, count } of fresh) told.set(uid, `${time}/${count}`)
        if (fresh.length > 0 || told.size === 0) part(fresh)
        await sleep(EVENTS_MS, { signal })
      }
    },
    'application/logs': async ({ application, pod, container, tail }, { signal, part }) => {
      const place = { application, namespace: pod.namespace, pod: pod.name }
      const named = container === undefined ? {} : { container }
      let since: string | undefined
      for (;;) {
        const wanted = since === undefined ? { tail } : { since }
        const lines = await port.ask(
          METHODS.logs,
          { session: port.session(), ...place, ...named, ...wanted },
          { signal },
        )
        const first = since === undefined
        if (lines.length > 0 || first) part(lines)
        // Without times nobody can tell what is new.
        since = lines.at(-1)?.time || since
        await sleep(LOGS_MS, { signal })
        if (since === undefined && lines.length > 0) return null
      }
    },
  }
}

function actAnswers(port: PanelPort): Answered {
  const { ask } = port
  return {
    // Whoever closes the panel does not end a sync: that is `application/terminate`.
    'application/sync': async (params) => {
      await allow(port, params)
      const { outcome, snapshot } = await ask(METHODS.sync, syncParams(port, params))
      if (outcome === undefined && snapshot.failure !== undefined)
        throw new AgentError('failed', applicationRow(snapshot).failure ?? snapshot.failure.message, 'refused')
      return outcome ?? null
    },
    'application/rehearse': async ({ on, inject, ...params }, { signal }) => {
      const ticket = `panel-${(rehearsals += 1)}`
      return ask(METHODS.rehearse, { ...syncParams(port, params), ticket, on, inject }, { signal })
    },
    'application/terminate': async ({ application }, { signal }) =>
      ask(METHODS.terminate, { session: port.session(), application }, { signal }),
    'application/rollback': async (params) => {
      const { application, id, prune, dryRun } = params
      if (!dryRun) await allow(port, params)
      const result = await ask(METHODS.rollback, { session: port.session(), application, id, prune, dryRun })
      if (dryRun) return { shown: await shownOf(port, application, result) }
      return result.outcome === undefined ? {} : { outcome: result.outcome }
    },
    'resource/delete': async (params, { signal }) => {
      await allow(port, params)
      const { application, id, uid } = params
      return ask(METHODS.deleteResource, { session: port.session(), application, id, uid }, { signal })
    },
  }
}

/** @throws AgentError `failed` with the detail `production` */
async function allow(
  port: PanelPort,
  { application, typedName }: Typed & { readonly application: string },
): Promise<void> {
  const context = port.contextOf(application)
  if (typedName === context || !(await port.isProduction(context))) return
  throw new AgentError('failed', `${context} is a production context: its name has to be typed`, 'production')
}

async function shownOf(port: PanelPort, application: string, { plan, snapshot }: SyncResult): Promise<PlanShown> {
  if (plan === undefined || snapshot.failure !== undefined)
    throw new AgentError('failed', applicationRow(snapshot).failure ?? 'there is no plan', 'refused')
  const context = port.contextOf(application)
  return { plan, context, production: await port.isProduction(context) }
}

function syncParams(port: PanelPort, choice: SyncChoice & { readonly application: string }): SyncParams {
  const { application, revision, prune, force, replace, only } = choice
  return {
    session: port.session(),
    application,
    prune,
    ...(revision === undefined ? {} : { revision }),
    ...(force === undefined ? {} : { force }),
    ...(replace === undefined ? {} : { replace }),
    ...(only === undefined ? {} : { only }),
  }
}
