import { CLUSTER_METHODS } from '../../../shared/agent/cluster-contract.ts'
import type { ClusterEvent, ClusterRef, ClusterRow } from '../../../shared/model/cluster.ts'
import { CLUSTER_PROVIDERS } from '../../../shared/model/cluster.ts'
import type { ClusterAction, ClusterShown, TaskPart } from '../../../shared/model/front.ts'
import type { KubeContextRow } from '../../../shared/model/kube-context.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import { providerShown, specOf } from '../cluster-form.ts'
import { contextRows } from '../contexts.ts'
import { HostError } from '../host-error.ts'
import type { WindowDesk } from '../window-desk.ts'

type Work = { readonly signal: AbortSignal; readonly part: (part: TaskPart) => void }

/** The local clusters: which there are, who could make another, and what is done with them. */
export function clusterAnswers(desk: WindowDesk): HostAnswers {
  const { hub } = desk
  return {
    'clusters/list': async (_, { signal }) => {
      const [rows, contexts] = await Promise.all([
        hub.ask(CLUSTER_METHODS.list, null, { signal }),
        contextRows(desk, { signal }).catch(() => []),
      ])
      return rows.map((row) => shown(desk, row, contexts))
    },
    'clusters/providers': async (_, { signal }) => {
      const [providers, rows] = await Promise.all([
        hub.ask(CLUSTER_METHODS.providers, null, { signal }),
        hub.ask(CLUSTER_METHODS.list, null, { signal }),
      ])
      const taken = new Set(rows.map(({ provider, name }) => `${provider}/${name}`))
      return providers.map((row) => providerShown(row, taken))
    },
    'clusters/create': async ({ provider, fields }, work) => {
      const spec = specOf(provider, fields)
      const row = await following(desk, spec, work, async () =>
        hub.ask(CLUSTER_METHODS.create, spec, { signal: work.signal }),
      )
      return shown(desk, row, await contextRows(desk).catch(() => []))
    },
    'clusters/act': async ({ provider, name, action, argument, typedName }, work) => {
      const known = CLUSTER_PROVIDERS.find((one) => one === provider)
      if (known === undefined) throw new HostError('params', `there is no provider ${provider}`)
      const ref = { provider: known, name }
      await following(desk, ref, work, async () => act(desk, ref, { action, argument, typedName, signal: work.signal }))
      return null
    },
  }
}

type Acting = {
  readonly action: ClusterAction
  readonly argument: string | undefined
  readonly typedName: string | undefined
  readonly signal: AbortSignal
}

async function act(
  desk: WindowDesk,
  ref: ClusterRef,
  { action, argument = '', typedName, signal }: Acting,
): Promise<unknown> {
  const { hub, session, workspaces } = desk
  switch (action) {
    case 'start':
      return hub.ask(CLUSTER_METHODS.start, ref, { signal })
    case 'stop':
      return hub.ask(CLUSTER_METHODS.stop, ref, { signal })
    case 'delete':
      return hub.ask(
        CLUSTER_METHODS.delete,
        { ...ref, ...(typedName === undefined ? {} : { confirmName: typedName }) },
        { signal },
      )
    case 'load-image':
      return hub.ask(CLUSTER_METHODS.loadImage, { ...ref, image: argument }, { signal })
    case 'export-logs':
      return hub.ask(CLUSTER_METHODS.exportLogs, { ...ref, folder: argument }, { signal })
    case 'use': {
      const row = (await hub.ask(CLUSTER_METHODS.list, null, { signal })).find(
        (one) => one.name === ref.name && one.provider === ref.provider,
      )
      if (row === undefined || row.context === '')
        throw new HostError('refused', `${ref.name} has no context yet; start it first`)
      if (session.folder !== '') await workspaces.choose(session.folder, row.context)
      desk.tell({ kind: 'stale', what: 'contexts' })
      return session.useContext(row.context)
    }
    case 'install-agent':
      throw new HostError('refused', '`plumbline agent install` does this')
  }
}

/** Hands on what the agent tells of a cluster's work while it is done; the lists are another ones afterwards. */
async function following<T>(desk: WindowDesk, ref: ClusterRef, { part }: Work, work: () => Promise<T>): Promise<T> {
  const remove = desk.hub.onClusterEvent((told) => {
    if (told.ref.name !== ref.name || told.ref.provider !== ref.provider || told.event.kind === 'ended') return
    part(partOf(told.event))
  })
  try {
    return await work()
  } finally {
    remove()
    desk.tell({ kind: 'stale', what: 'clusters' })
    desk.tell({ kind: 'stale', what: 'contexts' })
  }
}

function partOf(event: ClusterEvent): TaskPart {
  switch (event.kind) {
    case 'step':
      return { kind: 'step', name: event.title, state: event.state }
    case 'line':
      return event
    case 'download': {
      const total = event.total === 0 ? '' : ` of ${megabytes(event.total)}`
      return { kind: 'line', text: `${event.what}: ${megabytes(event.received)}${total} MB` }
    }
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function shown({ session }: WindowDesk, row: ClusterRow, contexts: readonly KubeContextRow[]): ClusterShown {
  const { name, provider, context, version, nodes, detail, createdAt = '', owned, simulated } = row
  const current = context !== '' && context === session.context
  return {
    name,
    provider,
    context,
    version,
    nodes,
    state: row.state === 'failed' ? 'broken' : row.state,
    message: detail,
    createdAt,
    applications: session.applicationsOn(context),
    ours: owned,
    current,
    production: contexts.some((one) => one.name === context && one.production),
    simulated,
    actions: actionsOf(row, current),
  }
}

function actionsOf({ actions, state, context }: ClusterRow, current: boolean): readonly ClusterAction[] {
  const own = actions.flatMap((action): readonly ClusterAction[] => {
    switch (action) {
      case 'start':
      case 'stop':
      case 'delete':
      case 'load-image':
        return [action]
      case 'logs':
        return ['export-logs']
      default:
        return []
    }
  })
  return state === 'running' && context !== '' && !current ? ['use', ...own] : own
}
