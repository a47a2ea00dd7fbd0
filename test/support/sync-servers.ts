import { startControlPlane } from './control-plane.ts'
import { embeddedServer, type TestServer } from './test-servers.ts'
import { missingTools } from './tools/find.ts'

/** Servers with controllers, so that pods start, Jobs end and what is deleted takes its own along. */
export type SyncServer = TestServer

const embedded = embeddedServer('the embedded server with its controllers', true)

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
