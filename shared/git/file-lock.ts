import { open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { randomUUID } from 'node:crypto'
import { sleep, throwIfAborted } from '../base/abort.ts'
import { GitError } from './git-error.ts'

const pollMs = 50
const heartbeatMs = 5_000
/** A holder on another machine, or one whose process id was given away again, shows its life by the file's time. */
const staleMs = 60_000

/** How long and for what one waits. */
export interface LockOptions {
  readonly waitMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs work while no other process runs work under the same file. A lock whose holder died is taken over.
 * @throws GitError locked when it stays taken, CancelledError
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  { waitMs = 120_000, signal }: LockOptions = {},
): Promise<T> {
  const token = await acquire(file, waitMs, signal)
  const heartbeat = setInterval(() => {
    const now = new Date()
    utimes(file, now, now).catch(() => undefined)
  }, heartbeatMs)
  heartbeat.unref()
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    // Ours may have been taken over while this process was asleep.
    if ((await holderOf(file))?.token === token) await rm(file, { force: true })
  }
}

async function acquire(file: string, waitMs: number, signal: AbortSignal | undefined): Promise<string> {
  const token = randomUUID()
  const deadline = performance.now() + waitMs
  for (;;) {
    throwIfAborted(signal)
    if (await create(file, { pid: process.pid, host: hostname(), token })) return token
    await removeIfStale(file)
    if (performance.now() > deadline) {
      const holder = await holderOf(file)
      throw new GitError('locked', `another process (${holder?.pid ?? 'unknown'}) has been using ${file} for too long`)
    }
    await sleep(pollMs + Math.random() * pollMs, { signal })
  }
}

interface Holder {
  readonly pid: number
  readonly host: string
  readonly token: string
}

async function create(file: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await open(file, 'wx', 0o600)
    await handle.writeFile(JSON.stringify(holder))
    await handle.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new GitError('unusable', `${file} cannot be made`, error)
  }
}

async function removeIfStale(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return
  const holder = await holderOf(file)
  const quiet = Date.now() - found.mtimeMs > staleMs
  const dead = holder !== undefined && holder.host === hostname() && !isAlive(holder.pid)
  if (!quiet && !dead) return
  // Whoever else saw the same dead holder may have removed it and locked anew in the meantime.
  const again = await holderOf(file)
  if (again?.token === holder?.token) await rm(file, { force: true })
}

async function holderOf(file: string): Promise<Holder | undefined> {
  try {
    const { pid, host, token } = JSON.parse(await readFile(file, 'utf8')) as Partial<Holder>
    return pid === undefined || host === undefined || token === undefined ? undefined : { pid, host, token }
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
