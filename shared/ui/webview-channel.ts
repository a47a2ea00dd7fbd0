import type { TextChannel } from './message-host.ts'

type WebviewApi = {
  postMessage(text: string): void
  getState(): unknown
  setState(state: unknown): void
}

/** VS Code gives its API to a page once. */
export function webviewChannel(): TextChannel {
  const api = (globalThis as unknown as { acquireVsCodeApi(): WebviewApi }).acquireVsCodeApi()
  return {
    send: (text) => api.postMessage(text),
    onText: (listener) =>
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') listener(data)
      }),
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
  }
}
