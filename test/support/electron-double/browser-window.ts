import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { BrowserPage, SchemeServer } from './browser-page.ts'
import { state } from './control.ts'
import { defaultSession } from './session.ts'
import { app } from './app.ts'

type Frame = { readonly url: string }
type OpenHandler = (details: { readonly url: string }) => { readonly action: 'allow' | 'deny' }
type Preventable = { readonly defaultPrevented: boolean; preventDefault(): void }

export const windows = new Set<BrowserWindow>()
export const ipcMain = new EventEmitter()

function preventable(): Preventable {
  const event = {
    defaultPrevented: false,
    preventDefault: (): void => {
      event.defaultPrevented = true
    },
  }
  return event
}

class WebContents extends EventEmitter {
  page: BrowserPage | undefined
  openHandler: OpenHandler = () => ({ action: 'allow' })
  destroyed = false
  readonly mainFrame: Frame

  constructor() {
    super()
    this.mainFrame = Object.defineProperty({ url: '' }, 'url', { get: () => this.page?.url ?? '' })
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler
  }

  send(channel: string, ...args: readonly unknown[]): void {
    this.page?.receive(channel, args)
  }

  sendInputEvent({
    keyCode,
    modifiers = [],
  }: {
    readonly keyCode: string
    readonly modifiers?: readonly string[]
  }): void {
    const keys = [...modifiers.map((one) => (one === 'control' ? 'Control' : one)), keyCode.toLowerCase()].join('+')
    void this.page?.page.keyboard.press(keys)
  }

  isDestroyed(): boolean {
    return this.destroyed
  }
}

/** A window whose page is a tab of the test's Chromium. */
export class BrowserWindow extends EventEmitter {
  readonly webContents = new WebContents()
  readonly webPreferences: Readonly<Record<string, unknown>>
  visible = false
  maximized = false
  readonly #bounds: { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

  constructor(options: { readonly webPreferences: Readonly<Record<string, unknown>> } & Record<string, unknown>) {
    super()
    this.webPreferences = options.webPreferences
    this.#bounds = { x: 10, y: 10, width: Number(options['width']), height: Number(options['height']) }
    windows.add(this)
    app.emit('web-contents-created', {}, this.webContents)
  }

  async loadURL(url: string): Promise<void> {
    const contents = this.webContents
    const scheme = new URL(url).protocol.replace(':', '')
    const server = await SchemeServer.open(scheme, defaultSession.handlerOf(scheme))
    const preload = readFileSync(String(this.webPreferences['preload']), 'utf8')
    const denies = (event: string, target: string): boolean => {
      const asked = preventable()
      contents.emit(event, asked, target)
      return asked.defaultPrevented
    }
    contents.page = await BrowserPage.open(server, preload, {
      isCancelled: (target) => defaultSession.isCancelled(target),
      isNavigationPrevented: (target) => denies('will-navigate', target),
      onWindowOpen: (target) => {
        if (contents.openHandler({ url: target }).action === 'deny') state.deniedWindows += 1
      },
      onIpc: (channel, args) => this.forge(contents.mainFrame, channel, args),
    })
    await contents.page.load(url)
    this.emit('ready-to-show')
  }

  /** Has the main process receive a message of a frame, ours or not. */
  forge(senderFrame: Frame, channel: string, args: readonly unknown[]): void {
    ipcMain.emit(channel, { sender: this.webContents, senderFrame }, ...args)
  }

  show(): void {
    this.visible = true
  }

  hide(): void {
    this.visible = false
  }

  focus(): void {
    state.focused = true
  }

  maximize(): void {
    this.maximized = true
  }

  restore(): void {
    this.visible = true
  }

  isFocused(): boolean {
    return state.focused && this.visible
  }

  isMinimized(): boolean {
    return false
  }

  isMaximized(): boolean {
    return this.maximized
  }

  getNormalBounds(): Readonly<Record<string, number>> {
    return this.#bounds
  }

  async close(): Promise<void> {
    const event = preventable()
    this.emit('close', event)
    if (event.defaultPrevented) return
    await this.webContents.page?.page.close().catch(() => undefined)
    this.webContents.destroyed = true
    this.webContents.emit('destroyed')
    windows.delete(this)
    this.emit('closed')
    if (windows.size === 0) app.emit('window-all-closed')
  }
}
