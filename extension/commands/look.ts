import path from 'node:path'
import { commands, env, l10n, Position, Range, Uri, window, workspace } from 'vscode'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import { fullLabel } from '../../shared/view/words.ts'
import type { App } from '../app.ts'
import { idOfKey } from '../diff/resource-key.ts'
import { objectUri } from '../diff/object-uri.ts'
import { applicationOf, objectOf, resourceOf, resourceStatus, type ResourceTarget } from './target.ts'

/** One resource in the native diff editor: the cluster at the left, what a sync makes of it at the right. */
export async function diffResource(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, l10n.t('Of which resource is the difference to be shown?'))
  if (target === undefined) return
  const [live, desired] = sidesOf(target)
  const { kind, name } = idOfKey(target.key)
  await commands.executeCommand('vscode.diff', live, desired, l10n.t('{0} {1}: cluster ↔ Git', kind, name))
}

/** Everything of an application that is not in sync, in one multi-diff editor. */
export async function diffApplication(app: App, argument?: unknown): Promise<void> {
  const application = await applicationOf(argument, app, l10n.t('Of which application is the difference to be shown?'))
  if (application === undefined) return
  const resources = app.model.application(application)?.sent?.snapshot.resources ?? []
  const drifted = resources.filter(({ drift }) => drift.state !== 'synced' && drift.state !== 'unknown')
  if (drifted.length === 0) {
    void window.showInformationMessage(l10n.t('{0} is in sync.', application))
    return
  }
  const files = drifted.map(({ id }) => {
    const [live, desired] = sidesOf({ application, key: resourceKey(id) })
    return [desired, live, desired]
  })
  await commands.executeCommand('vscode.changes', l10n.t('{0}: cluster ↔ Git', application), files)
}

/** The object as the cluster has it, read-only, a Secret without its values. */
export async function openLive(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, l10n.t('Which live object is to be opened?'))
  const object = target === undefined ? undefined : objectOf(target, app)
  if (target === undefined || object === undefined) return
  const { id, version } = object
  const uri = objectUri({ ...target, side: 'object', name: `${id.kind} ${id.name}`, version })
  await window.showTextDocument(await workspace.openTextDocument(uri), { preview: true })
}

/** The manifest in the workspace, at its first line or at its first drifted field. */
export async function openManifest(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, l10n.t('Which manifest is to be opened?'))
  const { session } = app.model
  const origin = target === undefined ? undefined : resourceStatus(target, app)?.drift.origin
  if (target === undefined || session === undefined || origin === undefined) return
  const uri = Uri.file(path.join(session.root, origin.file))
  const document = await workspace.openTextDocument(uri)
  const drifted = app.documents
    .notes(uri)
    .find(({ note }) => note.resource !== undefined && resourceKey(note.resource.id) === target.key)
  const line = Math.min(drifted?.spot.line ?? origin.start.line - 1, document.lineCount - 1)
  const at = new Position(line, drifted?.spot.character ?? 0)
  await window.showTextDocument(document, { preview: true, selection: new Range(at, at) })
}

/** `kubectl get` for exactly this object, on the clipboard. */
export async function copyKubectl(app: App, argument?: unknown): Promise<void> {
  const target = await resourceOf(argument, app, l10n.t('For which object?'))
  const object = target === undefined ? undefined : objectOf(target, app)
  if (target === undefined || object === undefined) return
  const { id, version } = object
  const kind = id.group === '' ? id.kind : `${id.kind}.${version}.${id.group}`
  const namespace = id.namespace === '' ? '' : ` --namespace ${id.namespace}`
  const context = app.model.application(target.application)?.head.context ?? app.model.context
  await env.clipboard.writeText(`kubectl --context ${context}${namespace} get ${kind} ${id.name} --output yaml`)
  window.setStatusBarMessage(`$(clippy) ${l10n.t('kubectl command for {0} copied', fullLabel(id))}`, 4000)
}

function sidesOf({ application, key }: ResourceTarget): readonly [Uri, Uri] {
  const { kind, name } = idOfKey(key)
  const of = (side: 'live' | 'desired'): Uri => objectUri({ application, key, side, name: `${kind} ${name}` })
  return [of('live'), of('desired')]
}
