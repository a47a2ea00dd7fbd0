import type { IpcMain, IpcMainEvent, WebContents } from 'electron'
import { LONGEST_MESSAGE_BYTES, type Channel } from '../host/channel.ts'
import type { ToMain, ToPage } from '../ipc/contract.ts'
import { isPageAddress } from './page-address.ts'

/** What a window does with its page. */
export type PageEvents = {
  /** A page has begun: its channel is new, and an earlier one has ended. */
  readonly onBegin: (channel: Channel) => void
  readonly onDropped: (path: string) => void
}

/** Text and end of one page, until the next begins. */
class PageChannel implements Channel {
  readonly #contents: WebContents
  #onText: (text: string) => void = () => undefined
  #onEnd: () => void = () => undefined
  ended = false

  constructor(contents: WebContents) {
    this.#contents = contents
  }

  send(text: string): void {
    if (!this.ended && !this.#contents.isDestroyed())
      this.#contents.send('plumbline:answer' satisfies keyof ToPage, text)
  }

  onText(listener: (text: string) => void): void {
    this.#onText = listener
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener
  }

  end(): void {
    if (this.ended) return
    this.ended = true
    this.#onEnd()
  }

  receive(text: string): void {
    if (!this.ended) this.#onText(text)
  }
}

/**
 * Listens to the pages of our windows, and to nobody else: the sender has to be the main frame of a known window and to show our
 * page, and what it sends has to be what the contract says.
 */
export function listenToPages(ipcMain: IpcMain, eventsOf: (contents: WebContents) => PageEvents | undefined): void {
  const channels = new WeakMap<WebContents, PageChannel>()
  const on = <C extends keyof ToMain>(
    channel: C,
    isPayload: (args: readonly unknown[]) => args is ToMain[C],
    work: (events: PageEvents, contents: WebContents, args: ToMain[C]) => void,
  ): void => {
    ipcMain.on(channel, (event: IpcMainEvent, ...args: unknown[]) => {
      const events = isOurs(event) ? eventsOf(event.sender) : undefined
      if (events !== undefined && isPayload(args)) work(events, event.sender, args)
    })
  }
  const end = (contents: WebContents): void => channels.get(contents)?.end()
  on('plumbline:begin', isNothing, (events, contents) => {
    if (!channels.has(contents)) {
      contents.once('destroyed', () => end(contents))
      contents.on('render-process-gone', () => end(contents))
    }
    end(contents)
    const channel = new PageChannel(contents)
    channels.set(contents, channel)
    events.onBegin(channel)
  })
  on('plumbline:text', isText, (_events, contents, [text]) => channels.get(contents)?.receive(text))
  on('plumbline:dropped', isText, (events, _contents, [path]) => events.onDropped(path))
}

function isOurs({ senderFrame, sender }: IpcMainEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isPageAddress(senderFrame.url)
}

function isNothing(args: readonly unknown[]): args is [] {
  return args.length === 0
}

function isText(args: readonly unknown[]): args is [string] {
  return args.length === 1 && typeof args[0] === 'string' && args[0].length <= LONGEST_MESSAGE_BYTES
}
