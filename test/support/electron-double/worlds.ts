/** The preload's world in Chromium: isolated from the page's, as context isolation has it. */
export const PRELOAD_WORLD = 'plumbline-double-preload'
/** Known in the preload's world alone. */
export const SEND_BINDING = '__doubleSend'

/** In the preload's world: `require('electron')`, and the bridge's end. The page's world is reached by events with texts only. */
export function preloadSource(preload: string): string {
  return `(() => {
  const send = globalThis.${SEND_BINDING}
  const listeners = new Map()
  const exposed = new Map()
  const tell = (kind, value) => dispatchEvent(new CustomEvent('double-to-page', { detail: JSON.stringify({ kind, ...value }) }))
  addEventListener('double-to-preload', (event) => {
    const { kind, key, name, args } = JSON.parse(event.detail)
    if (kind === 'who') for (const [key, api] of exposed) tell('expose', { key, names: Object.keys(api) })
    if (kind !== 'call') return
    const real = args.map((arg) => arg.callback === undefined ? arg.value : (...given) => tell('callback', { id: arg.callback, args: given }))
    exposed.get(key)[name](...real)
  })
  globalThis.__doubleReceive = (channel, args) => { for (const listener of listeners.get(channel) ?? []) listener({}, ...args) }
  const electron = {
    contextBridge: { exposeInMainWorld: (key, api) => { exposed.set(key, api); tell('expose', { key, names: Object.keys(api) }) } },
    ipcRenderer: {
      send: (channel, ...args) => send(JSON.stringify({ channel, args })),
      on: (channel, listener) => listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    },
    webUtils: { getPathForFile: (file) => file.__path ?? '' },
  }
  ;((require, module, exports) => { ${preload}
  })(() => electron, { exports: {} }, {})
})()`
}

/** In the page's world: what the bridge exposes, and nothing else. */
export const PAGE_SOURCE = `(() => {
  let count = 0
  const callbacks = new Map()
  const tell = (value) => dispatchEvent(new CustomEvent('double-to-preload', { detail: JSON.stringify(value) }))
  addEventListener('double-to-page', (event) => {
    const { kind, key, names, id, args } = JSON.parse(event.detail)
    if (kind === 'callback') callbacks.get(id)?.(...args)
    if (kind !== 'expose' || globalThis[key] !== undefined) return
    const call = (name) => (...given) => {
      const args = given.map((value) => {
        if (typeof value !== 'function') return { value }
        callbacks.set(++count, value)
        return { callback: count }
      })
      tell({ kind: 'call', key, name, args })
    }
    Object.defineProperty(globalThis, key, { value: Object.freeze(Object.fromEntries(names.map((name) => [name, call(name)]))) })
  })
  tell({ kind: 'who' })
})()`
