import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { sha256 } from '../../base/digest.ts'
import { sleep } from '../../base/abort.ts'
import type { Cancellable } from '../../model/ports.ts'
import { ClustersError } from '../clusters-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Another program's edit takes milliseconds; a lock that stays longer was left behind, or is held for a reason. */
const LOCK_PATIENCE_MS = 2000
const LOCK_POLL_MS = 50
const BACKUPS_KEPT = 10
const BACKUPS = '.plumbline-backups'

/** The kubeconfig files that count, in order of precedence, whether they exist or not (client-go `clientcmd` loading rules). */
export function kubeconfigPaths(env: Environment, explicit?: string): readonly string[] {
  if (explicit !== undefined && explicit !== '') return [path.resolve(explicit)]
  const list = (env['KUBECONFIG'] ?? '').split(path.delimiter).filter((file) => file !== '')
  if (list.length > 0) return [...new Set(list.map((file) => path.resolve(file)))]
  return [path.join(env['HOME'] || homedir(), '.kube', 'config')]
}

/** The text of a file, empty where there is none. @throws ClustersError `kubeconfig` */
export async function readKubeconfig(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    const reason = error instanceof Error ? error.message : String(error)
    throw new ClustersError('kubeconfig', `the kubeconfig ${file} cannot be read: ${reason}`, '', { cause: error })
  }
}

/**
 * Runs with the files locked as kubectl locks them (client-go `tools/clientcmd/config.go`: `FILE.lock`, made exclusively), all
 * or none. @throws ClustersError `locked` that names the lock
 */
export async function withLocks<T>(
  files: readonly string[],
  run: () => Promise<T>,
  { signal }: Cancellable,
): Promise<T> {
  const held: string[] = []
  try {
    // In one order, so that two who want the same files do not wait for each other.
    for (const file of [...files].sort()) {
      const lock = `${file}.lock`
      await takeLock(file, lock, signal)
      held.push(lock)
    }
    return await run()
  } finally {
    for (const lock of held) await rm(lock, { force: true })
  }
}

async function takeLock(file: string, lock: string, signal: AbortSignal | undefined): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o750 })
  const deadline = Date.now() + LOCK_PATIENCE_MS
  for (;;) {
    try {
      await (await open(lock, 'wx', 0o600)).close()
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(file, error)
    }
    if (Date.now() > deadline) throw await lockedError(file, lock)
    await sleep(LOCK_POLL_MS, { signal })
  }
}

async function lockedError(file: string, lock: string): Promise<ClustersError> {
  const since = await stat(lock).catch(() => undefined)
  const seconds = since === undefined ? 0 : Math.round((Date.now() - since.mtimeMs) / 1000)
  const next = `wait for the program that edits it; when no kubectl runs, delete ${lock}`
  return new ClustersError('locked', `the kubeconfig ${file} is locked by ${lock}, made ${seconds} s ago`, next)
}

/** Replaces a file's text at once, following a link to the file itself, keeping its mode. @throws ClustersError `kubeconfig` */
export async function replaceKubeconfig(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const mode = (await stat(target).catch(() => undefined))?.mode ?? 0o600
  const own = `${target}.${randomUUID().slice(0, 8)}.tmp`
  try {
    const handle = await open(own, 'wx', mode & 0o777)
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // The mode of open is cut by the umask.
    await chmod(own, mode & 0o777)
    await rename(own, target)
  } catch (error) {
    await rm(own, { force: true })
    throw unwritable(file, error)
  }
}

/** Keeps a copy of what a file was, beside it and for its owner alone. @returns the copy's path; empty where there was no file */
export async function backUp(file: string, text: string): Promise<string> {
  if (text === '') return ''
  const folder = path.join(path.dirname(file), BACKUPS)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const base = path.basename(file)
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const copy = path.join(folder, `${base}.${time}.${randomUUID().slice(0, 4)}`)
  const handle = await open(copy, 'wx', 0o600)
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
  const old = (await readdir(folder)).filter((name) => name.startsWith(`${base}.`)).sort()
  for (const name of old.slice(0, Math.max(0, old.length - BACKUPS_KEPT)))
    await rm(path.join(folder, name), { force: true })
  return copy
}

/** What a text is known by when somebody asks whether it has changed. */
export function digestOf(text: string): string {
  return sha256(text)
}

function unwritable(file: string, error: unknown): ClustersError {
  const reason = error instanceof Error ? error.message : String(error)
  return new ClustersError('kubeconfig', `the kubeconfig ${file} cannot be written: ${reason}`, '', { cause: error })
}
