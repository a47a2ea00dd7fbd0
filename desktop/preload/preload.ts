import { contextBridge, ipcRenderer, webUtils } from 'electron'
import { PAGE_PORT, type PagePort, type ToMain, type ToPage } from '../ipc/contract.ts'

// Runs sandboxed, in a world of its own beside the page's. The page gets two functions, no channel names and no events.

function send<C extends keyof ToMain>(channel: C, ...args: ToMain[C]): void {
  ipcRenderer.send(channel, ...args)
}

const waiting: string[] = []
let listener: ((text: string) => void) | undefined

ipcRenderer.on('plumbline:answer' satisfies keyof ToPage, (_event, text: unknown) => {
  if (typeof text !== 'string') return
  if (listener === undefined) waiting.push(text)
  else listener(text)
})

const port: PagePort = {
  send: (text) => send('plumbline:text', text),
  onMessage: (given) => {
    listener = given
    for (const text of waiting.splice(0)) given(text)
  },
}
contextBridge.exposeInMainWorld(PAGE_PORT, port)

// What is dropped must never be navigated to. A path is known only for what a person dragged from the disk.
addEventListener('dragover', (event) => event.preventDefault())
addEventListener('drop', (event) => {
  event.preventDefault()
  const file = event.isTrusted ? event.dataTransfer?.files[0] : undefined
  const path = file === undefined ? '' : webUtils.getPathForFile(file)
  if (path !== '') send('plumbline:dropped', path)
})

send('plumbline:begin')
