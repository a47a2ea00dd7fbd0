import type { HistoryDetail } from '../model/front.ts'
import type { Cancellable } from '../model/ports.ts'
import type { HistoryEntry } from '../model/status.ts'
import { CommitTeller } from '../session/commit-teller.ts'
import type { HostedSession } from './hosted-session.ts'

/** The syncs of an application with their commits, the newest first. @throws ClusterError */
export async function historyLines(
  hosted: HostedSession,
  name: string,
  options: Cancellable,
): Promise<readonly HistoryDetail[]> {
  const application = await hosted.application(name)
  const store = await hosted.session.store(application)
  const entries = await store.history(name, options)
  const teller = new CommitTeller(hosted.session.source)
  const lines = entries.map(async (entry): Promise<HistoryDetail> => {
    const told = await teller.tell(repoOf(entry, application.sources[0]?.repoURL ?? '.'), entry.revision, options)
    return { entry, ...(told ?? { subject: '', author: '' }) }
  })
  return (await Promise.all(lines)).reverse()
}

/** The repository that was synced then. */
function repoOf({ sources }: HistoryEntry, now: string): string {
  const [first] = (sources ?? []) as readonly { readonly repoURL?: unknown }[]
  return typeof first?.repoURL === 'string' ? first.repoURL : now
}
