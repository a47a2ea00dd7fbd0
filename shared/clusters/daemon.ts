import { open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { startDetached } from '../base/process.ts'
import { writePrivately } from './private-file.ts'
import { endProcesses, isAlive, markOf, type ProcessMark } from './process-identity.ts'

/** A background process of a cluster: its mark and its log lie in the cluster's folder. */
export type Daemon = { readonly folder: string; readonly name: string }

const LOG_TAIL_BYTES = 8192

/** Starts it, unless it runs. @throws what spawn says */
export async function startDaemon(
  daemon: Daemon,
  binary: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if ((await runningDaemon(daemon)) !== undefined) return
  const pid = await startDetached(binary, args, { env, log: logFile(daemon) })
  const mark = (await markOf(pid)) ?? { pid, started: '' }
  await writePrivately(markFile(daemon), JSON.stringify(mark))
}

/** Its mark while it runs. */
export async function runningDaemon(daemon: Daemon): Promise<ProcessMark | undefined> {
  try {
    const mark = JSON.parse(await readFile(markFile(daemon), 'utf8')) as ProcessMark
    return (await isAlive(mark)) ? mark : undefined
  } catch {
    // It was never started, or its note was cut off: what it left is found by its command line.
    return undefined
  }
}

export async function stopDaemon(daemon: Daemon, graceMs: number): Promise<void> {
  const mark = await runningDaemon(daemon)
  if (mark !== undefined) await endProcesses([mark.pid], graceMs)
  await rm(markFile(daemon), { force: true })
}

/** The last lines of its log, for a message. */
export async function logTail(daemon: Daemon, lines: number): Promise<string> {
  const file = await open(logFile(daemon), 'r').catch(() => undefined)
  if (file === undefined) return ''
  try {
    const { size } = await file.stat()
    const length = Math.min(size, LOG_TAIL_BYTES)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8').trimEnd().split('\n').slice(-lines).join('\n')
  } finally {
    await file.close()
  }
}

export function logFile({ folder, name }: Daemon): string {
  return path.join(folder, `${name}.log`)
}

function markFile({ folder, name }: Daemon): string {
  return path.join(folder, `${name}.pid.json`)
}
