import { commands, l10n, Uri, window } from 'vscode'
import { METHODS } from '../../shared/agent/contract.ts'
import type { App } from '../app.ts'
import type { StoredCredential } from '../credentials.ts'
import { signalOf } from '../signal.ts'
import { withProgress } from './run-operation.ts'

/** Takes a token, a password or a key for a repository into the SecretStorage, and tests it. */
export async function addCredential(app: App, argument?: unknown): Promise<void> {
  const { url: known } = (argument ?? {}) as { readonly url?: unknown }
  const url = await window.showInputBox({
    title: l10n.t('Credential for a repository'),
    prompt: l10n.t('Address of the repository, or of the host or owner that it lies below'),
    value: typeof known === 'string' && known !== '.' ? known : 'https://',
    validateInput: (text) =>
      /^(?:https?|ssh):\/\/\S+$|^[^\s:@]+@[^\s:]+:\S+$/.test(text) ? undefined : l10n.t('An https or ssh address'),
  })
  if (url === undefined) return
  const credential = /^https?:/.test(url) ? await askToken(url) : await askKeyFile(url)
  if (credential === undefined) return
  await app.credentials.add(credential)
  await testRepository(app, { url })
}

/** Forgets what a repository is shown. */
export async function removeCredential(app: App): Promise<void> {
  const items = (await app.credentials.all()).map(({ url, username, sshKey }) => ({
    label: url,
    description: sshKey === '' ? username : sshKey,
  }))
  if (items.length === 0) {
    void window.showInformationMessage(l10n.t('No credential is kept.'))
    return
  }
  const picked = await window.showQuickPick(items, { placeHolder: l10n.t('Which credential is to be forgotten?') })
  if (picked !== undefined) await app.credentials.remove(picked.label)
}

/** Asks a remote for its branches, and says why it would not answer. */
export async function testRepository(app: App, argument?: unknown): Promise<void> {
  const { url } = (argument ?? {}) as { readonly url?: unknown }
  const address = typeof url === 'string' ? url : await pickRepository(app)
  if (address === undefined) return
  const answer = await withProgress(l10n.t('Asking {0}', address), async (token) =>
    app.connection.ask(METHODS.testRepository, { url: address }, signalOf(token)),
  )
  if (answer === undefined) return
  if (answer.ok) void window.showInformationMessage(`${address}: ${answer.message}`)
  else void window.showWarningMessage(`${address}: ${answer.message}`)
}

/** Opens the tour: a small repository of its own, on the embedded cluster. */
export async function tryTour(app: App): Promise<void> {
  const folder = Uri.joinPath(app.extension.globalStorageUri, 'tour')
  const made = await app.connection.ask(METHODS.makeTour, { folder: folder.fsPath })
  await commands.executeCommand('vscode.openFolder', Uri.file(made), { forceNewWindow: false })
}

async function askToken(url: string): Promise<StoredCredential | undefined> {
  const username = await window.showInputBox({ prompt: l10n.t('User name; may be empty for a token') })
  if (username === undefined) return undefined
  const secret = await window.showInputBox({
    prompt: l10n.t('Password or token; it is kept in the editor’s secret storage'),
    password: true,
    ignoreFocusOut: true,
  })
  return secret === undefined || secret === '' ? undefined : { url, username, secret, sshKey: '' }
}

async function askKeyFile(url: string): Promise<StoredCredential | undefined> {
  const [file] = (await window.showOpenDialog({ title: l10n.t('Private key'), openLabel: l10n.t('Use') })) ?? []
  return file === undefined ? undefined : { url, username: '', secret: '', sshKey: file.fsPath }
}

async function pickRepository(app: App): Promise<string | undefined> {
  const rows = await app.connection.ask(METHODS.repositories, { session: app.connection.session })
  const items = rows.map(({ url, kind, branch }) => ({ label: url, description: [kind, branch].join(' ') }))
  return (await window.showQuickPick(items, { placeHolder: l10n.t('Which repository is to be tested?') }))?.label
}
