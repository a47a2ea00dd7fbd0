import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import type { WindowDesk } from '../window-desk.ts'

/** What reaches a person's editor; nothing where the platform opens no files. */
export function fileAnswers({ platform, session }: WindowDesk): HostAnswers {
  const { openFile } = platform
  if (openFile === undefined) return {}
  return {
    'open/place': async ({ file }) => {
      await openFile(await session.root(), file)
      return null
    },
  }
}
