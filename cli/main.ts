import process from 'node:process'
import { isCancelled } from '../shared/base/abort.ts'
import { explain } from './explain.ts'
import { say, type ExitCode, type Io } from './io.ts'
import { buildProgram, isUsageExit } from './program.ts'

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A second interrupt is for those who will not wait for a clean end.
    if (interrupt.signal.aborted) process.exit(130)
    interrupt.abort()
  })
}
// `plumbline app list | head` ends when its reader does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
})

const io: Io = {
  stdout: process.stdout,
  stderr: process.stderr,
  stdin: process.stdin,
  env: process.env,
  cwd: process.cwd(),
  signal: interrupt.signal,
}

process.exitCode = await run(process.argv)

async function run(argv: readonly string[]): Promise<ExitCode | 130> {
  let exit: ExitCode = 0
  const program = buildProgram(io, (code) => void (exit = code))
  try {
    await program.parseAsync([...argv])
    return exit
  } catch (error) {
    const usage = isUsageExit(error)
    if (usage !== undefined) return usage
    if (isCancelled(error)) {
      say(io, 'interrupted')
      return 130
    }
    const { message, next } = explain(error)
    say(io, `error: ${message}`)
    if (next !== undefined) say(io, `       ${next}`)
    if (argv.includes('--verbose') && error instanceof Error) say(io, String(error.stack))
    return 2
  }
}
