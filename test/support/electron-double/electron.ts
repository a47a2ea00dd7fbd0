import { fork, type ChildProcess } from 'node:child_process'
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { BrowserWindow, ipcMain, windows } from './browser-window.ts'
import { app } from './app.ts'
import { clickItem, labelsOf, orders, state, type Item, type Order, type Shown } from './control.ts'
import { defaultSession, type Session } from './session.ts'

// The modules of Electron that main uses, and of each what it uses.

export { app, BrowserWindow, ipcMain }
export const session: { readonly defaultSession: Session } = { defaultSession }
export const protocol = { registerSchemesAsPrivileged: (): void => undefined }
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] }
export const nativeImage = { createFromPath: () => ({ resize: () => ({}) }) }

export const Menu = {
  buildFromTemplate: (items: readonly Item[]): readonly Item[] => items,
  setApplicationMenu: (items: readonly Item[]): void => {
    state.menu = items
  },
}

export class Tray extends EventEmitter {
  setToolTip(words: string): void {
    state.trayWords = words
  }

  setTitle(): void {
    // macOS alone.
  }

  setContextMenu(items: readonly Item[]): void {
    state.trayMenu = items
  }

  destroy(): void {
    state.trayWords = ''
    state.trayMenu = []
  }
}

export class Notification extends EventEmitter {
  readonly #words: { readonly title: string; readonly body: string }

  constructor(words: { readonly title: string; readonly body: string }) {
    super()
    this.#words = words
  }

  static isSupported(): boolean {
    return true
  }

  show(): void {
    state.notifications.push({ ...this.#words, click: () => void this.emit('click') })
  }
}

export const dialog = {
  showOpenDialog: async () => ({
    canceled: state.folder === undefined,
    filePaths: state.folder === undefined ? [] : [state.folder],
  }),
  showMessageBox: async (...words: readonly { readonly message?: string }[]) => {
    state.questions.push(words.map(({ message }) => message ?? '').join(''))
    return { response: state.button }
  },
}

export const shell = {
  openPath: async (opened: string): Promise<string> => {
    state.opened.push(opened)
    return ''
  },
}

const keychain = scryptSync('the double has no keychain', 'double', 32)
export const safeStorage = {
  isAsyncEncryptionAvailable: async (): Promise<boolean> => true,
  getSelectedStorageBackend: (): string => process.env['ELECTRON_DOUBLE_KEYCHAIN'] ?? 'gnome_libsecret',
  encryptStringAsync: async (text: string): Promise<Buffer> => {
    const iv = randomBytes(16)
    const cipher = createCipheriv('aes-256-ctr', keychain, iv)
    return Buffer.concat([iv, cipher.update(text), cipher.final()])
  },
  decryptStringAsync: async (sealed: Buffer) => {
    const decipher = createDecipheriv('aes-256-ctr', keychain, sealed.subarray(0, 16))
    return { result: Buffer.concat([decipher.update(sealed.subarray(16)), decipher.final()]).toString('utf8') }
  },
}

const parentPort = new URL('./parent-port.mjs', import.meta.url).href
export const utilityProcess = {
  fork: (
    file: string,
    args: readonly string[],
    options: { readonly env: NodeJS.ProcessEnv; readonly execArgv: string[] },
  ) => {
    const child: ChildProcess = fork(file, args, {
      env: options.env,
      execArgv: [...options.execArgv, '--import', parentPort],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    return Object.assign(child, { postMessage: (message: Uint8Array) => void (child.connected && child.send(message)) })
  },
}

orders.on('order', (order, answer) => answer(carryOut(order)))

function carryOut(order: Order): unknown {
  const [window] = windows
  switch (order.kind) {
    case 'shown':
      return shown(window)
    case 'menu':
      return clickItem(state.menu, order.labels)
    case 'tray':
      return clickItem(state.trayMenu, order.labels)
    case 'dialog':
      state.folder = order.folder
      state.button = order.button ?? 0
      return true
    case 'notification':
      return state.notifications.find(({ title }) => title === order.title)?.click()
    case 'focus':
      state.focused = order.focused
      return true
    case 'close':
      return void window?.close()
    case 'forge':
      return window?.forge({ url: order.url }, order.channel, order.args)
  }
}

function shown(window: BrowserWindow | undefined): Shown & { readonly permissions: readonly string[] } {
  const permissions = ['geolocation', 'notifications', 'media', 'clipboard-read', 'openExternal']
  return {
    trayWords: state.trayWords,
    notifications: state.notifications.map(({ title, body }) => ({ title, body })),
    menu: labelsOf(state.menu),
    windows: windows.size,
    webPreferences: window?.webPreferences ?? {},
    visible: window?.visible ?? false,
    opened: state.opened,
    deniedWindows: state.deniedWindows,
    questions: state.questions,
    permissions: permissions.filter((permission) => defaultSession.isGranted(permission)),
  }
}
