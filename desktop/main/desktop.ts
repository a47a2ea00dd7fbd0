import { app, dialog, ipcMain, Menu, Notification, session, shell, type BrowserWindow } from 'electron'
import path from 'node:path'
import type { Asset } from '../host/assets.ts'
import { JsonFile } from '../host/json-file.ts'
import type { Platform } from '../host/platform.ts'
import type { Settings } from '../host/settings.ts'
import type { Services } from '../host/window-desk.ts'
import { WindowHost } from '../host/window-host.ts'
import { AppTray } from './app-tray.ts'
import { bringForward, openAppWindow } from './app-window.ts'
import type { DeepLink } from './deep-link.ts'
import { DriftNews, type Notice } from './drift-news.ts'
import { electronPlatform, pickFolder } from './electron-platform.ts'
import { lockSession } from './lock-down.ts'
import { menuTemplate } from './menu.ts'
import { listenToPages } from './page-channel.ts'
import { servePage } from './page-protocol.ts'
import { checkForUpdate } from './update-check.ts'
import { windowStateOf } from './window-state.ts'

export type DesktopOptions = {
  readonly services: Services
  readonly assets: ReadonlyMap<string, Asset>
  /** Where the window's own files are kept. */
  readonly folder: string
  readonly preload: string
  readonly icon: string
  readonly version: string
}

const UPDATE_TIMEOUT_MS = 15_000

/** The running app: its one window, and what is around it. */
export class Desktop {
  readonly #options: DesktopOptions
  readonly #platform: Platform
  readonly #news = new DriftNews()
  #window: BrowserWindow | undefined
  #host: WindowHost | undefined
  #tray: AppTray | undefined
  #settings: Settings
  #paused = false
  #ending = false
  /** The folder that is opened when the page has begun. */
  #folder: string | undefined

  private constructor(options: DesktopOptions, settings: Settings) {
    this.#options = options
    this.#settings = settings
    this.#platform = electronPlatform({ ...options, settings: options.services.settings, window: () => this.#window })
  }

  /** @param folder what the window opens with; what was open last when absent */
  static async start(options: DesktopOptions, folder: string | undefined): Promise<Desktop> {
    const { settings, workspaces } = options.services
    const desktop = new Desktop(options, await settings.get())
    desktop.#folder = folder ?? (await workspaces.recent(''))[0]?.folder
    settings.onChange((next) => desktop.#onSettings(next))
    desktop.#onSettings(desktop.#settings)
    lockSession(session.defaultSession)
    servePage(session.defaultSession, options.assets)
    listenToPages(ipcMain, (contents) =>
      contents === desktop.#window?.webContents
        ? {
            onBegin: (channel) => desktop.#begin(new WindowHost(options.services, desktop.#platform, channel)),
            onDropped: (dropped) => void desktop.#host?.openFolder(dropped),
          }
        : undefined,
    )
    app.on('before-quit', () => (desktop.#ending = true))
    app.on('activate', () => void desktop.show())
    await desktop.show()
    await desktop.#updateMenu()
    return desktop
  }

  /** The window, made anew where it was closed. */
  async show(): Promise<void> {
    if (this.#window !== undefined) return bringForward(this.#window)
    const { folder, preload, icon } = this.#options
    const window = await openAppWindow({
      session: session.defaultSession,
      preload,
      icon,
      state: new JsonFile(path.join(folder, 'window.json'), windowStateOf),
      keeps: () => !this.#ending && this.#settings.keepRunning && this.#tray !== undefined,
      onMade: (made) => (this.#window = made),
    })
    window.on('closed', () => {
      this.#window = undefined
      this.#host = undefined
    })
  }

  async follow(link: DeepLink): Promise<void> {
    await this.show()
    if (link.kind === 'show') return this.#host?.tell({ kind: 'navigate', route: link.route })
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: `A link asks to open ${link.folder}.`,
      detail: 'Rendering a repository runs the tools that it is written for. Open it only if you know it.',
      buttons: ['Open', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    })
    if (response === 0) await this.open(link.folder)
  }

  async open(folder: string): Promise<void> {
    this.#folder = folder
    await this.show()
    await this.#host?.openFolder(folder)
  }

  dispose(): void {
    this.#tray?.dispose()
    this.#options.services.hub.dispose()
  }

  #begin(host: WindowHost): void {
    this.#host = host
    host.onEvent((event) => {
      if (event.kind === 'applications') this.#take()
      if (event.kind === 'workspace') void this.#updateMenu()
    })
    const folder = host.session.folder === '' ? this.#folder : undefined
    if (folder !== undefined) void host.openFolder(folder)
  }

  #take(): void {
    const notices = this.#news.take(this.#host?.session.summaries() ?? [])
    this.#tray?.update(this.#news, this.#paused)
    const isWatched = this.#window?.isFocused() ?? false
    if (this.#settings.notifications && !this.#paused && !isWatched) for (const notice of notices) this.#notify(notice)
  }

  #notify({ title, body, route }: Notice): void {
    if (!Notification.isSupported()) return
    const notification = new Notification({ title, body, silent: true })
    notification.on('click', () => {
      void this.show().then(() => this.#host?.tell({ kind: 'navigate', route }))
    })
    notification.show()
  }

  async #pause(): Promise<void> {
    this.#paused = !this.#paused
    await (this.#paused ? this.#host?.session.suspend() : this.#host?.session.reopen())
    this.#tray?.update(this.#news, this.#paused)
    await this.#updateMenu()
  }

  #onSettings(settings: Settings): void {
    this.#settings = settings
    if (settings.tray && this.#tray === undefined) {
      const pause = (): void => void this.#pause()
      this.#tray = new AppTray(this.#options.icon, { show: () => void this.show(), pause, quit: () => app.quit() })
      this.#tray.update(this.#news, this.#paused)
    } else if (!settings.tray) {
      this.#tray?.dispose()
      this.#tray = undefined
    }
    void this.#updateMenu()
  }

  async #updateMenu(): Promise<void> {
    const recent = await this.#options.services.workspaces.recent(this.#host?.session.folder ?? '')
    const { updateFeed } = this.#settings
    const state = { recent, paused: this.#paused, hasUpdateFeed: updateFeed !== '', platform: process.platform }
    const template = menuTemplate(state, {
      openFolder: () =>
        void pickFolder(this.#window).then((folder) => (folder === undefined ? undefined : this.open(folder))),
      openRecent: (folder) => void this.open(folder),
      show: (route) => void this.show().then(() => this.#host?.tell({ kind: 'navigate', route })),
      palette: () =>
        this.#window?.webContents.sendInputEvent({ type: 'keyDown', keyCode: 'K', modifiers: ['control'] }),
      pause: () => void this.#pause(),
      checkForUpdate: () => void this.#checkForUpdate(updateFeed),
      showLogs: () => void shell.openPath(this.#options.folder),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate([...template]))
  }

  async #checkForUpdate(address: string): Promise<void> {
    const { version } = this.#options
    const found = await checkForUpdate(address, version, { signal: AbortSignal.timeout(UPDATE_TIMEOUT_MS) })
    const words = {
      newer: () => `Version ${found.kind === 'newer' ? found.version : ''} is there; this is ${version}.`,
      current: () => `This is the newest version, ${version}.`,
      failed: () => (found.kind === 'failed' ? found.message : ''),
    }
    this.#host?.tell({ kind: 'toast', severity: found.kind === 'failed' ? 'error' : 'info', text: words[found.kind]() })
  }
}
