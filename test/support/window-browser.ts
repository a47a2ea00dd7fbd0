import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { buildUi } from '../../build-ui.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
]

/** Why tests in a browser cannot run here; undefined where they can. */
export const noBrowser = existsSync(chromiumPath) ? undefined : `no chromium at ${chromiumPath}`

/** A Chromium of the test's own, ended with it. @param port of the debugging protocol, for a second driver */
export async function startBrowser(t: TestContext, { port }: { readonly port?: number } = {}): Promise<BrowserContext> {
  const profile = await mkdtemp(path.join(tmpdir(), 'plumbline-chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    args: [...FLAGS, ...(port === undefined ? [] : [`--remote-debugging-port=${port}`])],
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
  })
  t.after(async () => {
    await context.close().catch(() => undefined)
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })
  return context
}

/** Keeps a picture of what is on the screen, small enough for the repository. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PLUMBLINE_PICTURES'] ?? path.join(root, 'media', 'screenshots')
  await mkdir(folder, { recursive: true })
  await page.mouse.move(2, 2)
  await page.waitForTimeout(300)
  await page.screenshot({ path: path.join(folder, `window-${name}.png`) })
}

let page: Promise<string> | undefined

/** The page's files, built as they are shipped, once for all tests of a process. */
export async function buildPage(): Promise<string> {
  page ??= builtOnce('page', buildUi)
  return page
}

/** A folder that is filled once, and is gone with the process. */
export async function builtOnce(name: string, build: (folder: string) => Promise<void>): Promise<string> {
  const folder = await lastingFolder(name)
  await build(folder)
  return folder
}

/** A folder that outlives its test: programs that are ending still write into it. It is gone with the process. */
export async function lastingFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `plumbline-${name}-`))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  return folder
}
