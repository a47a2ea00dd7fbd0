import { BlockList, isIP } from 'node:net'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The proxy for a server: the cluster's own `proxy-url`, else what the environment says, by the rules of Go's
 * `http.ProxyFromEnvironment`, so that what works with kubectl works here.
 */
export function proxyFor(server: URL, proxyUrl: string, env: Environment = process.env): string | undefined {
  if (proxyUrl !== '') return proxyUrl
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const proxy = env[name] ?? env[name.toLowerCase()] ?? ''
  if (proxy === '' || isBypassed(server, env['NO_PROXY'] ?? env['no_proxy'] ?? '')) return undefined
  return proxy.includes('://') ? proxy : `http://${proxy}`
}

/** @returns whether a host is this machine. */
export function isLoopback(host: string): boolean {
  const bare = unbracketed(host)
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}

function isBypassed(server: URL, noProxy: string): boolean {
  const host = unbracketed(server.hostname).toLowerCase()
  if (isLoopback(host)) return true
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  return noProxy
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && (entry === '*' || matches(entry, host, port)))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry.includes('/')) return inNetwork(entry, host)
  const withPort = /^(.*):(\d+)$/.exec(entry)
  const bare = isIP(entry) === 6 ? entry : unbracketed(withPort?.[1] ?? entry)
  if (withPort !== null && isIP(entry) !== 6 && withPort[2] !== port) return false
  if (isIP(bare) !== 0) return bare === host
  const domain = bare.startsWith('*.') ? bare.slice(1) : bare
  // A leading dot means subdomains only.
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`)
}

function inNetwork(entry: string, host: string): boolean {
  const [network = '', prefix = ''] = entry.split('/', 2)
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(prefix)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  try {
    list.addSubnet(network, Number(prefix), type)
  } catch {
    return false
  }
  return list.check(host, type)
}

function unbracketed(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
}
