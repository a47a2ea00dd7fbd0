import { PassThrough, Writable, type Readable } from 'node:stream'
import { start } from '../base/process.ts'
import { dialAgent, socketPath } from './socket.ts'

/** A way to an agent's messages, whoever runs it. */
export type AgentLink = {
  readonly input: Readable
  readonly output: Writable
  /** True where the agent was running already. */
  readonly shared: boolean
  /** Settles when the agent is gone. */
  readonly ended: Promise<string>
  dispose(): void
}

/**
 * Small young generations: what an agent reads from a cluster lives long, and half of V8's usual reserve for what does not
 * would lie idle. A third less memory with 10,000 objects, and no slower.
 */
export const LEAN_MEMORY = '--max-semi-space-size=4'

export type LaunchOptions = {
  /** The node program, or an editor's own with `ELECTRON_RUN_AS_NODE`. */
  readonly node: string
  readonly nodeArguments?: readonly string[]
  /** The agent's main file. */
  readonly main: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Lines that the agent writes to stderr. */
  readonly onLog?: (text: string) => void
  /** False starts one of our own in any case. */
  readonly share: boolean
  /** Starts one of our own by other means than a program: in a process that Electron makes. */
  readonly begin?: () => AgentLink
}

/** The agent that runs already, else one of our own. */
export async function launchAgent(options: LaunchOptions): Promise<AgentLink> {
  const file = options.share ? socketPath(options.env) : undefined
  const socket = file === undefined ? undefined : await dialAgent(file)
  if (socket === undefined) return options.begin?.() ?? startAgent(options)
  const ended = new Promise<string>((resolve) =>
    socket.once('close', () => resolve('the agent of another window ended')),
  )
  socket.on('error', () => undefined)
  return { input: socket, output: socket, shared: true, ended, dispose: () => socket.destroy() }
}

function startAgent({ node, nodeArguments = [], main, env, onLog }: LaunchOptions): AgentLink {
  const input = new PassThrough()
  let stderr = ''
  const child = start(node, [LEAN_MEMORY, ...nodeArguments, main], {
    env,
    onStdout: (chunk) => void input.write(chunk),
    onStderr: (chunk) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-2000)
      onLog?.(chunk.toString('utf8'))
    },
  })
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      child.write(chunk)
      done()
    },
  })
  const ended = child.done.then((end) => {
    input.end()
    if (end.kind === 'not-found') return `${end.binary} was not found`
    if (end.kind === 'failed') return end.error.message
    return end.kind === 'exited'
      ? `the agent ended with status ${end.code}: ${lastLine(stderr)}`
      : 'the agent was stopped'
  })
  const dispose = (): void => {
    child.endInput()
    child.kill()
  }
  return { input, output, shared: false, ended, dispose }
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? ''
}
