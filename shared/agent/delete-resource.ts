import { resourceKey } from '../model/kubernetes.ts'
import type { Cancellable } from '../model/ports.ts'
import { fullLabel } from '../view/words.ts'
import { AgentError } from './agent-error.ts'
import type { DeleteParams } from './application-contract.ts'
import type { HostedSession } from './hosted-session.ts'

/**
 * Deletes an object of an application's tree, pinned to the uid that was seen: another object of the same name stays.
 * @throws AgentError `failed` where the application has no such object, ClusterError
 */
export async function deleteResource(
  hosted: HostedSession,
  { application, id, uid, propagation = 'Foreground' }: Omit<DeleteParams, 'session'>,
  options: Cancellable,
): Promise<void> {
  const { snapshot } = await hosted.pass(application, options)
  const node = snapshot.tree.find((other) => resourceKey(other.id) === resourceKey(id))
  if (node === undefined)
    throw new AgentError('failed', `${application} has no ${fullLabel(id)} in the cluster`, 'not-found')
  await hosted.acting(application, async (found) => {
    const cluster = await hosted.session.clusterOf(found)
    const gvk = { group: id.group, version: node.version, kind: id.kind }
    await cluster.delete({ gvk, id, uid: uid ?? node.uid, propagation }, options)
  })
}
