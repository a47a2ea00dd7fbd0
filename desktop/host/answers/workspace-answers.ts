import path from 'node:path'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import { HostError } from '../host-error.ts'
import { openTour } from '../tour.ts'
import type { WindowDesk } from '../window-desk.ts'
import { readableFolder } from '../workspaces.ts'

const EMBEDDED = 'embedded'

/** What is open in the window, and opening something else. */
export function workspaceAnswers(desk: WindowDesk): HostAnswers {
  const { session, workspaces, platform } = desk
  return {
    hello: async () => platform.abilities,
    'workspace/state': async () => session.state(),
    'workspace/recent': async () => workspaces.recent(session.folder),
    'workspace/open': async ({ folder }) => {
      const wanted = folder ?? (await platform.pickFolder?.())
      return wanted === undefined ? null : openFolder(desk, wanted)
    },
    'workspace/context': async ({ context }) => {
      if (session.folder !== '') await workspaces.choose(session.folder, context)
      const state = await session.useContext(context)
      desk.tell({ kind: 'stale', what: 'contexts' })
      return state
    },
    'workspace/tour': async (_, { signal, part }) => {
      const folder = await openTour(desk, { signal, part })
      return { ...session.state(), workspace: folder }
    },
  }
}

/** Opens a folder that the person named, dropped or chose, on the context that was last used in it. @throws HostError */
export async function openFolder(desk: WindowDesk, named: string): Promise<ReturnType<WindowDesk['session']['state']>> {
  const { session, workspaces } = desk
  const found = await readableFolder(expandHome(named, desk.home))
  if ('problem' in found) throw new HostError('refused', found.problem)
  const { folder } = found
  await workspaces.opened(folder)
  const before = await workspaces.find(folder)
  return session.open(folder, before?.context ?? EMBEDDED)
}

/** `~/code` is how people write it where there is no dialog. */
function expandHome(folder: string, home: string): string {
  return folder === '~' || folder.startsWith('~/') ? path.join(home, folder.slice(1)) : folder
}
