import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { build } from 'esbuild'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { openHostChannel, type HostAnswers, type HostChannel } from '../../../shared/view/host-channel.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const CHROMIUM = '/usr/bin/chromium'

/** Why no page can be opened here; undefined where one can. */
export function chromiumIsMissing(): string | undefined {
  return existsSync(CHROMIUM) ? undefined : 'skipped: no chromium'
}

/** The real bundle in a real browser under the strict policy of the contract, with a front of the test's own behind it. */
export type UiPage = {
  readonly page: Page
  readonly front: HostChannel
  /** What the browser complained of: errors, and breaches of the policy. */
  readonly complaints: readonly string[]
}

export type UiPageOptions = {
  readonly bundle: 'panel' | 'window'
  /** For the panel. */
  readonly application?: string
  readonly tab?: string
  readonly hash?: string
  readonly answers: HostAnswers
  readonly browser?: BrowserContextOptions
  /** The window talks over a socket, as in a browser; `cut` breaks it. */
  readonly socket?: boolean
}

const ENTRIES = { panel: 'shared/ui/panel-main.ts', window: 'desktop/renderer/main.ts' } as const
const bundles = new Map<string, Promise<string>>()

/** Opens browsers and a server for the pages of one test file. */
export async function startUi(): Promise<{ open(options: UiPageOptions): Promise<UiPage>; close(): Promise<void> }> {
  const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking']
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: flags })
  const server = createServer((request, response) => {
    void reply(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    open: async (options) => openPage(browser, portOf(server), options),
    close: async () => {
      await browser.close()
      server.close()
    },
  }
}

/** A browser that ends with the test. */
export async function uiFor(t: TestContext): Promise<(options: UiPageOptions) => Promise<UiPage>> {
  const ui = await startUi()
  t.after(async () => ui.close())
  return async (options) => ui.open(options)
}

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { type, body } = await answer(request.url ?? '/')
  response.setHeader('Content-Security-Policy', POLICY)
  response.setHeader('Content-Type', type)
  response.end(body)
}

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html"

async function answer(url: string): Promise<{ readonly type: string; readonly body: string }> {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  if (pathname.endsWith('.js')) {
    const name = pathname.slice(1, -3) as keyof typeof ENTRIES
    const bundle = bundles.get(name) ?? bundled(name)
    bundles.set(name, bundle)
    return { type: 'text/javascript', body: await bundle }
  }
  if (pathname !== '/panel' && pathname !== '/window') return { type: 'text/plain', body: '' }
  const name = pathname.slice(1)
  const data = [...searchParams].map(([key, value]) => ` data-${key}="${value}"`).join('')
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Plumbline</title><script type="module" src="/${name}.js"></script></head><body${data}><plumbline-${name}></plumbline-${name}></body></html>`
  return { type: 'text/html', body }
}

async function bundled(name: keyof typeof ENTRIES): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [ENTRIES[name]],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'chrome120',
    loader: { '.svg': 'text' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

async function openPage(browser: Browser, port: number, options: UiPageOptions): Promise<UiPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options.browser })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().includes('Content Security Policy'))
      complaints.push(message.text())
  })
  const toPage = async (text: string): Promise<unknown> =>
    page.evaluate(`postMessage(${JSON.stringify(text)}, '*')`).catch(() => undefined)
  const front = openHostChannel(options.answers, (text) => void toPage(text), failureOf)
  await page.exposeFunction('toFront', (text: string) => front.receive(text))
  await page.addInitScript(options.socket === true ? SOCKET : FRONT)
  const query = new URLSearchParams()
  if (options.application !== undefined) query.set('application', options.application)
  if (options.tab !== undefined) query.set('tab', options.tab)
  await page.goto(`http://127.0.0.1:${port}/${options.bundle}?${query.toString()}${options.hash ?? ''}`)
  return { page, front, complaints }
}

/** What VS Code's webview and Electron's preload give to the page. */
const FRONT = `
  globalThis.acquireVsCodeApi = () => ({
    postMessage: (text) => globalThis.toFront(text),
    getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') ?? undefined,
    setState: (state) => sessionStorage.setItem('state', JSON.stringify(state)),
  })
  globalThis.plumbline = {
    send: (text) => globalThis.toFront(text),
    onMessage: (listener) => addEventListener('message', ({ data }) => { if (typeof data === 'string') listener(data) }),
  }
`

/** A socket whose other end is the test: `cut()` ends it, and the page may connect again. */
const SOCKET = `
  globalThis.WebSocket = class extends EventTarget {
    constructor() {
      super()
      globalThis.cut = () => {
        this.dead = true
        this.dispatchEvent(new Event('close'))
      }
      addEventListener('message', ({ data }) => {
        if (typeof data === 'string' && !this.dead) this.dispatchEvent(new MessageEvent('message', { data }))
      })
      setTimeout(() => this.dispatchEvent(new Event('open')), 10)
    }
    send(text) {
      globalThis.toFront(text)
    }
  }
`

function failureOf(error: unknown): { readonly message: string; readonly reason: string } {
  const reason = (error as { readonly reason?: unknown } | null)?.reason
  return {
    message: error instanceof Error ? error.message : 'no error',
    reason: typeof reason === 'string' ? reason : 'failed',
  }
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
