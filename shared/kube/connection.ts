import tls from 'node:tls'
import { Pool, ProxyAgent, Socks5ProxyAgent } from 'undici'
import type { Dispatcher } from 'undici'
import { ClusterError } from './cluster-error.ts'
import type { ConnectionConfig } from './config.ts'
import { dataOrFile } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { proxyFor } from './proxy.ts'

/** What carries requests: sockets, or a server in this process. */
export type Wire = {
  request(options: Dispatcher.RequestOptions): Promise<Reply>
  close(): Promise<void>
  destroy(): Promise<void>
}

export type Reply = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly body: ReplyBody }

type ReplyBody = AsyncIterable<unknown> & {
  text(): Promise<string>
  bytes(): Promise<Uint8Array>
  on(event: 'error', listener: () => void): { destroy(): unknown }
}

/** The wires to one server. Watches have their own, so that long answers never take the short ones' place. */
export type Connections = { readonly requests: Wire; readonly streams: Wire }

/** More saturate no server that was measured (ENGINE: 8 do on two cores). */
const maxConnections = 32
const connectTimeoutMs = 10_000

/** What is the same for every connection to the server. */
export type ServerFacts = {
  readonly url: URL
  /** Path before every request's, without a slash at its end: some servers live below a prefix. */
  readonly prefix: string
  readonly proxy: string | undefined
  readonly tls: { ca?: Buffer | string[]; rejectUnauthorized?: boolean; servername?: string }
}

/** @throws ClusterError `config` */
export async function serverFacts(config: ConnectionConfig): Promise<ServerFacts> {
  const { cluster } = config
  const url = urlOf(cluster.server, config.name)
  const ca = url.protocol === 'https:' ? await authorities(config) : undefined
  return {
    url,
    prefix: url.pathname.replace(/\/+$/, ''),
    proxy: proxyFor(url, cluster.proxyUrl),
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cluster.insecure ? { rejectUnauthorized: false } : {}),
      ...(cluster.tlsServerName === '' ? {} : { servername: cluster.tlsServerName }),
    },
  }
}

/** Opens nothing yet: sockets come with the first requests. */
export function connect(facts: ServerFacts, credentials: Credentials): Connections {
  return {
    requests: dispatcher(facts, credentials, maxConnections),
    streams: dispatcher(facts, credentials, null),
  }
}

function dispatcher(facts: ServerFacts, credentials: Credentials, connections: number | null): Dispatcher {
  const { cert, key } = credentials
  const client = cert === undefined || key === undefined ? {} : { cert, key }
  const requestTls = { ...facts.tls, ...client }
  // client-go's 30 s: a load balancer must not forget an idle watch.
  const socket = { timeout: connectTimeoutMs, keepAlive: true, keepAliveInitialDelay: 30_000 }
  // HTTP/1.1 keeps one slow answer from holding up the others, and measured faster than one multiplexed socket.
  const shared = { connections, pipelining: 1, allowH2: false, keepAliveTimeout: 30_000 }
  if (facts.proxy === undefined) return new Pool(facts.url.origin, { ...shared, connect: { ...socket, ...requestTls } })
  if (facts.proxy.startsWith('socks')) {
    // Names are always looked up by the proxy, which is what the h asks for.
    return new Socks5ProxyAgent(facts.proxy.replace(/^socks5h:/, 'socks5:'), { ...shared, requestTls })
  }
  return new ProxyAgent({ ...shared, uri: facts.proxy, requestTls: { ...socket, ...requestTls } })
}

/** Without its own authority a server is held against the machine's, as Go does it, and not Node's list alone. */
async function authorities(config: ConnectionConfig): Promise<Buffer | string[] | undefined> {
  const { cluster } = config
  if (cluster.insecure) return undefined
  const own = await dataOrFile(cluster.caData, cluster.caFile)
  return own ?? [...new Set([...tls.getCACertificates('default'), ...tls.getCACertificates('system')])]
}

function urlOf(server: string, context: string): URL {
  const text = server.includes('://') ? server : `http://${server}`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ClusterError('config', `the server "${server}" of context "${context}" is not an http(s) URL`)
  }
  return url
}
