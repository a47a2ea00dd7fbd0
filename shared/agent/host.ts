import { loadKubeconfig } from '../kube/config.ts'
import { listContexts } from '../kube/kubeconfig.ts'
import { EMBEDDED_CONTEXT } from '../clusters/embedded.ts'
import { RemoteCredentials } from '../session/remote-credentials.ts'
import { AgentError } from './agent-error.ts'
import type { ContextRow, OpenParams } from './contract.ts'
import { HostedSession } from './hosted-session.ts'

type Shared = { readonly id: string; readonly key: string; readonly opening: Promise<HostedSession>; uses: number }

/** The sessions of one agent. Clients that ask for the same get the same; it ends with the last of them. */
export class AgentHost {
  /** What remotes are shown, for all sessions. */
  readonly credentials = new RemoteCredentials()
  readonly #sessions = new Map<string, Shared>()
  #count = 0

  /** @throws GitError, ClusterError */
  async open(params: OpenParams): Promise<{ readonly id: string; readonly session: HostedSession }> {
    const { workspace, context, kubeconfig, apps, trusted } = params
    const key = JSON.stringify([workspace, context, kubeconfig, apps, [...trusted].sort()])
    let shared = [...this.#sessions.values()].find((other) => other.key === key)
    if (shared === undefined) {
      this.#count += 1
      shared = { id: `session-${this.#count}`, key, opening: HostedSession.open(params, this.credentials), uses: 0 }
      this.#sessions.set(shared.id, shared)
    }
    shared.uses += 1
    try {
      return { id: shared.id, session: await shared.opening }
    } catch (error) {
      this.#sessions.delete(shared.id)
      throw error
    }
  }

  async close(id: string): Promise<void> {
    const shared = this.#sessions.get(id)
    if (shared === undefined) return
    shared.uses -= 1
    if (shared.uses > 0) return
    this.#sessions.delete(id)
    await (await shared.opening).dispose()
  }

  /** @throws AgentError `no-session` */
  async get(id: string): Promise<HostedSession> {
    const shared = this.#sessions.get(id)
    if (shared === undefined) throw new AgentError('no-session', `the agent has no session ${id}`)
    return shared.opening
  }

  async dispose(): Promise<void> {
    const all = [...this.#sessions.values()]
    this.#sessions.clear()
    await Promise.allSettled(all.map(async ({ opening }) => (await opening).dispose()))
  }
}

/** The embedded cluster, then every context of the kubeconfigs. @throws ClusterError `config` */
export async function contextRows(kubeconfig: string | undefined): Promise<readonly ContextRow[]> {
  const config = await loadKubeconfig(kubeconfig === undefined ? {} : { kubeconfig })
  const embedded: ContextRow = {
    name: EMBEDDED_CONTEXT,
    cluster: EMBEDDED_CONTEXT,
    server: '',
    namespace: '',
    user: '',
    simulated: true,
    current: false,
  }
  const others = listContexts(config).map(({ name, cluster, server, namespace, user, auth, current }) => ({
    name,
    cluster,
    server,
    namespace,
    user: user === '' ? '' : `${user} (${auth})`,
    simulated: false,
    current,
  }))
  return [embedded, ...others]
}
