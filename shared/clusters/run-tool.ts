import { CancelledError } from '../base/abort.ts'
import { start, type Completion } from '../base/process.ts'
import { redact } from '../base/redact.ts'
import { ClustersError } from './clusters-error.ts'
import { LineSplitter } from './line-splitter.ts'

export type ToolRun = {
  /** What the tool is called in messages. */
  readonly tool: string
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** What it reads on stdin; nothing when absent. */
  readonly input?: string
  readonly timeoutMs?: number
  /** Each line of stdout or stderr as it comes. */
  readonly onLine?: (line: string) => void
  readonly signal?: AbortSignal | undefined
  /** The reason in the tool's own lines; the last line when absent. */
  readonly reasonOf?: (lines: readonly string[]) => { readonly message: string; readonly next?: string }
}

/** Queries answer at once; what makes something has a limit of its own. */
const QUERY_MS = 60_000
const LINES_KEPT = 500

/** Runs a tool to its end, its lines handed on as they come. @returns stdout. @throws ClustersError `tool-failed`, CancelledError */
export async function runTool(run: ToolRun): Promise<string> {
  const lines: string[] = []
  const stdout: Buffer[] = []
  const keep = (line: string): void => {
    lines.push(line)
    if (lines.length > LINES_KEPT) lines.shift()
    run.onLine?.(line)
  }
  const [out, err] = [new LineSplitter(keep), new LineSplitter(keep)]
  const child = start(run.path, run.args, {
    env: run.env,
    timeoutMs: run.timeoutMs ?? QUERY_MS,
    signal: run.signal,
    onStdout: (chunk) => {
      stdout.push(chunk)
      out.push(chunk)
    },
    onStderr: (chunk) => err.push(chunk),
  })
  if (run.input !== undefined) child.write(run.input)
  child.endInput()
  const done = await child.done
  out.end()
  err.end()
  if (done.kind === 'exited' && done.code === 0) return Buffer.concat(stdout).toString('utf8')
  throw failureOf(run, done, lines)
}

function failureOf(run: ToolRun, done: Completion, lines: readonly string[]): Error {
  if (done.kind === 'cancelled') return new CancelledError()
  const verb = run.args.find((word) => !word.startsWith('-')) ?? ''
  const what = `${run.tool} ${verb}`.trim()
  if (done.kind === 'not-found') {
    return new ClustersError('tool-missing', `${run.tool} is not installed`, '`plumbline doctor` shows what is found')
  }
  if (done.kind === 'timed-out') {
    return new ClustersError('tool-failed', `${what} did not end in ${done.timeoutMs / 1000} s${lastOf(lines)}`)
  }
  if (done.kind === 'exited') {
    const said = run.reasonOf?.(lines) ?? {
      message: lines.filter((line) => line.trim() !== '').at(-1) ?? `exit status ${done.code}`,
    }
    return new ClustersError('tool-failed', `${what}: ${redact(said.message)}`, said.next ?? '')
  }
  const reason = done.kind === 'failed' ? done.error.message : 'it wrote more than is read'
  return new ClustersError('tool-failed', `${what}: ${reason}`)
}

function lastOf(lines: readonly string[]): string {
  const last = lines.filter((line) => line.trim() !== '').at(-1)
  return last === undefined ? '' : `; the last that it said: ${redact(last)}`
}
