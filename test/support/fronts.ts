import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { startElectronApp } from './electron-app.ts'
import { openServed, startServed } from './served-window.ts'
import { keepPicture } from './window-browser.ts'

/** The window, wherever it is drawn. */
export type OpenWindow = {
  readonly page: Page
  /** The folder that all its state is kept below. */
  readonly home: string
  /** Shows a page of the window: `#/clusters`. */
  readonly show: (route: string) => Promise<void>
  /** Keeps a picture; one of the two fronts is enough. */
  readonly picture: (name: string) => Promise<void>
}

export type Front = {
  readonly name: string
  /** Whether its page talks over a socket that the test can use too. */
  readonly hasSocket: boolean
  readonly open: (
    t: TestContext,
    options?: { readonly workspace?: string; readonly home?: string },
  ) => Promise<OpenWindow>
}

const served: Front = {
  name: 'served to a browser',
  hasSocket: true,
  open: async (t, options = {}) => {
    const server = await startServed(t, options)
    const page = await openServed(t, server)
    return { page, home: server.home, show: showIn(page), picture: async (name) => keepPicture(page, name) }
  },
}

/** On a double of Electron's modules; main, preload, contract and page are the real ones. */
const electron: Front = {
  name: 'in Electron (on the double)',
  hasSocket: false,
  open: async (t, { workspace, home } = {}) => {
    const app = await startElectronApp(t, {
      ...(workspace === undefined ? {} : { words: [workspace] }),
      ...(home === undefined ? {} : { home }),
    })
    return { page: app.page, home: app.home, show: showIn(app.page), picture: async () => undefined }
  },
}

export const fronts: readonly Front[] = [served, electron]

function showIn(page: Page): (route: string) => Promise<void> {
  return async (route) => {
    await page.evaluate(`location.hash = ${JSON.stringify(route)}`)
  }
}
