import { PassThrough, Writable } from 'node:stream'
import { utilityProcess } from 'electron'
import { LEAN_MEMORY, type AgentLink } from '../../shared/agent/launch.ts'

export type AgentProcessOptions = {
  /** The agent's file. */
  readonly main: string
  readonly env: Readonly<Record<string, string>>
  readonly onLog: (text: string) => void
}

/** Starts the agent in a process that Electron makes: plain Node is fused off in the packaged app. */
export function startAgentProcess({ main, env, onLog }: AgentProcessOptions): AgentLink {
  const child = utilityProcess.fork(main, [], {
    serviceName: 'Plumbline agent',
    stdio: 'pipe',
    env,
    execArgv: [LEAN_MEMORY],
  })
  const input = new PassThrough()
  let last = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = chunk.toString('utf8')
    last = text.trim().split('\n').at(-1) ?? last
    onLog(text)
  })
  child.stdout?.on('data', (chunk: Buffer) => onLog(chunk.toString('utf8')))
  child.on('message', (message: unknown) => {
    if (message instanceof Uint8Array) input.write(message)
  })
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      child.postMessage(new Uint8Array(chunk))
      done()
    },
  })
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code) => {
      input.end()
      resolve(`the agent ended with status ${code}${last === '' ? '' : `: ${last}`}`)
    }),
  )
  return { input, output, shared: false, ended, dispose: () => void child.kill() }
}
