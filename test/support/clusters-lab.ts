import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { openClusters, type ClusterManager } from '../../shared/clusters/cluster-manager.ts'
import { endProcesses, processesNaming } from '../../shared/clusters/process-identity.ts'

/** A machine of its own for local clusters: state, kubeconfig and PATH apart from the person's. */
export type ClustersLab = {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly state: string
  readonly kubeconfig: string
  readonly open: () => ClusterManager
  /** kubectl's stdout. @throws Error with what kubectl said */
  readonly kubectl: (...args: readonly string[]) => string
}

export function clustersLab(t: TestContext, more: { readonly path?: string } = {}): ClustersLab {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-clusters-'))
  // Where the command line keeps it too, by XDG_STATE_HOME.
  const state = path.join(folder, 'state', 'plumbline')
  const kubeconfig = path.join(folder, 'kubeconfig')
  const tools = process.env['PLUMBLINE_TOOLS'] ?? path.join(cacheHome(), 'plumbline', 'tools')
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    HOME: folder,
    XDG_STATE_HOME: path.join(folder, 'state'),
    PLUMBLINE_TOOLS: tools,
    ...(more.path === undefined ? {} : { PATH: more.path }),
  }
  t.after(async () => {
    await endProcesses(await processesNaming(folder), 2000)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const kubectl = (...args: readonly string[]): string => {
    const done = spawnSync('kubectl', args, {
      env: { ...process.env, KUBECONFIG: kubeconfig },
      encoding: 'utf8',
      timeout: 60_000,
    })
    if (done.status !== 0) throw new Error(`kubectl ${args.join(' ')}: ${done.stderr}`)
    return done.stdout
  }
  const open = (): ClusterManager => openClusters({ env, state, cache: path.join(cacheHome(), 'plumbline') })
  return { folder, env, state, kubeconfig, open, kubectl }
}

/** What the person's kubeconfig says now; empty where there is none. */
export function kubeconfigText({ kubeconfig }: ClustersLab): string {
  return existsSync(kubeconfig) ? readFileSync(kubeconfig, 'utf8') : ''
}

function cacheHome(): string {
  return process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache')
}
