import { PassThrough, Writable } from 'node:stream'
import { AgentHost } from '../../shared/agent/host.ts'
import { serveClient } from '../../shared/agent/server.ts'
import { listenPrivately, socketPath } from '../../shared/agent/socket.ts'
import { connectWire } from '../../shared/agent/wire.ts'

// The agent in a process that Electron made: it has a port to its parent in place of stdin. Everything else is as in
// `shared/agent/main.ts`, the private socket for other windows of the same user too.

type ParentPort = {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void
  postMessage(message: Uint8Array): void
}
const port = (process as unknown as { readonly parentPort: ParentPort }).parentPort

const host = new AgentHost()
const input = new PassThrough()
port.on('message', ({ data }) => {
  if (data instanceof Uint8Array) input.write(data)
})
const output = new Writable({
  write: (chunk: Buffer, _encoding, done) => {
    port.postMessage(new Uint8Array(chunk))
    done()
  },
})

const file = socketPath()
const server =
  file === undefined
    ? undefined
    : await listenPrivately(file, (socket) => serveClient(connectWire(socket, socket), host))
process.once('SIGTERM', () => {
  server?.close()
  void host.dispose().finally(() => process.exit(0))
})
serveClient(connectWire(input, output), host)
