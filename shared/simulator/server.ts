import { randomBytes } from 'node:crypto'
import { createServer } from 'node:https'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { ApiServer, adminUser, systemUser } from './api-server.ts'
import { bootstrap } from './bootstrap.ts'
import type { Clock } from './clock.ts'
import { startControllers } from './controllers/start.ts'
import { handleSocketRequest, waitOutClientErrors } from './http-adapter.ts'
import { loadManifests } from './load-manifests.ts'
import { adminKubeconfig } from './kubeconfig.ts'
import type { JsonObject } from './object.ts'
import { openDataFolder } from './storage/data-folder.ts'
import type { DataFolder } from './storage/data-folder.ts'
import { MemoryStore } from './storage/memory-store.ts'
import type { ServerIdentity } from './tls/identity.ts'
import { authorityName, createIdentity } from './tls/identity.ts'

export interface ServerOptions {
  /** 0 or absent: any free one. */
  readonly port?: number
  /** Loopback only: an address that others can reach is refused. */
  readonly host?: '127.0.0.1' | '::1'
  /** The administrator's bearer token; a random one where absent. */
  readonly token?: string
  /** Keeps the state in this folder: what is written there outlives the server. */
  readonly dataDir?: string
  /** Starts from this store instead of an empty one; not together with `dataDir`. */
  readonly store?: MemoryStore
  /** Deployments make pods, namespaces end, and so on; true where absent. */
  readonly controllers?: boolean
  readonly clock?: Clock
  /** Objects to create once the server is up. */
  readonly manifests?: readonly JsonObject[]
  /** Ask the stored roles who may do what. */
  readonly rbac?: boolean
  /** Pods run as service accounts and mount their tokens (the ServiceAccount admission plugin); off where absent. */
  readonly serviceAccounts?: boolean
  readonly onError?: (error: unknown) => void
}

export interface RunningServer {
  readonly url: string
  readonly token: string
  /** The authority that signed the server's certificate. */
  readonly caPem: string
  /** For calls without a socket, forks and snapshots. */
  readonly apiServer: ApiServer
  /** YAML of a kubeconfig with the administrator's token. */
  kubeconfig(): string
  /** Ends watches and connections, stops the controllers and writes out what is pending. */
  close(): Promise<void>
}

/**
 * Starts the embedded Kubernetes API server on loopback, behind TLS with a certificate of its own making.
 *
 * @throws the socket's error where the port is taken, and what the data folder says where it cannot be used.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const folder = options.dataDir === undefined ? undefined : await openDataFolder(options.dataDir)
  try {
    return await serve(options, folder)
  } catch (error) {
    await folder?.close()
    throw error
  }
}

async function serve(options: ServerOptions, folder: DataFolder | undefined): Promise<RunningServer> {
  const identity = folder?.identity ?? createIdentity(options.token ?? randomBytes(24).toString('base64url'))
  const token = options.token ?? identity.token
  const store = folder?.store ?? options.store ?? new MemoryStore()
  const apiServer = new ApiServer({
    store,
    tokens: { [token]: adminUser },
    serviceAccounts: options.serviceAccounts ?? false,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.rbac === undefined ? {} : { rbac: options.rbac }),
    ...(options.onError === undefined ? {} : { onError: options.onError }),
  })
  bootstrap(apiServer)
  const controllers =
    options.controllers === false
      ? undefined
      : startControllers(apiServer, { signer: { authority: identity.authority, authorityName } })
  const server = listener(apiServer, identity)
  await listen(server, options.port ?? 0, options.host ?? '127.0.0.1')
  loadManifests(apiServer, options.manifests ?? [], systemUser)
  const url = urlOf(server)
  return {
    url,
    token,
    caPem: identity.authority.certPem,
    apiServer,
    kubeconfig: () => adminKubeconfig({ url, caPem: identity.authority.certPem, token }),
    async close() {
      controllers?.stop()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      await folder?.close()
    },
  }
}

function listener(apiServer: ApiServer, identity: ServerIdentity): Server {
  const server = createServer(
    {
      key: identity.server.keyPem,
      cert: identity.server.certPem,
      ca: identity.authority.certPem,
      requestCert: true,
      // Clients may also come with a token, so a missing certificate is not refused here.
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      keepAliveTimeout: 90_000,
      headersTimeout: 30_000,
      requestTimeout: 60_000,
      noDelay: true,
      // Go's limit; selectors can be long.
      maxHeaderSize: 1024 * 1024,
    },
    (request, response) => handleSocketRequest(apiServer, request, response),
  )
  waitOutClientErrors(server, apiServer)
  return server
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: 1_024 }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `https://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
