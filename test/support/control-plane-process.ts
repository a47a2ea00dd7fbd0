import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'

const TAIL_BYTES = 16_384

export type ServerName = 'etcd' | 'kube-apiserver' | 'kube-controller-manager'

/** A running server of the control plane; its owner is the one who started it. */
export interface ServerProcess {
  readonly name: ServerName
  readonly pid: number
  /** The end of what it wrote to stdout and stderr. */
  tail(): string
  /** Settles when the process is gone, with its exit code or the signal's name; never rejects. */
  readonly gone: Promise<number | string>
  /** Ends it by SIGKILL: nothing in a throw-away server is worth a slow shutdown. */
  kill(): Promise<void>
}

const alive = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/**
 * Starts a server that does not outlive this process. On Linux the kernel ends it when this process dies in any way,
 * SIGKILL included; elsewhere only an ordinary exit does.
 */
export function startServer(name: ServerName, path: string, argv: readonly string[]): ServerProcess {
  const setpriv = setprivPath()
  const [command, args] = setpriv === undefined ? [path, argv] : [setpriv, ['--pdeathsig', 'KILL', '--', path, ...argv]]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] ?? '' } })
  alive.add(child)
  let tail = ''
  const keep = (chunk: Buffer): void => {
    tail = (tail + chunk.toString('utf8')).slice(-TAIL_BYTES)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const gone = new Promise<number | string>((resolve) => {
    child.once('error', (error) => {
      tail += error.message
      resolve('could not start')
    })
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  }).finally(() => alive.delete(child))
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
  }
  return { name, pid: child.pid ?? 0, tail: () => tail, gone, kill }
}

function setprivPath(): string | undefined {
  if (process.platform !== 'linux') return undefined
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'setpriv')
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      continue
    }
  }
  return undefined
}

/** Ports on loopback that were free a moment ago, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(0, '127.0.0.1', resolve)
      })
      return server
    }),
  )
  const ports = servers.map((server) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('a loopback listener has no port')
    return address.port
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
