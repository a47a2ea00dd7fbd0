// The embedded server over real sockets: TLS, who may talk to it, what it keeps, and how it bears load.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { connect } from 'node:tls'
import { Pool } from 'undici'
import { startServer } from '../../shared/simulator/server.ts'
import type { RunningServer, ServerOptions } from '../../shared/simulator/server.ts'

async function started(t: TestContext, options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ controllers: false, ...options })
  t.after(() => server.close())
  return server
}

async function status(server: RunningServer, path: string, options: https.RequestOptions = {}): Promise<number> {
  const request = https.get(`${server.url}${path}`, { ca: server.caPem, agent: false, ...options })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  await once(response, 'end')
  return response.statusCode ?? 0
}

test('the certificate holds for loopback, and a token is asked for', async (t) => {
  const server = await started(t)
  assert.equal(
    await status(server, '/api/v1/namespaces', { headers: { authorization: `Bearer ${server.token}` } }),
    200,
  )
  assert.equal(await status(server, '/api/v1/namespaces', { servername: 'localhost' }), 401)
  assert.equal(await status(server, '/api/v1/namespaces', { headers: { authorization: 'Bearer x' } }), 401)
  assert.equal(await status(server, '/readyz'), 200)
  await assert.rejects(status(server, '/readyz', { ca: undefined }), /self-signed|unable to (?:get|verify)/u)
})

test('only loopback can reach it', async (t) => {
  const server = await started(t)
  assert.equal(new URL(server.url).hostname, '127.0.0.1')
})

test('a body beyond 3 MiB is refused while it is still coming', async (t) => {
  const server = await started(t)
  const request = https.request(`${server.url}/api/v1/namespaces/default/configmaps`, {
    ca: server.caPem,
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
  })
  request.on('error', () => undefined)
  request.write('x'.repeat(4 * 1024 * 1024))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 413)
  request.destroy()
})

test('a DELETE whose body its headers do not announce is answered all the same', async (t) => {
  const server = await started(t)
  const { port } = new URL(server.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port), ca: server.caPem })
  socket.write(
    `DELETE /api/v1/namespaces/default/configmaps/x HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${server.token}\r\n\r\n{"kind":"DeleteOptions"}`,
  )
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  await once(socket, 'close')
  assert.match(answer, /^HTTP\/1\.1 404 /u)
})

test('noise on the port does no harm', async (t) => {
  const server = await started(t)
  const { port } = new URL(server.url)
  const socket = createConnection(Number(port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.end('GET / HTTP/1.1\r\n\r\n')
  await once(socket, 'close')
  assert.equal(await status(server, '/readyz'), 200)
})

test('what was answered is there after the process was killed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-killed-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const script = join(import.meta.dirname, '../support/simulator-main.ts')
  const child = spawn(process.execPath, [script, '--no-controllers', '--token', 't', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = line.toString().replace('ready ', '').trim()
  const pool = new Pool(url, { connect: { rejectUnauthorized: false } })
  for (let i = 0; i < 20; i++) {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}` } }),
    })
    assert.equal(statusCode, 201)
    await body.dump()
  }
  child.kill('SIGKILL')
  await once(child, 'exit')
  await pool.close()
  const again = await started(t, { dataDir: folder })
  assert.equal(again.apiServer.store.list({ group: '', resource: 'configmaps' }, 'default').length, 20)
})

test('1,000 watches hear of every write', async (t) => {
  const server = await started(t)
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1_000 })
  t.after(() => agent.destroy())
  const count = { heard: 0 }
  await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const request = https.get(`${server.url}/api/v1/configmaps?watch=1`, {
        ca: server.caPem,
        agent,
        headers: { authorization: `Bearer ${server.token}` },
      })
      const [response] = (await once(request, 'response')) as [IncomingMessage]
      response.on('data', (data: Buffer) => (count.heard += data.toString().split('\n').length - 1))
      response.on('error', () => undefined)
      request.on('error', () => undefined)
    }),
  )
  const user = { name: 'x', groups: ['system:masters'] }
  for (let i = 0; i < 5; i++) {
    server.apiServer.handle({
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `w${i}` } },
      user,
    })
  }
  for (let i = 0; i < 200 && count.heard < 5_000; i++) await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(count.heard, 5_000)
})

test('a second server on a taken port says so', async (t) => {
  const server = await started(t)
  const port = Number(new URL(server.url).port)
  await assert.rejects(startServer({ controllers: false, port }), /EADDRINUSE/u)
})
