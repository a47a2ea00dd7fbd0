import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { Pool } from 'undici'
import { startControlPlane } from '../support/control-plane.ts'
import { missingTools } from '../support/tools/find.ts'
import type { Row } from './drift.ts'
import { median, seconds } from './measure.ts'
import { objectAt } from './simulator-objects.ts'

interface Server {
  readonly url: string
  readonly token: string
}

const main = path.join(import.meta.dirname, '../support/simulator-main.ts')

/** The embedded API server: how fast it is there, what it carries, what it costs. */
export async function benchSimulator(): Promise<readonly Row[]> {
  const rows = await withBundle(async (child) => [await benchStart(child), ...(await benchState(child))])
  const ours = await withEmbedded(async (server) => ({ rate: await applies(server), watches: await watches(server) }))
  const theirs = missingTools('etcd', 'kube-apiserver') === false ? await withReal(applies) : undefined
  rows.push({
    work: `${applyCount} applies, ${inFlight} at once`,
    ours: `${ours.rate.toFixed(0)}/s`,
    theirs: theirs === undefined ? '' : `${theirs.toFixed(0)}/s`,
    ratio: theirs === undefined ? undefined : ours.rate / theirs,
    bar: '1,000/s',
    met: ours.rate >= 1_000,
  })
  rows.push(plain(`one write, seen by ${watchCount} watches`, seconds(ours.watches), 'all of them', true))
  return rows
}

function plain(work: string, ours: string, bar: string, met: boolean): Row {
  return { work, ours, theirs: '', ratio: undefined, bar, met }
}

async function benchStart(child: string): Promise<Row> {
  const times: number[] = []
  for (let run = 0; run < 5; run++) times.push((await askChild<{ ms: number }>(child, 'start')).ms)
  const ms = median(times)
  return plain('start to first answer', seconds(ms), '300 ms', ms < 300)
}

interface State {
  readonly busyMb: number
  readonly restMb: number
  readonly heapMb: number
  readonly forkMs: number
}

async function benchState(child: string): Promise<readonly Row[]> {
  const { busyMb, restMb, heapMb, forkMs } = await askChild<State>(child, 'memory')
  return [
    plain('10,000 objects, resident while loading', `${busyMb.toFixed(0)} MB`, '200 MB', busyMb < 200),
    plain('the same at rest', `${restMb.toFixed(0)} MB (heap ${heapMb.toFixed(0)})`, '200 MB', restMb < 200),
    plain('fork of 10,000 objects', seconds(forkMs), '20 ms', forkMs < 20),
  ]
}

/** The child as it would be shipped: one file, as build.mjs makes it. */
async function withBundle<T>(use: (child: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-bench-'))
  try {
    const outfile = path.join(folder, 'child.mjs')
    const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"
    const entryPoints = [path.join(import.meta.dirname, 'simulator-child.ts')]
    await build({ entryPoints, outfile, bundle: true, platform: 'node', format: 'esm', banner: { js } })
    return await use(outfile)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function askChild<T>(child: string, mode: string): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child, mode], { maxBuffer: 2 ** 24 })
  return JSON.parse(stdout) as T
}

/** In a process of its own, as kube-apiserver is: the client's work is not the server's. */
async function withEmbedded<T>(use: (server: Server) => Promise<T>): Promise<T> {
  const token = 'bench'
  const process_ = spawn(process.execPath, [main, '--no-controllers', '--token', token], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      process_.once('exit', () => reject(new Error('the embedded server ended')))
      process_.stdout.on('data', (data: Buffer) => {
        const ready = /ready (\S+)/u.exec(data.toString())?.[1]
        if (ready !== undefined) resolve(ready)
      })
    })
    return await use({ url, token })
  } finally {
    process_.kill()
  }
}

async function withReal<T>(use: (server: Server) => Promise<T>): Promise<T> {
  const plane = await startControlPlane()
  try {
    return await use(plane)
  } finally {
    await plane.stop()
  }
}

const applyCount = 4_000
const inFlight = 16

/** Server-side applies a second: half of them create, half of them change what is there. */
async function applies({ url, token }: Server): Promise<number> {
  const pool = new Pool(url, { connections: inFlight, allowH2: false, connect: { rejectUnauthorized: false } })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/apply-patch+yaml' }
  const bodies = Array.from({ length: applyCount }, (_, turn) => {
    const { path, body } = objectAt(turn % (applyCount / 2))
    const labelled = turn < applyCount / 2 ? body : withLabel(body, `turn-${turn}`)
    return { path: `${path}?fieldManager=bench&force=true`, body: JSON.stringify(labelled) }
  })
  const apply = async ({ path, body }: { path: string; body: string }): Promise<void> => {
    const answer = await pool.request({ path, method: 'PATCH', headers, body })
    await answer.body.dump()
    if (answer.statusCode > 201) throw new Error(`${path}: ${answer.statusCode}`)
  }
  try {
    // What a running server has long done: its tables are loaded and its code is warm.
    for (const request of bodies.slice(0, 200)) await apply(request)
    const started = performance.now()
    const queue = bodies.values()
    await Promise.all(
      Array.from({ length: inFlight }, async () => {
        for (const request of queue) await apply(request)
      }),
    )
    return (applyCount / (performance.now() - started)) * 1_000
  } finally {
    await pool.destroy()
  }
}

function withLabel(body: unknown, value: string): unknown {
  const { metadata, ...rest } = body as { metadata: { labels: object } }
  return { ...rest, metadata: { ...metadata, labels: { ...metadata.labels, turn: value } } }
}

const watchCount = 1_000

/** Milliseconds from a write until every one of many open watches has told of it. */
async function watches({ url, token }: Server): Promise<number> {
  const pool = new Pool(url, { allowH2: false, connect: { rejectUnauthorized: false }, bodyTimeout: 0 })
  const headers = { authorization: `Bearer ${token}` }
  const collection = '/api/v1/namespaces/kube-public/configmaps'
  const { promise: allTold, resolve } = Promise.withResolvers<void>()
  let told = 0
  const hear = (data: Buffer): void => {
    if (data.includes('"ADDED"') && ++told === watchCount) resolve()
  }
  try {
    for (let opened = 0; opened < watchCount; opened += 100) {
      await Promise.all(
        Array.from({ length: 100 }, async () => {
          const path = `${collection}?watch=true&resourceVersion=0&timeoutSeconds=120`
          const answer = await pool.request({ path, method: 'GET', headers })
          answer.body.on('error', () => undefined)
          answer.body.on('data', hear)
        }),
      )
    }
    const started = performance.now()
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'seen-by-all' } })
    const written = await pool.request({
      path: collection,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    await written.body.dump()
    await Promise.race([
      allTold,
      setTimeout(30_000, undefined, { ref: false }).then(() => {
        throw new Error(`${told} of ${watchCount} watches told of it`)
      }),
    ])
    return performance.now() - started
  } finally {
    await pool.destroy()
  }
}
