import assert from 'node:assert/strict'
import { connect as connectSocket } from 'node:net'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
