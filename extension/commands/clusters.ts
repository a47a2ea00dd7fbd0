import { l10n, window } from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import type { App } from '../app.ts'
import { isProductionHere } from '../production-here.ts'

/** Acts on another context from now on, in this workspace. */
export async function switchContext(app: App, argument?: unknown): Promise<void> {
  const { row } = (argument ?? {}) as { readonly row?: { readonly name?: unknown } }
  const name = typeof row?.name === 'string' ? row.name : await pickContext(app)
  if (name === undefined || name === app.model.context) return
  const local = app.model.clusters.find(({ context }) => context === name)
  await app.connection.useContext(name, local?.kubeconfig)
}

/** Acts on the embedded cluster; it starts with the first look. */
export async function startEmbedded(app: App): Promise<void> {
  await app.connection.useContext('embedded')
  const { session } = app.connection
  if (session === '') return
  const version = await app.connection.ask(METHODS.startEmbedded, { session })
  window.setStatusBarMessage(
    `$(beaker) ${l10n.t('the embedded cluster runs (Kubernetes {0}, simulated)', version)}`,
    8000,
  )
}

async function pickContext(app: App): Promise<string | undefined> {
  await app.connection.readMachine()
  const items = app.model.contexts.map(({ name, server, simulated }) => ({
    label: `${name === app.model.context ? '$(circle-filled)' : '$(circle-outline)'} ${name}`,
    description: [
      simulated ? l10n.t('simulated') : server,
      isProductionHere(name, app.model) ? l10n.t('production') : '',
    ]
      .filter((word) => word !== '')
      .join(' · '),
    name,
  }))
  const picked = await window.showQuickPick(items, {
    placeHolder: l10n.t('Which context is to be acted on?'),
    matchOnDescription: true,
  })
  return picked?.name
}
