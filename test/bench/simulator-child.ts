// A fresh process, so that neither start nor memory is somebody else's. Prints one JSON line.
//   start: milliseconds from the first line of this program to the first answer over TLS.
//   memory: megabytes resident with 10,000 objects, busy and at rest, of them on the heap, and milliseconds to fork them.
import { request } from 'node:https'
import { keepYoungHeapSmall } from '../../shared/base/young-heap.ts'
import { median } from './measure.ts'
import { objectAt } from './simulator-objects.ts'

const started = performance.now()
// As `plumbline api` does.
keepYoungHeapSmall()
const [, , mode = 'start', count = '10000'] = process.argv

if (mode === 'start') await measureStart()
else await measureMemory(Number(count))

async function measureStart(): Promise<void> {
  const { startServer } = await import('../../shared/simulator/server.ts')
  const server = await startServer()
  await new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.token}` }
    const call = request(`${server.url}/api/v1/namespaces/default`, { headers, ca: server.caPem }, (answer) => {
      answer.resume()
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(String(answer.statusCode)))))
    })
    call.on('error', reject).end()
  })
  console.log(JSON.stringify({ ms: performance.now() - started }))
  process.exit(0)
}

async function measureMemory(objects: number): Promise<void> {
  const { startServer } = await import('../../shared/simulator/server.ts')
  const server = await startServer({ controllers: false })
  const { apiServer } = server
  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/apply-patch+yaml' }
  for (let index = 0; index < objects; index++) {
    const { path, body } = objectAt(index)
    // As over a socket: the server parses its own copy.
    const bytes = Buffer.from(JSON.stringify(body))
    const { status } = apiServer.handle({ method: 'PATCH', path: `${path}?fieldManager=bench`, headers, body: bytes })
    if (status !== 201) throw new Error(`${path}: ${status}`)
    // Lets the collector run as it would between requests.
    if (index % 500 === 0) await new Promise(setImmediate)
  }
  const times = Array.from({ length: 25 }, () => {
    const before = performance.now()
    apiServer.store.fork()
    return performance.now() - before
  })
  const busy = process.memoryUsage().rss
  // What V8 does by itself once a process has been idle for a while.
  await globalThis.gc?.({ type: 'major', execution: 'async', flavor: 'last-resort' })
  const { rss, heapUsed } = process.memoryUsage()
  const [busyMb, restMb, heapMb] = [busy, rss, heapUsed].map((bytes) => bytes / 2 ** 20)
  console.log(JSON.stringify({ busyMb, restMb, heapMb, forkMs: median(times) }))
  process.exit(0)
}
