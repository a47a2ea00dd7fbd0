import type { App, Session, WebContents } from 'electron'
import { isPageAddress } from './page-address.ts'

/** What every page of this app may not do, whatever made it. Called before the first window. */
export function lockDown(app: App): void {
  app.on('web-contents-created', (_event, contents) => lockContents(contents))
  // A certificate that does not fit is never accepted; the window loads nothing over the network anyway.
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault()
    answer(false)
  })
}

/** Grants nothing: no permission, no device, no download, no request but for the window's own files. */
export function lockSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
  // Chromium would fetch dictionaries.
  session.setSpellCheckerEnabled(false)
  session.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !isPageAddress(details.url) }))
}

function lockContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.on('will-navigate', (event) => event.preventDefault())
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => event.preventDefault())
}
