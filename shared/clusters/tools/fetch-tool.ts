import { createHash } from 'node:crypto'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { EnvHttpProxyAgent, request } from 'undici'
import { isCancelled, CancelledError } from '../../base/abort.ts'
import { ClustersError } from '../clusters-error.ts'
import { writePrivately } from '../private-file.ts'
import type { Host, WorkOptions } from '../provider.ts'
import { downloadOf, thisPlatform, type Checksum, type Download } from './downloads.ts'
import { exe, toolsFolder, type Binary } from './find-binary.ts'
import { untar } from './untar.ts'

/** The largest release, envtest unpacked, has about 250 MB. */
const MOST_BYTES = 1024 * 1024 * 1024
const MOST_REDIRECTS = 5
/** A server that sends nothing for this long is given up. */
const SILENT_MS = 60_000
const TELL_EVERY_BYTES = 1024 * 1024

/**
 * Fetches a tool into the tools folder, checked against its digest before any of it can run. `PLUMBLINE_DOWNLOADS` names a
 * mirror: `https://mirror/github.com/...` is then asked for `https://github.com/...`, against the same digest.
 * @returns what was put there. @throws ClustersError `download`, `checksum`, `unsupported`; CancelledError
 */
export async function fetchTool(
  tool: string,
  host: Host,
  { version, ...options }: WorkOptions & { readonly version?: string | undefined },
): Promise<readonly Binary[]> {
  const platform = thisPlatform()
  const download = downloadOf(tool, version, platform)
  if (download === undefined) {
    const what = version === undefined ? tool : `${tool} ${version}`
    throw new ClustersError(
      'unsupported',
      `${what} is not published with a checksum for ${platform.os}/${platform.arch}`,
    )
  }
  const agent = new EnvHttpProxyAgent()
  try {
    const bytes = await fetchBytes(mirrored(download.url, host), {
      ...options,
      what: `${tool} ${download.version}`,
      agent,
    })
    const expected = await digestOf(download.checksum, host, agent, options)
    const actual = createHash(download.checksum.algorithm).update(bytes).digest('hex')
    if (actual !== expected) throw wrongDigest(download, expected, actual)
    return await install(download, bytes, host)
  } finally {
    await agent.close()
  }
}

async function install(download: Download, bytes: Buffer, host: Host): Promise<readonly Binary[]> {
  const { members, tool, version } = download
  if (members === undefined) return [await place(tool, version, bytes, host)]
  const files = untar(await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES }), new Set(Object.keys(members)))
  const placed: Binary[] = []
  for (const [member, name] of Object.entries(members)) {
    const content = files.get(member)
    if (content === undefined) throw new ClustersError('download', `${download.url} has no ${member}`)
    // etcd has a version of its own, and goes with the API server that it was published with.
    placed.push(await place(name, version, content, host))
  }
  return placed
}

async function place(tool: string, version: string, bytes: Uint8Array, host: Host): Promise<Binary> {
  const file = path.join(toolsFolder(host), `${tool}-${version}`, exe(tool))
  await writePrivately(file, bytes, 0o700)
  return { path: file, version }
}

async function digestOf(
  checksum: Checksum,
  host: Host,
  agent: EnvHttpProxyAgent,
  options: WorkOptions,
): Promise<string> {
  if (checksum.kind === 'pinned') return checksum.value
  const silent = { ...options, onEvent: () => undefined, what: 'checksum', agent }
  const text = (await fetchBytes(mirrored(checksum.url, host), silent)).toString('utf8')
  // `DIGEST` alone, or `DIGEST  FILE` as sha256sum writes it.
  const value = /^([0-9a-f]{64})(\s|$)/i.exec(text.trim())?.[1]
  if (value === undefined) throw new ClustersError('checksum', `${checksum.url} holds no SHA-256`)
  return value.toLowerCase()
}

function mirrored(url: string, { env }: Host): string {
  const mirror = env['PLUMBLINE_DOWNLOADS']
  return mirror === undefined || mirror === '' ? url : `${mirror.replace(/\/$/, '')}/${url.replace(/^https:\/\//, '')}`
}

type FetchOptions = WorkOptions & { readonly what: string; readonly agent: EnvHttpProxyAgent }

async function fetchBytes(url: string, options: FetchOptions, redirects = 0): Promise<Buffer> {
  const { what, agent, signal, onEvent } = options
  try {
    const limits = { headersTimeout: SILENT_MS, bodyTimeout: SILENT_MS, dispatcher: agent }
    const answer = await request(url, { ...limits, ...(signal === undefined ? {} : { signal }) })
    const { location, 'content-length': length } = answer.headers
    if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
      await answer.body.dump()
      if (redirects === MOST_REDIRECTS) throw new ClustersError('download', `${url} leads round in a circle`)
      return await fetchBytes(safeRedirect(url, location), options, redirects + 1)
    }
    if (answer.statusCode !== 200) {
      await answer.body.dump()
      const next = answer.statusCode === 404 ? 'is there such a version?' : 'try again later'
      throw new ClustersError('download', `${url} answered ${answer.statusCode}`, next)
    }
    return await collect(answer.body, Number(length ?? 0), (received, total) =>
      onEvent({ kind: 'download', what, received, total }),
    )
  } catch (error) {
    if (signal?.aborted === true || isCancelled(error)) throw new CancelledError(error)
    if (ClustersError.is(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    const next =
      'is there a network? set HTTPS_PROXY for a proxy, PLUMBLINE_DOWNLOADS for a mirror, or install the tool'
    throw new ClustersError('download', `${what} could not be fetched from ${new URL(url).host}: ${reason}`, next, {
      cause: error,
    })
  }
}

/** An encrypted way must not become a plain one. */
function safeRedirect(from: string, location: string): string {
  const to = new URL(location, from)
  if (to.protocol === 'https:' || new URL(from).protocol === to.protocol) return to.href
  throw new ClustersError('download', `${from} leads to ${to.protocol}//${to.host}, which is not encrypted`)
}

async function collect(
  body: AsyncIterable<Buffer>,
  total: number,
  tell: (received: number, total: number) => void,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let received = 0
  let told = 0
  tell(0, total)
  for await (const chunk of body) {
    chunks.push(chunk)
    received += chunk.length
    if (received > MOST_BYTES) throw new ClustersError('download', 'the answer is larger than any release')
    if (received - told < TELL_EVERY_BYTES) continue
    told = received
    tell(received, total)
  }
  if (total > 0 && received !== total)
    throw new ClustersError('download', `the answer was cut off at ${received} of ${total} bytes`)
  tell(received, total)
  return Buffer.concat(chunks)
}

function wrongDigest({ url, checksum }: Download, expected: string, actual: string): ClustersError {
  const from = checksum.kind === 'pinned' ? 'that Plumbline knows' : 'of its publisher'
  const message = `${url} is not the file ${from}: its ${checksum.algorithm} is ${actual}, not ${expected}`
  return new ClustersError('checksum', message, 'nothing of it was kept; somebody may have tampered with it')
}
