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

type Running = { readonly pid: number; readonly url: string }

/**
 * The person's embedded cluster: the one that another process already runs, else one of our own over the same folder. Its
 * state outlives both.
 */
export async function openEmbedded(folder: string): Promise<EmbeddedCluster> {
  const kubeconfig = path.join(folder, 'kubeconfig')
  const note = path.join(folder, 'running.json')
  const running = await readRunning(note)
  if (running !== undefined) return { kubeconfig, url: running.url, started: false, dispose: async () => {} }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The server is large; commands that talk to other clusters do not load it.
  const { startServer } = await import('../simulator/server.ts')
  const server = await startServer({ dataDir: path.join(folder, 'data') })
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  await writeFile(note, JSON.stringify({ pid: process.pid, url: server.url } satisfies Running))
  const dispose = async (): Promise<void> => {
    await rm(note, { force: true })
    await server.close()
  }
  return { kubeconfig, url: server.url, started: true, dispose }
}

async function readRunning(note: string): Promise<Running | undefined> {
  try {
    const { pid, url } = JSON.parse(await readFile(note, 'utf8')) as Running
    process.kill(pid, 0)
    return { pid, url }
  } catch {
    // No note, or its process is gone: nobody runs it.
    return undefined
  }
}
