import { Menu, nativeImage, Tray } from 'electron'
import type { DriftNews } from './drift-news.ts'

export type TrayActions = { readonly show: () => void; readonly pause: () => void; readonly quit: () => void }

/** The mark in the tray: how many drifted, and the watch's pause. */
export class AppTray {
  readonly #tray: Tray
  readonly #actions: TrayActions

  constructor(icon: string, actions: TrayActions) {
    this.#tray = new Tray(nativeImage.createFromPath(icon).resize({ width: 18, height: 18 }))
    this.#actions = actions
    this.#tray.on('click', () => actions.show())
  }

  update(news: Pick<DriftNews, 'drifted' | 'broken' | 'total'>, paused: boolean): void {
    const words = trayWords(news, paused)
    this.#tray.setToolTip(`Plumbline: ${words}`)
    // Only macOS shows words beside the mark.
    if (process.platform === 'darwin') this.#tray.setTitle(news.drifted === 0 || paused ? '' : String(news.drifted))
    const { show, pause, quit } = this.#actions
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: words, enabled: false },
        { label: 'Open Plumbline', click: () => show() },
        { label: 'Pause the Watch', type: 'checkbox', checked: paused, click: () => pause() },
        { type: 'separator' },
        { label: 'Quit', click: () => quit() },
      ]),
    )
  }

  dispose(): void {
    this.#tray.destroy()
  }
}

/** `2 of 9 applications drifted, 1 Degraded`. */
export function trayWords(
  { drifted, broken, total }: Pick<DriftNews, 'drifted' | 'broken' | 'total'>,
  paused: boolean,
): string {
  if (paused) return 'the watch is paused'
  if (total === 0) return 'no application is open'
  if (drifted === 0 && broken === 0)
    return total === 1 ? '1 application, in sync' : `${total} applications, all in sync`
  const parts = [drifted === 0 ? '' : `${drifted} of ${total} drifted`, broken === 0 ? '' : `${broken} Degraded`]
  return parts.filter((part) => part !== '').join(', ')
}
