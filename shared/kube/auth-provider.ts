import type { Cancellable } from '../model/ports.ts'
import { ClusterError } from './cluster-error.ts'
import type { ConnectionConfig } from './config.ts'
import type { Credentials } from './credentials.ts'

/** Kept only this long: client-node knows the token's end itself and refreshes when asked after it. */
const recheckMs = 30_000

/**
 * The `auth-provider` logins (oidc, gcp, azure, a token file) as @kubernetes/client-node does them. It is loaded here
 * and not before, since that takes half a second that no other login should wait for.
 * @throws ClusterError `credentials`
 */
export function openAuthProvider(config: ConnectionConfig): (options: Cancellable) => Promise<Credentials> {
  const { user } = config
  let loading: Promise<(opts: { headers: Record<string, string> }) => Promise<void>> | undefined
  const load = async (): Promise<(opts: { headers: Record<string, string> }) => Promise<void>> => {
    const { KubeConfig } = await import('@kubernetes/client-node')
    const client = new KubeConfig()
    const authProvider = { ...user.authProvider, config: { ...user.authProvider?.config } }
    client.loadFromClusterAndUser(
      // Only the login is asked of it; the server is ours to connect to.
      { name: 'cluster', server: 'https://localhost', skipTLSVerify: true },
      { name: 'user', authProvider },
    )
    return (opts) => client.applyToHTTPSOptions(opts)
  }
  return async () => {
    loading ??= load()
    const options: { headers: Record<string, string> } = { headers: {} }
    try {
      await (
        await loading
      )(options)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      const message = `the login by auth-provider ${user.authProvider?.name ?? ''} failed: ${reason}`
      throw new ClusterError('credentials', message, { cause: error })
    }
    const authorization = options.headers['Authorization']
    if (authorization === undefined) {
      const message = `the auth-provider ${user.authProvider?.name ?? ''} of the kubeconfig gives no token: log in again`
      throw new ClusterError('credentials', message)
    }
    return { headers: { authorization }, expiresAt: Date.now() + recheckMs }
  }
}
