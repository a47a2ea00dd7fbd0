import { ConfigurationTarget, l10n, window, workspace } from 'vscode'
import type { App } from '../app.ts'
import { settings } from '../settings.ts'
import { applicationOf, resourceIn } from './target.ts'

/** Narrows the tree while it is typed. */
export async function filterTree(app: App): Promise<void> {
  const before = app.filter.get()
  const box = window.createInputBox()
  box.title = l10n.t('Filter applications')
  box.placeholder = l10n.t('A name, a kind, a state such as OutOfSync or Degraded; several words all have to fit')
  box.value = before
  const { promise, resolve } = Promise.withResolvers<boolean>()
  box.onDidChangeValue((text) => app.filter.set(text))
  box.onDidAccept(() => resolve(true))
  box.onDidHide(() => resolve(false))
  box.show()
  if (!(await promise)) app.filter.set(before)
  box.dispose()
}

export async function groupTree(): Promise<void> {
  const items = [
    { label: l10n.t('Flat'), value: 'none' },
    { label: l10n.t('By project'), value: 'project' },
    { label: l10n.t('By cluster'), value: 'cluster' },
    { label: l10n.t('By state'), value: 'state' },
  ].map((item) => ({ ...item, picked: item.value === settings.groupBy() }))
  const picked = await window.showQuickPick(items, { placeHolder: l10n.t('How are applications grouped?') })
  if (picked === undefined) return
  await workspace.getConfiguration('plumbline').update('groupBy', picked.value, ConfigurationTarget.Global)
}

/** Opens an application's panel, at a resource where one is named. */
export async function openPanel(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Which application is to be shown?'))
  if (application === undefined) return
  const key = resourceIn(argument)?.key
  app.openPanel({ application, ...(key === undefined ? {} : { key }) })
}
