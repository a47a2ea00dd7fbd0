import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The context's name of the embedded cluster, in every front. */
export const EMBEDDED_CONTEXT = 'embedded'

export type EmbeddedCluster = {
  /** A kubeconfig whose current context is the embedded cluster; readable by its owner only. */
  readonly kubeconfig: string
  readonly url: string
  /** True when this process runs the server; false when it found one that was running. */
  readonly started: boolean
  dispose(): Promise<void>
}

/** Who runs it now; `daemon` is a process of its own, which may be stopped. */
export type RunningEmbedded = { readonly pid: number; readonly url: string; readonly daemon?: boolean }

export type EmbeddedOptions = {
  /** True in a process that does nothing else. */
  readonly daemon?: boolean
  /** A port that is kept between runs; any free one when absent. */
  readonly port?: number
}

/**
 * The person's embedded cluster: the one that another process already runs, else one of our own over the same folder. Its
 * state outlives both.
 */
export async function openEmbedded(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedCluster> {
  const kubeconfig = path.join(folder, 'kubeconfig')
  const note = path.join(folder, NOTE)
  const running = await runningEmbedded(folder)
  if (running !== undefined) return { kubeconfig, url: running.url, started: false, dispose: async () => {} }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The server is large; commands that talk to other clusters do not load it.
  const { startServer } = await import('../simulator/server.ts')
  const { daemon = false, port = 0 } = options
  const server = await startServer({ dataDir: path.join(folder, 'data'), port })
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  await writeFile(note, JSON.stringify({ pid: process.pid, url: server.url, daemon } satisfies RunningEmbedded))
  const dispose = async (): Promise<void> => {
    await rm(note, { force: true })
    await server.close()
  }
  return { kubeconfig, url: server.url, started: true, dispose }
}

/** Who runs the cluster of a folder; undefined where nobody does. */
export async function runningEmbedded(folder: string): Promise<RunningEmbedded | undefined> {
  try {
    const running = JSON.parse(await readFile(path.join(folder, NOTE), 'utf8')) as RunningEmbedded
    process.kill(running.pid, 0)
    return running
  } catch {
    // No note, or its process is gone: nobody runs it.
    return undefined
  }
}

const NOTE = 'running.json'
