import { fork, type ChildProcess } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { buildDesktop } from '../../build-desktop.mjs'
import type { Order, Shown } from './electron-double/control.ts'
import { freePort } from './free-port.ts'
import { builtOnce, lastingFolder, startBrowser } from './window-browser.ts'

const register = path.join(import.meta.dirname, 'electron-double', 'register.mjs')

export type ElectronApp = {
  readonly page: Page
  readonly home: string
  readonly shown: () => Promise<Shown & { readonly permissions: readonly string[] }>
  readonly order: (order: Order) => Promise<unknown>
  /** Starts the program once more, as a second click or a link does. @returns its exit code */
  readonly again: (words: readonly string[]) => Promise<number | null>
  readonly stop: () => Promise<void>
}

export type ElectronOptions = {
  readonly words?: readonly string[]
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
}

let built: Promise<string> | undefined

async function buildApp(folder: string): Promise<void> {
  await buildDesktop(folder)
  await writeProgram(folder)
}

/** A folder with a program that does with its words what Electron's does: the first is the app. */
export async function writeElectronDouble(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-electron-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await writeProgram(folder)
  return folder
}

async function writeProgram(folder: string): Promise<void> {
  const program = path.join(folder, 'electron')
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" --import "${register}" "$@"\n`)
  await chmod(program, 0o755)
}

/** The real main, preload and contract on the double of Electron's modules, drawing in a real Chromium. */
export async function startElectronApp(t: TestContext, options: ElectronOptions = {}): Promise<ElectronApp> {
  built ??= builtOnce('app', buildApp)
  const app = await built
  const home = options.home ?? (await lastingFolder('desk'))
  const port = await freePort()
  const browser = await startBrowser(t, { port })
  const env = {
    ...process.env,
    XDG_STATE_HOME: home,
    KUBECONFIG: path.join(home, 'kubeconfig'),
    ELECTRON_DOUBLE_BROWSER: `http://127.0.0.1:${port}`,
    ELECTRON_DOUBLE_PROGRAM: path.join(app, 'electron'),
    ...options.env,
  }
  const run = (words: readonly string[]): ChildProcess =>
    fork(path.join(app, 'main.js'), [...words], {
      env,
      execArgv: ['--import', register],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
  const opened = pageOf(browser)
  const child = run(options.words ?? [])
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill()
    await ended
  }
  t.after(stop)
  const order = orders(child)
  return {
    page: await opened,
    home,
    order,
    stop,
    shown: async () => (await order({ kind: 'shown' })) as Shown & { readonly permissions: readonly string[] },
    again: async (words) => new Promise((resolve) => run(words).once('exit', resolve)),
  }
}

function orders(child: ChildProcess): (order: Order) => Promise<unknown> {
  let count = 0
  const waiting = new Map<number, (value: unknown) => void>()
  child.on('message', ({ id, value }: { readonly id: number; readonly value: unknown }) => waiting.get(id)?.(value))
  return async (order) => {
    count += 1
    const id = count
    const answer = new Promise<unknown>((resolve) => waiting.set(id, resolve))
    child.send({ id, order })
    return answer
  }
}

/** The tab that the double opens as its window. */
async function pageOf(browser: BrowserContext): Promise<Page> {
  const page = await browser.waitForEvent('page', { timeout: 30_000 })
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.waitForURL(/index\.html$/, { timeout: 30_000 })
  return page
}
