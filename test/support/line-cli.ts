import { once } from 'node:events'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const MAIN = path.resolve(import.meta.dirname, '../../cli/main.ts')

/** How the command line is run: from its sources, as a process of its own, with nothing of the person's settings. */
export type CliOptions = {
  readonly cwd: string
  /** Variables beside PATH and HOME (an empty folder); undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Called with the process as soon as it runs, by those who mean to end it. */
  readonly onStart?: (child: ChildProcess) => void
  /** Milliseconds until it is killed and the test fails; 60,000 by default. */
  readonly timeoutMs?: number
}

/** `code` is null where a signal ended the process. */
export type CliResult = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}

/** Runs `plumbline ARGS`, without a terminal on any of its streams. */
export async function plumbline(argv: readonly string[], options: CliOptions): Promise<CliResult> {
  const began = performance.now()
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-home-'))
  const env = { PATH: process.env['PATH'], HOME: home, ...options.env }
  const child = spawn(process.execPath, [MAIN, ...argv], { cwd: options.cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const limit = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 60_000)
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  options.onStart?.(child)
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    return { code, signal, stdout: text(stdout), stderr: text(stderr), ms: performance.now() - began }
  } finally {
    clearTimeout(limit)
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
