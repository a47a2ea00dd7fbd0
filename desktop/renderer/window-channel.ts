import type { TextChannel } from '../../shared/ui/message-host.ts'

/** What Electron's preload gives to the page. */
type Preloaded = { send(text: string): void; onMessage(listener: (text: string) => void): void }

/** How the window stands with its front. `refused` needs the person: the page has no key for this server. */
export type LinkState =
  | { readonly kind: 'open' }
  | { readonly kind: 'lost'; readonly words: string }
  | { readonly kind: 'refused'; readonly words: string }

const STATE = 'plumbline.state'
const KEY = 'plumbline.key'
const FIRST_RETRY_MS = 300
const LONGEST_RETRY_MS = 10_000

/** IPC in Electron's window, a WebSocket in a browser. */
export function windowChannel(onLink: (state: LinkState) => void): TextChannel {
  const { plumbline } = globalThis as { plumbline?: Preloaded }
  const kept = { getState, setState }
  if (plumbline === undefined) return { ...socketChannel(onLink), ...kept }
  queueMicrotask(() => onLink({ kind: 'open' }))
  return { send: (text) => plumbline.send(text), onText: (listener) => plumbline.onMessage(listener), ...kept }
}

/** Connects anew after each loss. What is sent while it is not connected waits for the connection. */
function socketChannel(onLink: (state: LinkState) => void): Pick<TextChannel, 'send' | 'onText'> {
  const listeners: ((text: string) => void)[] = []
  let waiting: string[] = []
  let socket: WebSocket | undefined
  let retryMs = FIRST_RETRY_MS
  const connect = (): void => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const made = new WebSocket(`${scheme}://${location.host}/socket`, [
      'plumbline',
      `key.${localStorage.getItem(KEY) ?? ''}`,
    ])
    made.addEventListener('open', () => {
      socket = made
      retryMs = FIRST_RETRY_MS
      for (const text of waiting.splice(0)) made.send(text)
      onLink({ kind: 'open' })
    })
    made.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') for (const listener of listeners) listener(data)
    })
    made.addEventListener('close', () => void again())
  }
  const again = async (): Promise<void> => {
    socket = undefined
    waiting = []
    const state = await whyLost()
    onLink(state)
    if (state.kind === 'refused') return
    setTimeout(connect, retryMs)
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
  }
  connect()
  return {
    send: (text) => (socket === undefined ? void waiting.push(text) : socket.send(text)),
    onText: (listener) => void listeners.push(listener),
  }
}

/** The server says on `/here` whether this page may talk to it. */
async function whyLost(): Promise<LinkState> {
  try {
    const { status } = await fetch('/here')
    if (status === 401)
      return { kind: 'refused', words: 'Open the link that `plumbline serve` prints: this page has no key for it.' }
    return { kind: 'lost', words: 'Connecting again…' }
  } catch {
    return { kind: 'lost', words: 'Plumbline does not run any more. The page comes back when it does.' }
  }
}

function getState(): unknown {
  try {
    return JSON.parse(localStorage.getItem(STATE) ?? 'null')
  } catch {
    return undefined
  }
}

function setState(state: unknown): void {
  localStorage.setItem(STATE, JSON.stringify(state))
}
