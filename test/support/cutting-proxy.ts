import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A TCP proxy in front of a server that cuts connections when told to. */
export interface CuttingProxy {
  readonly port: number
  /** Cuts every connection; new ones are let through. @returns how many there were. */
  cut(): number
  stop(): Promise<void>
}

/** Listens on loopback, for a server on loopback. */
export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const clients = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(serverPort, '127.0.0.1')
    clients.add(client)
    client.pipe(target).pipe(client)
    // Either end takes the other with it, without a farewell.
    client.on('error', () => undefined).on('close', () => target.destroy())
    target.on('error', () => undefined).on('close', () => client.destroy())
    client.on('close', () => clients.delete(client))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = (): number => {
    const count = clients.size
    for (const client of clients) client.resetAndDestroy()
    return count
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async stop() {
      cut()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}
