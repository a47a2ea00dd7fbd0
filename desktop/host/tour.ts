import { METHODS } from '../../shared/agent/contract.ts'
import type { TaskPart } from '../../shared/model/front.ts'
import type { Cancellable } from '../../shared/model/ports.ts'
import type { WindowDesk } from './window-desk.ts'

const EMBEDDED = 'embedded'
const APPLICATIONS = ['guestbook', 'shop', 'board'] as const

type TourOptions = Required<Cancellable> & { readonly part: (part: TaskPart) => void }

/** From nothing to synced applications and a first drift, on a repository and a cluster of the tour's own. @returns its folder */
export async function openTour(desk: WindowDesk, { signal, part }: TourOptions): Promise<string> {
  const { hub, session, workspaces } = desk
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    part({ kind: 'step', name, state: 'running' })
    try {
      const done = await work()
      part({ kind: 'step', name, state: 'done' })
      return done
    } catch (error) {
      part({ kind: 'step', name, state: 'failed' })
      throw error
    }
  }
  const folder = await step('Make a small Git repository', async () =>
    hub.ask(METHODS.makeTour, { folder: desk.tourFolder }, { signal }),
  )
  await step('Start the built-in cluster', async () => {
    await workspaces.opened(folder)
    await workspaces.choose(folder, EMBEDDED)
    await session.open(folder, EMBEDDED)
    await hub.ask(METHODS.startEmbedded, { session: await session.whenOpen() }, { signal })
  })
  for (const application of APPLICATIONS)
    await step(`Sync ${application}`, async () =>
      hub.ask(METHODS.sync, { session: await session.whenOpen(), application, prune: false }, { signal }),
    )
  await step('Change something in the cluster by hand, as people do', async () =>
    hub.ask(METHODS.driftTour, { session: await session.whenOpen() }, { signal }),
  )
  return folder
}
