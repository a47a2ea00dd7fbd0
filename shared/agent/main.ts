import { AgentHost } from './host.ts'
import { serveClient } from './server.ts'
import { listenPrivately, socketPath } from './socket.ts'
import { connectWire } from './wire.ts'

// The agent's process: serves whoever started it over stdio, and other windows of the same user over a private socket.
// It ends with the one that started it; the others then start their own.

const host = new AgentHost()
const file = socketPath()
const server =
  file === undefined
    ? undefined
    : await listenPrivately(file, (socket) => serveClient(connectWire(socket, socket), host))

let ending = false
async function end(): Promise<void> {
  if (ending) return
  ending = true
  server?.close()
  await host.dispose()
  process.exit(0)
}

process.on('SIGTERM', () => void end())
process.on('SIGINT', () => void end())
process.stdin.once('end', () => void end())
process.stdin.once('close', () => void end())
serveClient(connectWire(process.stdin, process.stdout), host)
