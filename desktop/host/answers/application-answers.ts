import { METHODS } from '../../../shared/agent/contract.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import type { WindowDesk } from '../window-desk.ts'

/** The list of applications, and making a new one. */
export function applicationAnswers({ session, hub, workspaces }: WindowDesk): HostAnswers {
  return {
    'applications/watch': async () => session.watchList(),
    'applications/views': async () => (await workspaces.find(session.folder))?.views ?? [],
    'applications/save-views': async ({ views }) => {
      if (session.folder !== '') await workspaces.saveViews(session.folder, views)
      return null
    },
    'applications/folders': async (_, { signal }) =>
      hub.ask(METHODS.folders, { session: await session.whenOpen() }, { signal }),
    'applications/create': async ({ file, revision, ...form }, { signal }) => {
      const params = {
        session: await session.whenOpen(),
        file,
        form: { ...form, repoURL: '.', targetRevision: revision, recurse: false },
      }
      return { file: await hub.ask(METHODS.create, params, { signal }), line: 1, column: 1 }
    },
  }
}
