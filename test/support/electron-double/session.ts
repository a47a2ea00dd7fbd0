import { EventEmitter } from 'node:events'
import type { SchemeHandler } from './browser-page.ts'

type Answer = (granted: boolean) => void
type RequestJudge = (
  details: { readonly url: string },
  answer: (verdict: { readonly cancel?: boolean }) => void,
) => void

/** The session's doors, as far as main closes them. Permissions are judged by its handlers when the test asks. */
export class Session extends EventEmitter {
  readonly #handlers = new Map<string, SchemeHandler>()
  #beforeRequest: RequestJudge | undefined
  #permission: ((contents: unknown, permission: string, answer: Answer) => void) | undefined

  readonly protocol = {
    handle: (scheme: string, handler: SchemeHandler): void => void this.#handlers.set(scheme, handler),
  }

  readonly webRequest = {
    onBeforeRequest: (listener: RequestJudge): void => {
      this.#beforeRequest = listener
    },
  }

  setPermissionRequestHandler(handler: (contents: unknown, permission: string, answer: Answer) => void): void {
    this.#permission = handler
  }

  setPermissionCheckHandler(): void {
    // Asked together with requests.
  }

  setDevicePermissionHandler(): void {
    // Chromium in a test has no devices to give.
  }

  setSpellCheckerEnabled(): void {
    // The test's Chromium checks no spelling.
  }

  handlerOf(scheme: string): SchemeHandler {
    return this.#handlers.get(scheme) ?? (() => new Response('', { status: 404 }))
  }

  isCancelled(url: string): boolean {
    let cancelled = false
    this.#beforeRequest?.({ url }, ({ cancel }) => (cancelled = cancel === true))
    return cancelled
  }

  /** Electron grants where nobody says otherwise. */
  isGranted(permission: string): boolean {
    let granted = true
    this.#permission?.({}, permission, (answer) => (granted = answer))
    return granted
  }
}

export const defaultSession = new Session()
