import { spawn } from 'node:child_process'
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'

/** Says whether stdout may be trusted: only `exited` carries a code, so a run that never started cannot look like 0. */
export type Completion =
  | { readonly kind: 'exited'; readonly code: number; readonly stdout: Buffer; readonly stderr: string }
  | { readonly kind: 'cancelled'; readonly stdout: Buffer; readonly stderr: string }
  | { readonly kind: 'timed-out'; readonly timeoutMs: number; readonly stdout: Buffer; readonly stderr: string }
  | { readonly kind: 'too-much-output'; readonly limit: number; readonly stdout: Buffer; readonly stderr: string }
  | { readonly kind: 'not-found'; readonly binary: string }
  | { readonly kind: 'failed'; readonly error: Error; readonly stdout: Buffer; readonly stderr: string }

/** What every start of a process may say. */
interface ProcessOptions {
  readonly cwd?: string | undefined
  /** The whole environment of the child; inherited when absent. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Milliseconds of wall clock until the whole group is killed; no limit when absent. */
  readonly timeoutMs?: number | undefined
  /** Bytes of stdout that are kept; one more kills the group. 256 MiB when absent. */
  readonly maxOutputBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Options of `run`. */
export interface RunOptions extends ProcessOptions {
  /** Everything the child reads on stdin; empty when absent. */
  readonly input?: string | Uint8Array | undefined
}

/** Options of `start`: with a listener a stream is handed on as it comes; stdout is then not kept. */
export interface StartOptions extends ProcessOptions {
  readonly onStdout?: ((chunk: Buffer) => void) | undefined
  readonly onStderr?: ((chunk: Buffer) => void) | undefined
}

/** A child that is still running. */
export interface RunningProcess {
  readonly pid: number | undefined
  /** Writes to stdin; a child that has gone away is not an error here, `done` tells. */
  write(data: string | Uint8Array): void
  endInput(): void
  /** Asks the whole group to end, and ends it after a grace period. `done` becomes `cancelled`. */
  kill(): void
  /** Lets our own process end while this child still runs; the child is killed then. */
  unref(): void
  /** Takes `unref` back. */
  ref(): void
  /** Settles once, never rejects. */
  readonly done: Promise<Completion>
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>
type Stop = 'cancelled' | 'timed-out' | 'too-much-output'

const defaultMaxOutputBytes = 256 * 1024 * 1024
const maxStderrBytes = 256 * 1024
const graceMs = 1000
/** A grandchild (an ssh master connection) may hold the pipes open after the child's exit. */
const drainMs = 1000

/** Runs a binary to its end: an argument array, no shell; never rejects. */
export function run(binary: string, args: readonly string[], options: RunOptions = {}): Promise<Completion> {
  const running = start(binary, args, options)
  if (options.input !== undefined) running.write(options.input)
  running.endInput()
  return running.done
}

/** Starts a binary with stdin open. The only place of the product where a process is made. */
export function start(binary: string, args: readonly string[], options: StartOptions = {}): RunningProcess {
  if (options.signal?.aborted === true) return neverStarted({ kind: 'cancelled', stdout: Buffer.alloc(0), stderr: '' })
  let child: Child
  try {
    child = spawn(binary, [...args], {
      cwd: options.cwd,
      env: options.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own, so that a kill reaches the grandchildren too.
      detached: process.platform !== 'win32',
    })
  } catch (error) {
    return neverStarted(spawnFailure(binary, options.cwd, error))
  }
  return superviseChild(child, binary, options)
}

/** Starts a binary that outlives us, its output appended to a log file. @returns its pid. @throws what spawn says */
export async function startDetached(
  binary: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string | undefined>>; readonly log: string },
): Promise<number> {
  const log = openSync(options.log, 'a', 0o600)
  try {
    const stdio = ['ignore', log, log] as const
    const child = spawn(binary, [...args], { env: options.env, stdio: [...stdio], detached: true, windowsHide: true })
    await once(child, 'spawn')
    child.unref()
    return child.pid ?? 0
  } finally {
    closeSync(log)
  }
}

/** @returns stdout as text when the child exited with one of the codes, else undefined. */
export function successText(completion: Completion, codes: readonly number[] = [0]): string | undefined {
  if (completion.kind !== 'exited' || !codes.includes(completion.code)) return undefined
  return completion.stdout.toString('utf8')
}

function superviseChild(child: Child, binary: string, options: StartOptions): RunningProcess {
  const output = new Output(options, () => stop('too-much-output'))
  let stopped: Stop | undefined
  let graceTimer: NodeJS.Timeout | undefined
  const stop = (why: Stop): void => {
    if (stopped !== undefined) return
    stopped = why
    killGroup(child, 'SIGTERM')
    graceTimer = setTimeout(() => killGroup(child, 'SIGKILL'), graceMs)
  }
  const onAbort = (): void => stop('cancelled')
  options.signal?.addEventListener('abort', onAbort, { once: true })
  const timer = options.timeoutMs === undefined ? undefined : setTimeout(() => stop('timed-out'), options.timeoutMs)
  living.add(child)
  watchExit()
  child.stdin.on('error', () => undefined)
  child.stdout.on('data', output.stdout)
  child.stderr.on('data', output.stderr)
  const done = settled(child, output)
    .then((end) => completionOf(end, stopped, output, { binary, options }))
    .finally(() => {
      options.signal?.removeEventListener('abort', onAbort)
      clearTimeout(timer)
      clearTimeout(graceTimer)
      // What the group left behind must not outlive a stopped run.
      if (stopped !== undefined) killGroup(child, 'SIGKILL')
      living.delete(child)
    })
  return handleOf(child, done, onAbort)
}

function handleOf(child: Child, done: Promise<Completion>, kill: () => void): RunningProcess {
  return {
    pid: child.pid,
    write: (data) => void (child.stdin.writable && child.stdin.write(data)),
    endInput: () => void child.stdin.end(),
    kill,
    unref: () => hold(child, 'unref'),
    ref: () => hold(child, 'ref'),
    done,
  }
}

/** The pipes are sockets, which hold the event loop just as the child does. */
function hold(child: Child, verb: 'ref' | 'unref'): void {
  child[verb]()
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    const socket = stream as { ref?: () => void; unref?: () => void }
    socket[verb]?.()
  }
}

