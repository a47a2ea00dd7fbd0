import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { toolPath } from './tools/find.ts'

export interface KubectlOptions {
  readonly kubeconfigPath: string
  /** What kubectl reads on stdin, for `-f -`. */
  readonly input?: string
  /** Milliseconds until it is killed; 60,000 by default. */
  readonly timeoutMs?: number
  /** Variables beside PATH, HOME, KUBECONFIG and KUBECACHEDIR, which are set here. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly signal?: AbortSignal
}

/** What kubectl said. `code` is its exit status, or `'timeout'` or `'aborted'` when it was killed for that. */
export interface KubectlResult {
  readonly code: number | 'timeout' | 'aborted'
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the real kubectl. Discovery is cached beside the kubeconfig, never in the home folder.
 *
 * @throws Error when there is no kubectl that the tests accept, or it cannot be started.
 */
export async function kubectl(argv: readonly string[], options: KubectlOptions): Promise<KubectlResult> {
  const home = dirname(options.kubeconfigPath)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    KUBECONFIG: options.kubeconfigPath,
    KUBECACHEDIR: join(home, 'kubectl-cache'),
    ...options.env,
  }
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 60_000)
  const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
  const child = spawn(toolPath('kubectl'), [...argv], { env, cwd: options.cwd, signal, killSignal: 'SIGKILL' })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  // kubectl may end before it has read everything; its exit status tells the story then.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  const code = await new Promise<KubectlResult['code']>((resolve, reject) => {
    let failure: Error | undefined
    child.once('error', (error) => (failure = error))
    child.once('close', (status) => {
      if (timeout.aborted && status === null) resolve('timeout')
      else if (options.signal?.aborted === true && status === null) resolve('aborted')
      else if (failure !== undefined) reject(failure)
      else resolve(status ?? -1)
    })
  })
  return { code, stdout: Buffer.concat(stdout).toString('utf8'), stderr: Buffer.concat(stderr).toString('utf8') }
}
