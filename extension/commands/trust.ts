import { l10n, window } from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import { verdictMark } from '../../shared/view/marks.ts'
import { shortSha } from '../../shared/view/words.ts'
import type { App } from '../app.ts'

/** What the signed-commit checker says of the last commits, or of one that is named. */
export async function verifyCommit(app: App): Promise<void> {
  const repository = app.model.session?.root
  if (repository === undefined) return
  const revision = await window.showInputBox({
    prompt: l10n.t('Which commit or range (FROM..TO) is to be verified?'),
    value: 'HEAD',
  })
  if (revision === undefined) return
  const commits = await app.connection.ask(METHODS.verify, { repository, revision })
  const items = commits.map(({ verdict, subject, author }) => {
    const mark = verdictMark(verdict)
    return {
      label: `$(${mark.codicon}) ${shortSha(verdict.sha)} ${subject}`,
      description: `${mark.word} · ${author}`,
      detail: verdict.reason,
    }
  })
  await window.showQuickPick(items, {
    title: l10n.t('Signatures of {0}', revision),
    placeHolder: l10n.t('Newest first'),
  })
}

/** Trusts the keys of a file. */
export async function addKey(app: App): Promise<void> {
  const [file] =
    (await window.showOpenDialog({
      title: l10n.t('Trust the keys of a file'),
      openLabel: l10n.t('Trust'),
    })) ?? []
  if (file === undefined) return
  const name = await app.connection.ask(METHODS.addKey, { file: file.fsPath })
  await app.connection.readMachine()
  window.setStatusBarMessage(`$(key) ${l10n.t('added as {0}', name)}`, 8000)
}

/** Trusts a key no longer. */
export async function removeKey(app: App, argument?: unknown): Promise<void> {
  const { row } = (argument ?? {}) as { readonly row?: { readonly fingerprint?: unknown } }
  const id = typeof row?.fingerprint === 'string' ? row.fingerprint : await pickKey(app)
  if (id === undefined) return
  const yes = l10n.t('Remove')
  const answer = await window.showWarningMessage(l10n.t('Trust the key {0} no longer?', id), { modal: true }, yes)
  if (answer !== yes) return
  await app.connection.ask(METHODS.removeKey, { id })
  await app.connection.readMachine()
}

async function pickKey(app: App): Promise<string | undefined> {
  const items = app.model.keys.map(({ fingerprint, names }) => ({
    label: names[0] ?? fingerprint,
    description: fingerprint,
    fingerprint,
  }))
  return (await window.showQuickPick(items, { placeHolder: l10n.t('Which key is to be removed?') }))?.fingerprint
}
