import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { startControlPlane } from './control-plane.ts'
import { missingTools } from './tools/find.ts'

export type StartedServer = {
  readonly kubeconfig: string
  readonly context: string
  readonly url: string
  readonly token: string
}

/** A server that whatever is true of the line has to be true on. */
export type TestServer = {
  readonly name: string
  /** Why it cannot be started here. */
  missing(): Promise<string | undefined>
  /** Starts a fresh one that ends with the test. */
  start(t: TestContext): Promise<StartedServer>
}

/** The embedded server, in this process, without or with its controllers. */
export function embeddedServer(name: string, controllers: boolean): TestServer {
  return {
    name,
    missing: async () => undefined,
    async start(t) {
      const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-embedded-'))
      const { startServer } = await import('../../shared/simulator/server.ts')
      const server = await startServer({ controllers })
      t.after(async () => {
        await server.close()
        await rm(folder, { recursive: true, force: true })
      })
      const kubeconfig = path.join(folder, 'kubeconfig')
      await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
      return { kubeconfig, context: '', url: server.url, token: server.token }
    },
  }
}

export const embedded = embeddedServer('the embedded server', false)

export const real: TestServer = {
  name: 'a real kube-apiserver',
  missing: async () => missingTools('etcd', 'kube-apiserver') || undefined,
  async start(t) {
    const plane = await startControlPlane()
    t.after(() => plane.stop())
    return { kubeconfig: plane.kubeconfigPath, context: 'admin', url: plane.url, token: plane.token }
  },
}

export const testServers: readonly TestServer[] = [embedded, real]