class Output {
  private readonly stdoutChunks: Buffer[] = []
  private stderrChunks: Buffer[] = []
  private stdoutBytes = 0
  private stderrBytes = 0
  private readonly options: StartOptions
  private readonly overflow: () => void
  readonly limit: number
  activity = 0

  constructor(options: StartOptions, overflow: () => void) {
    this.options = options
    this.overflow = overflow
    this.limit = options.maxOutputBytes ?? defaultMaxOutputBytes
  }

  readonly stdout = (chunk: Buffer): void => {
    this.activity += 1
    if (this.options.onStdout !== undefined) return this.options.onStdout(chunk)
    if (this.stdoutBytes + chunk.length > this.limit) return this.overflow()
    this.stdoutBytes += chunk.length
    this.stdoutChunks.push(chunk)
  }

  readonly stderr = (chunk: Buffer): void => {
    this.activity += 1
    this.options.onStderr?.(chunk)
    this.stderrChunks.push(chunk)
    this.stderrBytes += chunk.length
    // The end of stderr is what says why; a flood of progress before it is dropped.
    if (this.stderrBytes <= 2 * maxStderrBytes) return
    this.stderrChunks = [Buffer.concat(this.stderrChunks).subarray(-maxStderrBytes)]
    this.stderrBytes = maxStderrBytes
  }

  streams(): { readonly stdout: Buffer; readonly stderr: string } {
    const stderr = Buffer.concat(this.stderrChunks).subarray(-maxStderrBytes).toString('utf8')
    return { stdout: Buffer.concat(this.stdoutChunks), stderr }
  }
}

type End =
  | { readonly kind: 'exit'; readonly code: number | null; readonly signal: NodeJS.Signals | null }
  | { readonly kind: 'error'; readonly error: unknown }

function settled(child: Child, output: Output): Promise<End> {
  return new Promise((resolve) => {
    let drain: NodeJS.Timeout | undefined
    child.on('error', (error) => {
      // A failed kill also reports here, while the child still runs.
      if (child.pid === undefined) resolve({ kind: 'error', error })
    })
    child.once('close', (code, signal) => {
      clearInterval(drain)
      resolve({ kind: 'exit', code, signal })
    })
    child.once('exit', () => {
      let seen = output.activity
      drain = setInterval(() => {
        if (output.activity === seen) {
          child.stdout.destroy()
          child.stderr.destroy()
        }
        seen = output.activity
      }, drainMs)
    })
  })
}

function completionOf(
  end: End,
  stopped: Stop | undefined,
  output: Output,
  { binary, options }: { readonly binary: string; readonly options: StartOptions },
): Completion {
  const streams = output.streams()
  if (end.kind === 'error') return spawnFailure(binary, options.cwd, end.error)
  if (stopped === 'cancelled') return { kind: 'cancelled', ...streams }
  if (stopped === 'timed-out') return { kind: 'timed-out', timeoutMs: options.timeoutMs ?? 0, ...streams }
  if (stopped === 'too-much-output') return { kind: 'too-much-output', limit: output.limit, ...streams }
  if (end.code !== null) return { kind: 'exited', code: end.code, ...streams }
  return { kind: 'failed', error: new Error(`${binary} was ended by ${end.signal ?? 'a signal'}`), ...streams }
}

function spawnFailure(binary: string, cwd: string | undefined, cause: unknown): Completion {
  const missing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  const streams = { stdout: Buffer.alloc(0), stderr: '' }
  // Node reports a missing working folder as a missing binary.
  if (missing && cwd !== undefined && !existsSync(cwd)) {
    return { kind: 'failed', error: new Error(`the folder ${cwd} does not exist`, { cause }), ...streams }
  }
  if (missing) return { kind: 'not-found', binary }
  return { kind: 'failed', error: new Error(`${binary} could not be started`, { cause }), ...streams }
}

function neverStarted(completion: Completion): RunningProcess {
  return {
    pid: undefined,
    write: nothing,
    endInput: nothing,
    kill: nothing,
    unref: nothing,
    ref: nothing,
    done: Promise.resolve(completion),
  }
}

function nothing(): void {
  // There is no process to speak to.
}

const living = new Set<ChildProcess>()
let watching = false

/** A child in its own group does not see the terminal's Ctrl-C, so it is ended with us. */
function watchExit(): void {
  if (watching) return
  watching = true
  process.on('exit', () => {
    for (const child of living) killGroup(child, 'SIGTERM')
  })
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The group has ended already.
  }
}
