import { run } from '../base/process.ts'
import type { ToolFinding } from '../model/cluster.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Host } from './provider.ts'
import { onPath } from './tools/find-binary.ts'

/** A container engine, as kind and minikube use it. */
export type Engine = {
  readonly name: 'docker' | 'podman' | 'nerdctl'
  readonly path: string
  readonly running: boolean
  readonly problem: string
}

const ASK_MS = 15_000

/** The engine that kind takes: the one of `KIND_EXPERIMENTAL_PROVIDER`, else docker, else podman, one that runs before one that does not. */
export async function findEngine(host: Host, options: Cancellable): Promise<Engine | undefined> {
  const chosen = host.env['KIND_EXPERIMENTAL_PROVIDER']
  const all = ['docker', 'podman', 'nerdctl'] as const
  const wanted = all.filter((name) => chosen === undefined || chosen === '' || name === chosen)
  const engines: Engine[] = []
  for (const name of wanted) {
    const file = await onPath(name, host.env)
    if (file === undefined) continue
    const engine = await ask(name, file, host, options)
    if (engine.running) return engine
    engines.push(engine)
  }
  return engines[0]
}

async function ask(name: Engine['name'], file: string, { env }: Host, { signal }: Cancellable): Promise<Engine> {
  const done = await run(file, ['version', '--format', '{{.Server.Version}}'], { env, timeoutMs: ASK_MS, signal })
  if (done.kind === 'exited' && done.code === 0) return { name, path: file, running: true, problem: '' }
  // podman without a machine of its own has no server to ask.
  if (name === 'podman' && process.platform === 'linux') return { name, path: file, running: true, problem: '' }
  const said = done.kind === 'not-found' || done.kind === 'failed' ? '' : done.stderr.trim().split('\n').at(-1)
  const problem = done.kind === 'timed-out' ? `${name} does not answer` : (said ?? '')
  return { name, path: file, running: false, problem }
}

/** What is said of the engine where a provider is chosen. */
export function engineFinding(engine: Engine | undefined): ToolFinding {
  if (engine === undefined) {
    const next =
      'install Docker (docs.docker.com/engine/install) or Podman; the embedded cluster and a control plane need neither'
    return { tool: 'docker or podman', state: 'missing', version: '', path: '', next }
  }
  const { name, path, running, problem } = engine
  if (running) return { tool: name, state: 'found', version: '', path, next: '' }
  return {
    tool: name,
    state: 'broken',
    version: '',
    path,
    next: `${problem === '' ? 'it does not answer' : problem} Start it: ${starting(name)}`,
  }
}

function starting(name: Engine['name']): string {
  if (name === 'podman') return 'podman machine start'
  return process.platform === 'linux' ? 'sudo systemctl start docker' : 'open Docker Desktop'
}
