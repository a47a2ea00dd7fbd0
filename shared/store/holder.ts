import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { isObject, type Json } from '../model/json.ts'

/** A process that acts on a cluster. */
export type Holder = { readonly host: string; readonly pid: number; readonly run: string }

/** This process. */
export const thisHolder: Holder = { host: hostname(), pid: process.pid, run: randomUUID() }

/** After this time without a sign of life, a holder on another machine counts as dead. */
export const HOLDER_AGE_MS = 60_000

/**
 * Whether a holder is at work. On this machine its process tells; elsewhere the last sign of life does.
 * @param renewedAt milliseconds since 1970
 */
export function isAlive(holder: Holder, renewedAt: number, now: number, self: Holder = thisHolder): boolean {
  if (holder.run === self.run) return true
  if (holder.host !== self.host) return now - renewedAt < HOLDER_AGE_MS
  // A container's first process has the same number in every run.
  return holder.pid !== self.pid && isRunning(holder.pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, as somebody else's.
    return (error as { readonly code?: unknown }).code === 'EPERM'
  }
}

export function readHolder(value: Json | undefined): Holder | undefined {
  if (!isObject(value)) return undefined
  const { host, pid, run } = value
  return typeof host === 'string' && typeof pid === 'number' && typeof run === 'string' ? { host, pid, run } : undefined
}
