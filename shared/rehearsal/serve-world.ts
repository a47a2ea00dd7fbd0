import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startServer } from '../simulator/server.ts'
import type { EmbeddedWorld } from './embedded-world.ts'

export type ServedWorld = { readonly kubeconfig: string; readonly url: string; dispose(): Promise<void> }

/** Lets kubectl look at a world as the rehearsal left it: a server on loopback over a fork of its state. */
export async function serveWorld(world: EmbeddedWorld): Promise<ServedWorld> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-rehearsal-'))
  const server = await startServer({ store: world.store.fork(), controllers: false })
  const kubeconfig = path.join(folder, 'kubeconfig')
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  return {
    kubeconfig,
    url: server.url,
    dispose: async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
