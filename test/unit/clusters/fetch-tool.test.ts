import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { isCancelled } from '../../../shared/base/abort.ts'
import { ClustersError, type ClustersErrorReason } from '../../../shared/clusters/clusters-error.ts'
import type { Host } from '../../../shared/clusters/provider.ts'
import { fetchTool } from '../../../shared/clusters/tools/fetch-tool.ts'
import { compareVersions } from '../../../shared/clusters/tools/find-binary.ts'
import { untar } from '../../../shared/clusters/tools/untar.ts'
import type { ClusterEvent } from '../../../shared/model/cluster.ts'

/** A double of the publisher's server, asked through `PLUMBLINE_DOWNLOADS` as a mirror is. */
async function publisher(t: TestContext, answer: RequestListener): Promise<Host & { readonly asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cache = mkdtempSync(path.join(tmpdir(), 'plumbline-tools-'))
  t.after(() => {
    server.closeAllConnections()
    server.close()
    rmSync(cache, { recursive: true, force: true })
  })
  const { port } = server.address() as AddressInfo
  return { env: { PLUMBLINE_DOWNLOADS: `http://127.0.0.1:${port}` }, state: cache, cache, asked }
}

const BINARY = Buffer.from('#!/bin/sh\necho minikube\n'.repeat(1000))
const DIGEST = createHash('sha256').update(BINARY).digest('hex')
const quiet = { onEvent: () => undefined }

/** Serves a file with the checksum beside it, as minikube does. */
function serves(digest: string): RequestListener {
  return (request, response) => {
    if (request.url?.endsWith('.sha256') === true) response.end(digest)
    else response.setHeader('content-length', BINARY.length).end(BINARY)
  }
}

async function refused(host: Host, reason: ClustersErrorReason, tool = 'minikube'): Promise<ClustersError> {
  let found: unknown
  await assert.rejects(fetchTool(tool, host, quiet), (error) => {
    found = error
    return ClustersError.is(error, reason)
  })
  assert.ok(!existsSync(path.join(host.cache, 'tools')), 'nothing of it is kept')
  return found as ClustersError
}

test('a tool is fetched, checked against its publisher, and put where it is looked for', async (t) => {
  const host = await publisher(t, serves(`${DIGEST}  minikube-linux-amd64\n`))
  const events: ClusterEvent[] = []
  const [binary] = await fetchTool('minikube', host, { onEvent: (event) => events.push(event) })
  assert.deepEqual(readFileSync(binary?.path ?? ''), BINARY)
  assert.equal(statSync(binary?.path ?? '').mode & 0o777, 0o700)
  assert.match(host.asked[0] ?? '', /^\/storage\.googleapis\.com\/minikube\/releases\/v1\.38\.1\/minikube-/)
  const { length } = BINARY
  assert.deepEqual(events.at(-1), { kind: 'download', what: 'minikube v1.38.1', received: length, total: length })
})

test('another file than the publisher names is not kept, with both digests said', async (t) => {
  const error = await refused(await publisher(t, serves('0'.repeat(64))), 'checksum')
  assert.ok(error.message.includes(DIGEST) && error.message.includes('0'.repeat(64)))
})

test('a digest that is pinned here is not asked for, and holds against a mirror too', async (t) => {
  const host = await publisher(t, serves(DIGEST))
  const error = await refused(host, 'checksum', 'kind')
  assert.match(error.message, /that Plumbline knows/)
  assert.equal(host.asked.length, 1)
})

/** Ways that break, and what is said of them. */
const BROKEN: Readonly<Record<string, readonly [RequestListener, ClustersErrorReason, RegExp]>> = {
  gone: [(_, response) => response.writeHead(404).end(), 'download', /answered 404/],
  'cut off': [
    (_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      setTimeout(() => response.destroy(), 20)
    },
    'download',
    /could not be fetched/,
  ],
  'in a circle': [
    (request, response) => response.writeHead(302, { location: request.url }).end(),
    'download',
    /round in a circle/,
  ],
  'to a plain way': [
    (_, response) => response.writeHead(302, { location: 'ftp://example.com/x' }).end(),
    'download',
    /not encrypted/,
  ],
  'without a digest': [
    (request, response) => response.end(request.url?.endsWith('.sha256') === true ? '<html>' : BINARY),
    'checksum',
    /holds no SHA-256/,
  ],
}

test('a way that breaks is said for what it is', async (t) => {
  for (const [name, [answer, reason, said]] of Object.entries(BROKEN)) {
    assert.match((await refused(await publisher(t, answer), reason)).message, said, name)
  }
})

test('no network is said with what can be done about it', async (t) => {
  const host = await publisher(t, serves(DIGEST))
  const dead = { ...host, env: { PLUMBLINE_DOWNLOADS: 'http://127.0.0.1:9' } }
  const error = await refused(dead, 'download')
  assert.match(error.next, /HTTPS_PROXY.*PLUMBLINE_DOWNLOADS/)
})

test('a cancel ends a download that hangs', async (t) => {
  const abort = new AbortController()
  const host = await publisher(t, (_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('a bit')
    setTimeout(() => abort.abort(), 20)
  })
  await assert.rejects(fetchTool('minikube', host, { ...quiet, signal: abort.signal }), isCancelled)
})

test('what nobody publishes with a checksum is not offered', async (t) => {
  const host = await publisher(t, serves(DIGEST))
  await assert.rejects(fetchTool('docker', host, quiet), (error) => ClustersError.is(error, 'unsupported'))
  await assert.rejects(fetchTool('envtest', host, { ...quiet, version: 'v1.2.3' }), (error) =>
    ClustersError.is(error, 'unsupported'),
  )
  assert.deepEqual(host.asked, [])
})

function member(name: string, content: string, type = '0'): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  header.write('ustar\0', 257)
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])
}

test('only wanted files come out of an archive, and a broken one is refused at any length', () => {
  const archive = Buffer.concat([
    member('a/', '', '5'),
    member('./a/etcd', 'one'),
    member('../evil', 'x'),
    member('a/link', '', '2'),
    Buffer.alloc(1024),
  ])
  const found = untar(archive, new Set(['a/etcd', 'a/link']))
  assert.deepEqual(
    [...found].map(([name, content]) => [name, content.toString()]),
    [['a/etcd', 'one']],
  )
  for (let length = 513; length < 1540; length += 101) {
    try {
      assert.ok(untar(archive.subarray(512, 512 + length), new Set(['a/etcd'])).size <= 1)
    } catch (error) {
      assert.ok(ClustersError.is(error, 'download'))
    }
  }
  assert.throws(
    () => untar(Buffer.alloc(600, 'x'), new Set()),
    (error) => ClustersError.is(error, 'download'),
  )
})

test('versions are ordered as releases follow each other', () => {
  const order = ['v1.9.0', 'v1.10.0-rc.1', 'v1.10.0', 'v1.36.2', 'v2.0.0']
  assert.deepEqual([...order].reverse().sort(compareVersions), order)
})

test('nothing but the tool lies in the tools folder afterwards', async (t) => {
  const host = await publisher(t, serves(DIGEST))
  await fetchTool('minikube', host, quiet)
  assert.deepEqual(readdirSync(path.join(host.cache, 'tools')), ['minikube-v1.38.1'])
  assert.equal(readdirSync(path.join(host.cache, 'tools', 'minikube-v1.38.1')).length, 1)
})
