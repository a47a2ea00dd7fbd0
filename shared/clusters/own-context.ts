import { readFile } from 'node:fs/promises'
import type { ClusterProvider } from '../model/cluster.ts'
import type { Cancellable } from '../model/ports.ts'
import { KubeconfigEditor } from './kubeconfig/kubeconfig-editor.ts'
import { KubeconfigText } from './kubeconfig/kubeconfig-text.ts'
import type { Host } from './provider.ts'

/** The context that a cluster of ours gets in the person's kubeconfig: `kind-dev` by kind's rule, and so for the others. */
export function contextOf(provider: ClusterProvider, name: string): string {
  return provider === 'minikube' ? name : `${provider}-${name}`
}

/** Puts a cluster of ours into the person's kubeconfig, as kind and minikube do it with theirs. */
export async function registerContext(
  host: Host,
  of: {
    readonly provider: ClusterProvider
    readonly name: string
    readonly kubeconfig: string
    readonly current: boolean
  },
  options: Cancellable,
): Promise<void> {
  const own = new KubeconfigText(await readFile(of.kubeconfig, 'utf8'), of.kubeconfig)
  const name = contextOf(of.provider, of.name)
  const from = own.body('contexts', own.current) ?? {}
  const cluster = own.body('clusters', String(from['cluster'])) ?? {}
  const user = own.body('users', String(from['user'])) ?? {}
  const context = { cluster: name, user: name }
  await editorOf(host).put({ name, context, cluster: [name, cluster], user: [name, user] }, of.current, options)
}

export async function unregisterContext(
  host: Host,
  provider: ClusterProvider,
  name: string,
  options: Cancellable,
): Promise<void> {
  // The person may have given its context another name; its cluster keeps the one that it was given here.
  await editorOf(host).deleteCluster(contextOf(provider, name), options)
}

function editorOf({ env, state }: Host): KubeconfigEditor {
  return new KubeconfigEditor({ env, state })
}

/** Runs a tool that makes its context the current one, and puts the person's own choice back unless they asked for the new one. */
export async function keepCurrentContext(
  host: Host,
  change: boolean,
  options: Cancellable,
  run: () => Promise<void>,
): Promise<void> {
  const editor = editorOf(host)
  const before = change ? '' : await editor.current()
  await run()
  if (before !== '' && (await editor.current()) !== before) await editor.setCurrent(before, options)
}
