import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { runAgent } from '../../shared/agent/agent-run.ts'
import type { FeedSource } from '../../shared/agent/application-feed.ts'
import { say, type Io } from '../io.ts'
import { chosenContext } from '../session-flags.ts'

export type RunFlags = {
  readonly apps?: string
  readonly repo?: string
  readonly revision: string
  readonly path: string
  readonly fromCluster?: string
  readonly context?: string
  readonly kubeconfig?: string
}

export async function agentRun(flags: RunFlags, io: Io): Promise<void> {
  const from = feedOf(flags)
  const own =
    from === undefined ? undefined : await mkdtemp(path.join(io.env['TMPDIR'] || tmpdir(), 'plumbline-agent-'))
  const kubeconfig = flags.kubeconfig === undefined ? {} : { kubeconfig: path.resolve(io.cwd, flags.kubeconfig) }
  try {
    await runAgent({
      folder: own ?? path.resolve(io.cwd, flags.apps ?? '.'),
      from,
      context: flags.context ?? (await contextOf(flags, io)),
      ...kubeconfig,
      version: manifest.version,
      name: io.env['PLUMBLINE_AGENT'],
      onLine: (line) => say(io, `${new Date().toISOString()} ${line}`),
      signal: io.signal,
    })
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true })
  }
}

function feedOf({ repo, revision, path: at, fromCluster }: RunFlags): FeedSource | undefined {
  if (fromCluster !== undefined) return { kind: 'cluster', namespace: fromCluster }
  return repo === undefined ? undefined : { kind: 'git', repoURL: repo, revision, path: at }
}

/** In a pod the service account is all there is; `loadKubeconfig` finds it under the empty name. */
async function contextOf({ kubeconfig }: RunFlags, io: Io): Promise<string> {
  const inPod = (io.env['KUBERNETES_SERVICE_HOST'] ?? '') !== ''
  return inPod || kubeconfig !== undefined ? '' : chosenContext(io)
}
