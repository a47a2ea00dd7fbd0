import { l10n, window, type Progress } from 'vscode'
import { CLUSTER_METHODS } from '../../shared/agent/cluster-contract.ts'
import {
  clusterId,
  type ClusterEvent,
  type ClusterRef,
  type ClusterRow,
  type ProviderRow,
} from '../../shared/model/cluster.ts'
import type { Cancellable } from '../../shared/model/ports.ts'
import type { App } from '../app.ts'
import { signalOf } from '../signal.ts'
import { withProgress } from './run-operation.ts'

/** Makes a cluster on this machine: which kind, its name, and then its steps as they end. */
export async function createCluster(app: App): Promise<void> {
  const providers = await app.connection.ask(CLUSTER_METHODS.providers, null)
  const items = providers.map((row) => ({
    label: `$(${row.simulated ? 'beaker' : 'server-environment'}) ${row.title}`,
    description: row.state === 'ready' ? row.summary : l10n.t('cannot be used yet'),
    detail: missingWords(row),
    row,
  }))
  const picked = await window.showQuickPick(items, {
    title: l10n.t('New cluster'),
    placeHolder: l10n.t('Who is to make it?'),
    matchOnDescription: true,
  })
  if (picked === undefined) return
  const { row } = picked
  if (row.state !== 'ready') {
    void window.showWarningMessage(`${row.title}: ${missingWords(row)}`)
    return
  }
  const name = await window.showInputBox({
    title: l10n.t('New cluster: {0}', row.title),
    prompt: l10n.t('Its name'),
    value: row.suggestedName,
    validateInput: (text) =>
      /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(text)
        ? undefined
        : l10n.t('Lower case letters, digits and dashes, at most 40'),
  })
  if (name === undefined) return
  const spec = { provider: row.provider, name }
  const made = await operate(app, spec, l10n.t('Creating {0}', clusterId(spec)), async (options) =>
    app.connection.ask(CLUSTER_METHODS.create, spec, options),
  )
  if (made === undefined) return
  const use = l10n.t('Use It Here')
  const answer = await window.showInformationMessage(l10n.t('{0} is ready.', clusterId(spec)), use)
  if (answer === use) await app.connection.useContext(made.context, made.kubeconfig)
}

export async function startCluster(app: App, argument?: unknown): Promise<void> {
  const cluster = await clusterOf(app, argument, 'start', l10n.t('Which cluster is to be started?'))
  if (cluster === undefined) return
  await operate(app, cluster, l10n.t('Starting {0}', clusterId(cluster)), async (options) =>
    app.connection.ask(CLUSTER_METHODS.start, refOf(cluster), options),
  )
}

export async function stopCluster(app: App, argument?: unknown): Promise<void> {
  const cluster = await clusterOf(app, argument, 'stop', l10n.t('Which cluster is to be stopped?'))
  if (cluster === undefined) return
  await operate(app, cluster, l10n.t('Stopping {0}', clusterId(cluster)), async (options) =>
    app.connection.ask(CLUSTER_METHODS.stop, refOf(cluster), options),
  )
}

/** Deletes a cluster with all that is in it. One that Plumbline did not make wants its name typed. */
export async function deleteCluster(app: App, argument?: unknown): Promise<void> {
  const cluster = await clusterOf(app, argument, 'delete', l10n.t('Which cluster is to be deleted?'))
  if (cluster === undefined) return
  const confirmed = await confirmedName(cluster)
  if (confirmed === undefined) return
  await operate(app, cluster, l10n.t('Deleting {0}', clusterId(cluster)), async (options) =>
    app.connection.ask(CLUSTER_METHODS.delete, { ...refOf(cluster), ...confirmed }, options),
  )
}

async function confirmedName({ name, owned }: ClusterRow): Promise<{ readonly confirmName?: string } | undefined> {
  if (!owned) {
    const prompt = l10n.t('Plumbline did not make {0}. Type its name to delete it with all that is in it.', name)
    const typed = await window.showInputBox({ prompt, ignoreFocusOut: true })
    return typed === name ? { confirmName: name } : undefined
  }
  const yes = l10n.t('Delete')
  const question = l10n.t('Delete the cluster {0} with all that is in it?', name)
  return (await window.showWarningMessage(question, { modal: true }, yes)) === yes ? {} : undefined
}

async function clusterOf(
  app: App,
  argument: unknown,
  action: 'start' | 'stop' | 'delete',
  placeHolder: string,
): Promise<ClusterRow | undefined> {
  await app.connection.readClusters()
  const { cluster } = (argument ?? {}) as { readonly cluster?: ClusterRef }
  const able = app.model.clusters.filter(({ actions }) => actions.includes(action))
  if (cluster !== undefined) return able.find((row) => clusterId(row) === clusterId(cluster))
  if (able.length === 0) {
    void window.showInformationMessage(l10n.t('There is no cluster that could be.'))
    return undefined
  }
  const items = able.map((row) => ({ label: clusterId(row), description: `${row.state} · ${row.version}`, row }))
  return (await window.showQuickPick(items, { placeHolder }))?.row
}

function refOf({ provider, name }: ClusterRef): ClusterRef {
  return { provider, name }
}

/** Runs with the tool's own steps as progress. */
async function operate<T>(
  app: App,
  ref: ClusterRef,
  title: string,
  work: (options: Cancellable) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withProgress(title, async (token, progress) => {
      const subscription = app.connection.onCluster((told) => {
        if (clusterId(told.ref) !== clusterId(ref) || told.event.kind === 'ended') return
        report(app, told.event, progress)
      })
      try {
        return await work(signalOf(token))
      } finally {
        subscription.dispose()
      }
    })
  } finally {
    await app.connection.readClusters()
    await app.connection.readMachine()
  }
}

function report(app: App, event: ClusterEvent, progress: Progress<{ message?: string }>): void {
  switch (event.kind) {
    case 'step':
      app.log.info(`cluster: ${event.title} ${event.state}`)
      if (event.state === 'running') progress.report({ message: event.title })
      return
    case 'line':
      app.log.debug(`cluster: ${event.text}`)
      return
    case 'download': {
      const percent = event.total === 0 ? '' : ` ${Math.round((event.received / event.total) * 100)} %`
      progress.report({ message: `${event.what}${percent}` })
    }
  }
}

function missingWords({ state, tools, summary }: ProviderRow): string {
  if (state === 'ready') return ''
  const missing = tools.filter((tool) => tool.state !== 'found').map(({ tool, next }) => `${tool}: ${next}`)
  return missing.length === 0 ? summary : missing.join('; ')
}
