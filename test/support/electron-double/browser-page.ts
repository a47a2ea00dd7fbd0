import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
import { PAGE_SOURCE, PRELOAD_WORLD, preloadSource, SEND_BINDING } from './worlds.ts'

/** What answers the app's own scheme, as `session.protocol.handle` was given it. */
export type SchemeHandler = (request: Request) => Response | Promise<Response>

/** How a page's wishes are judged: by the handlers that the real main registered. */
export type PageJudge = {
  readonly isCancelled: (url: string) => boolean
  readonly isNavigationPrevented: (url: string) => boolean
  readonly onWindowOpen: (url: string) => void
  readonly onIpc: (channel: string, args: readonly unknown[]) => void
}

let context: Promise<BrowserContext> | undefined

/** The test's own browser; the double draws in it. */
export async function browserContext(): Promise<BrowserContext> {
  context ??= chromium.connectOverCDP(process.env['ELECTRON_DOUBLE_BROWSER'] ?? '').then((browser) => {
    const [first] = browser.contexts()
    if (first === undefined) throw new Error('the browser has no context')
    return first
  })
  return context
}

/** Chromium knows no scheme of ours: its addresses are served over http on loopback, and named as the app knows them. */
export class SchemeServer {
  readonly #server: Server
  readonly #scheme: string
  readonly #origin: string

  private constructor(server: Server, scheme: string) {
    this.#server = server
    this.#scheme = scheme
    this.#origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async open(scheme: string, handler: SchemeHandler): Promise<SchemeServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const own = new SchemeServer(server, scheme)
    server.on('request', (request, response) => void own.#answer(request, response, handler))
    return own
  }

  async #answer(request: IncomingMessage, response: ServerResponse, handler: SchemeHandler): Promise<void> {
    const url = this.named(`${this.#origin}${request.url}`)
    const answer = await handler(new Request(url, { method: request.method ?? 'GET' }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  }

  served(url: string): string {
    return url.replace(`${this.#scheme}://window`, this.#origin)
  }

  named(url: string): string {
    return url.startsWith(this.#origin) ? url.replace(this.#origin, `${this.#scheme}://window`) : url
  }

  close(): void {
    this.#server.close()
  }
}

/** One page with the real preload in a world of its own. */
export class BrowserPage {
  readonly page: Page
  readonly #cdp: CDPSession
  readonly #server: SchemeServer
  #world: number | undefined
  #waiting: string[] = []
  #loading = false

  private constructor(page: Page, cdp: CDPSession, server: SchemeServer) {
    this.page = page
    this.#cdp = cdp
    this.#server = server
  }

  static async open(server: SchemeServer, preload: string, judge: PageJudge): Promise<BrowserPage> {
    const page = await (await browserContext()).newPage()
    const cdp = await page.context().newCDPSession(page)
    const own = new BrowserPage(page, cdp, server)
    await own.#prepare(preload, judge)
    return own
  }

  async load(url: string): Promise<void> {
    this.#loading = true
    await this.page.goto(this.#server.served(url), { waitUntil: 'load' })
    this.#loading = false
  }

  get url(): string {
    return this.#server.named(this.page.url())
  }

  /** Hands a message to the preload; one that comes before its world is there waits. */
  receive(channel: string, args: readonly unknown[]): void {
    const call = `__doubleReceive(${JSON.stringify(channel)}, ${JSON.stringify(args)})`
    if (this.#world === undefined) this.#waiting.push(call)
    else this.#evaluate(call)
  }

  async #prepare(preload: string, judge: PageJudge): Promise<void> {
    const cdp = this.#cdp
    cdp.on('Runtime.executionContextCreated', ({ context: { id, name } }) => {
      if (name !== PRELOAD_WORLD) return
      this.#world = id
      for (const call of this.#waiting.splice(0)) this.#evaluate(call)
    })
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name !== SEND_BINDING) return
      const { channel, args } = JSON.parse(payload) as { readonly channel: string; readonly args: readonly unknown[] }
      judge.onIpc(channel, args)
    })
    await cdp.send('Runtime.enable')
    await cdp.send('Page.enable')
    await cdp.send('Runtime.addBinding', { name: SEND_BINDING, executionContextName: PRELOAD_WORLD })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: PAGE_SOURCE })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
      source: preloadSource(preload),
      worldName: PRELOAD_WORLD,
    })
    await this.page.route('**/*', async (route) => {
      const request = route.request()
      const url = this.#server.named(request.url())
      const navigates = request.isNavigationRequest() && !this.#loading && !this.#isReload(request.url())
      const stopped = judge.isCancelled(url) || (navigates && judge.isNavigationPrevented(url))
      await (stopped ? route.abort('aborted') : route.continue()).catch(() => undefined)
    })
    this.page.on('popup', (popup) => {
      judge.onWindowOpen(popup.url())
      void popup.close().catch(() => undefined)
    })
  }

  #isReload(url: string): boolean {
    return url.split('#')[0] === this.page.url().split('#')[0]
  }

  #evaluate(expression: string): void {
    const contextId = this.#world
    if (contextId === undefined) return
    this.#cdp.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined)
  }
}
