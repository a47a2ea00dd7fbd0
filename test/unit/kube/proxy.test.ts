import assert from 'node:assert/strict'
import { connect as connectSocket, createServer as createSocketServer } from 'node:net'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import { proxyFor } from '../../../shared/kube/proxy.ts'
import { authority, serverCertificate } from './certificates.ts'
import { configMaps, faultyCluster } from './cluster-scaffold.ts'

const proxy = 'http://p:1'
const cases: readonly (readonly [server: string, env: Record<string, string>, expected: string | undefined])[] = [
  ['https://k.example:6443', {}, undefined],
  ['https://k.example:6443', { HTTPS_PROXY: proxy }, proxy],
  ['https://k.example:6443', { https_proxy: 'p:1' }, proxy],
  ['https://k.example:6443', { HTTP_PROXY: proxy }, undefined],
  ['http://k.example', { HTTP_PROXY: proxy }, proxy],
  ['https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, undefined],
  ['https://localhost:6443', { HTTPS_PROXY: proxy }, undefined],
  ['https://[::1]:6443', { HTTPS_PROXY: proxy }, undefined],
  ['https://k.example', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
  ['https://k.example', { HTTPS_PROXY: proxy, NO_PROXY: 'other, example' }, undefined],
  ['https://k.example', { HTTPS_PROXY: proxy, NO_PROXY: '.example' }, undefined],
  ['https://example', { HTTPS_PROXY: proxy, NO_PROXY: '.example' }, proxy],
  ['https://notexample', { HTTPS_PROXY: proxy, NO_PROXY: 'example' }, proxy],
  ['https://k.example:6443', { HTTPS_PROXY: proxy, NO_PROXY: 'k.example:443' }, proxy],
  ['https://k.example:443', { HTTPS_PROXY: proxy, NO_PROXY: 'k.example:443' }, undefined],
  ['https://10.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, undefined],
  ['https://11.1.2.3', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, proxy],
  ['https://[fd00::5]', { HTTPS_PROXY: proxy, NO_PROXY: 'fd00::/8' }, undefined],
]

for (const [server, env, expected] of cases) {
  test(`${server} with ${JSON.stringify(env)} goes ${expected === undefined ? 'straight' : 'through the proxy'}`, () => {
    assert.equal(proxyFor(new URL(server), '', env), expected)
  })
}

test('proxy-url of the cluster wins over the environment', () => {
  assert.equal(proxyFor(new URL('https://localhost'), 'socks5://s:1', { HTTPS_PROXY: proxy }), 'socks5://s:1')
})

/** A SOCKS5 proxy without authentication (RFC 1928), for names and IPv4 addresses. */
function answerSocks(client: Socket, tunnels: string[]): void {
  client.on('error', () => undefined)
  client.once('data', () => {
    client.write(Buffer.from([5, 0]))
    client.once('data', (request: Buffer) => {
      const isName = request[3] === 3
      const length = isName ? (request[4] ?? 0) + 1 : 4
      const address = request.subarray(isName ? 5 : 4, 4 + length)
      const host = isName ? address.toString('latin1') : address.join('.')
      const port = request.readUInt16BE(4 + length)
      tunnels.push(`${host}:${port}`)
      const target = connectSocket(port, host, () => {
        client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        target.pipe(client).pipe(target)
      })
      target.on('error', () => client.destroy())
    })
  })
}

for (const scheme of ['socks5', 'socks5h']) {
  test(`requests go through a ${scheme} proxy`, async (t) => {
    const tunnels: string[] = []
    const server = createSocketServer((client) => answerSocks(client, tunnels))
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    t.after(() => server.close())
    const { port } = server.address() as AddressInfo
    const { server: api, cluster } = await faultyCluster(t, {
      tls: serverCertificate(['127.0.0.1']),
      cluster: { 'certificate-authority-data': authority(), 'proxy-url': `${scheme}://127.0.0.1:${port}` },
    })
    assert.equal((await cluster.describe({})).version, 'v1.36.2')
    assert.ok(tunnels.length > 0 && tunnels.every((url) => url === new URL(api.url).host))
  })
}

test('requests go through the proxy of the kubeconfig, encrypted to the server itself', async (t) => {
  const tunnels: string[] = []
  const server = createServer()
  server.on('connect', (request, socket, head) => {
    tunnels.push(request.url ?? '')
    const [host = '', port = ''] = (request.url ?? '').split(':')
    const target = connectSocket(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      target.pipe(socket).pipe(target)
    })
    target.on('error', () => socket.destroy())
    socket.on('error', () => target.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const { server: api, cluster } = await faultyCluster(t, {
    tls: serverCertificate(['127.0.0.1']),
    cluster: { 'certificate-authority-data': authority(), 'proxy-url': `http://127.0.0.1:${port}` },
  })
  api.set('a', { v: '1' })
  const view = await cluster.observe({ kinds: [configMaps], namespaces: new Set(['default']) }, {})
  assert.equal(view.ofKind(configMaps).length, 1)
  assert.ok(tunnels.length > 0 && tunnels.every((url) => url === new URL(api.url).host))
})
