import path from 'node:path'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { startWindowServer } from '../../cli/serve/start.ts'
import { buildPage, lastingFolder, startBrowser } from './window-browser.ts'

const agent = path.resolve(import.meta.dirname, '../../shared/agent/main.ts')

export type Served = {
  /** The folder that all state is kept below. */
  readonly home: string
  readonly link: () => string
  readonly origin: string
}

export type ServedOptions = {
  /** The folder that windows open with; none when absent. */
  readonly workspace?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
}

/** `plumbline serve` over sources and state of the test's own. */
export async function startServed(t: TestContext, options: ServedOptions = {}): Promise<Served> {
  const home = options.home ?? (await lastingFolder('served'))
  const ui = await buildPage()
  const env = {
    ...process.env,
    USER: 'ada',
    XDG_STATE_HOME: home,
    KUBECONFIG: path.join(home, 'kubeconfig'),
    ...options.env,
  }
  const { workspace } = options
  const server = await startWindowServer({
    port: 0,
    env,
    workspace: workspace ?? home,
    named: workspace !== undefined,
    parts: { ui, agent },
  })
  t.after(async () => server.close())
  return { home, link: server.link, origin: new URL(server.link()).origin }
}

/** A browser that came in by a link, as a person does. */
export async function openServed(t: TestContext, served: Served): Promise<Page> {
  const context = await startBrowser(t)
  const page = context.pages()[0] ?? (await context.newPage())
  await page.goto(served.link())
  await page.waitForURL(`${served.origin}/`)
  await page.locator('plumbline-window').waitFor({ state: 'attached' })
  return page
}
