import { BrowserWindow, screen, type Session } from 'electron'
import type { JsonFile } from '../host/json-file.ts'
import { PAGE_ADDRESS } from './page-address.ts'
import { placeOf, type WindowState } from './window-state.ts'

export type AppWindowOptions = {
  readonly session: Session
  readonly preload: string
  readonly icon: string
  readonly state: JsonFile<WindowState | undefined>
  /** Asked when the person closes it: true leaves it running, hidden. */
  readonly keeps: () => boolean
  /** Called before its page is loaded, so that the page's first word finds its window. */
  readonly onMade: (window: BrowserWindow) => void
}

/** The window: a sandboxed page with nothing of Node in it. */
export async function openAppWindow({
  session,
  preload,
  icon,
  state,
  keeps,
  onMade,
}: AppWindowOptions): Promise<BrowserWindow> {
  const before = await state.get()
  const window = new BrowserWindow({
    ...placeOf(
      before,
      screen.getAllDisplays().map(({ workArea }) => workArea),
    ),
    minWidth: 320,
    minHeight: 320,
    title: 'Plumbline',
    icon,
    show: false,
    webPreferences: {
      session,
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: false,
    },
  })
  onMade(window)
  if (before?.maximized === true) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('close', (event) => {
    void state.change(() => ({ ...window.getNormalBounds(), maximized: window.isMaximized() })).catch(() => undefined)
    if (!keeps()) return
    event.preventDefault()
    window.hide()
  })
  await window.loadURL(PAGE_ADDRESS)
  return window
}

/** Brings it to the person, however it was put away. */
export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
