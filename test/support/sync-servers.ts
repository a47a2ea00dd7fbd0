import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startControlPlane } from './control-plane.ts'
import type { TestServer } from './test-servers.ts'
import { missingTools } from './tools/find.ts'

/** Servers with controllers, so that pods start, Jobs end and what is deleted takes its own along. */
export type SyncServer = TestServer

const embedded: TestServer = {
  name: 'the embedded server with its controllers',
  missing: async () => undefined,
  async start(t) {
    const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-embedded-'))
    const { startServer } = await import('../../shared/simulator/server.ts')
    const server = await startServer({ controllers: true })
    t.after(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    })
    const kubeconfig = path.join(folder, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
    return { kubeconfig, context: '', url: server.url, token: server.token }
  },
}

const real: TestServer = {
  name: 'a real control plane',
  missing: async () => missingTools('etcd', 'kube-apiserver', 'kube-controller-manager') || undefined,
  async start(t) {
    const plane = await startControlPlane({ controllerManager: true })
    t.after(() => plane.stop())
    return { kubeconfig: plane.kubeconfigPath, context: 'admin', url: plane.url, token: plane.token }
  },
}

export const syncServers: readonly SyncServer[] = [real, embedded]
