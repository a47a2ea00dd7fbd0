import type { MenuItemConstructorOptions } from 'electron'
import type { WorkspaceShown } from '../../shared/model/front.ts'

/** What the menu's own items do. */
export type MenuActions = {
  readonly openFolder: () => void
  readonly openRecent: (folder: string) => void
  readonly show: (route: string) => void
  /** As if the person had pressed the keys: the palette is the page's. */
  readonly palette: () => void
  readonly pause: () => void
  readonly checkForUpdate: () => void
  readonly showLogs: () => void
}

export type MenuState = {
  readonly recent: readonly WorkspaceShown[]
  readonly paused: boolean
  /** Without an update address there is nothing to ask. */
  readonly hasUpdateFeed: boolean
  readonly platform: NodeJS.Platform
}

const PAGES = [
  ['Applications', '#/applications'],
  ['Clusters', '#/clusters'],
  ['Contexts', '#/contexts'],
  ['Rehearsals', '#/rehearsals'],
  ['Repositories', '#/repositories'],
  ['Keys', '#/keys'],
] as const

/** The window's menu, as the platform's people know it. */
export function menuTemplate(state: MenuState, actions: MenuActions): readonly MenuItemConstructorOptions[] {
  const isMac = state.platform === 'darwin'
  const settings: MenuItemConstructorOptions = {
    label: 'Settings…',
    accelerator: 'CmdOrCtrl+,',
    click: () => actions.show('#/settings'),
  }
  return [
    ...(isMac ? [appMenu(settings)] : []),
    {
      label: '&File',
      submenu: [
        ...fileItems(state, actions),
        ...(isMac
          ? [{ role: 'close' } as const]
          : [settings, { type: 'separator' } as const, { role: 'quit' } as const]),
      ],
    },
    { role: 'editMenu' },
    { label: '&View', submenu: viewItems(state, actions) },
    { role: 'windowMenu' },
    { role: 'help', submenu: helpItems(state, actions) },
  ]
}

function appMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions {
  const separator = { type: 'separator' } as const
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  }
}

function fileItems({ recent }: MenuState, actions: MenuActions): readonly MenuItemConstructorOptions[] {
  const others = recent.filter(({ current }) => !current).slice(0, 10)
  return [
    { label: '&Open Repository…', accelerator: 'CmdOrCtrl+O', click: () => actions.openFolder() },
    {
      label: 'Open &Recent',
      enabled: others.length > 0,
      submenu: others.map(({ folder }) => ({
        label: folder.replaceAll('&', '&&'),
        click: () => actions.openRecent(folder),
      })),
    },
    { type: 'separator' },
  ]
}

function viewItems({ paused }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    {
      label: 'Command Palette',
      accelerator: 'CmdOrCtrl+K',
      registerAccelerator: false,
      click: () => actions.palette(),
    },
    { type: 'separator' },
    ...PAGES.map(([label, route], index): MenuItemConstructorOptions => ({
      label,
      accelerator: `CmdOrCtrl+${index + 1}`,
      click: () => actions.show(route),
    })),
    { type: 'separator' },
    { label: 'Pause the Watch', type: 'checkbox', checked: paused, click: () => actions.pause() },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ]
}

function helpItems({ hasUpdateFeed }: MenuState, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    { label: 'Show Logs', click: () => actions.showLogs() },
    { label: 'Check for Updates…', enabled: hasUpdateFeed, click: () => actions.checkForUpdate() },
  ]
}
