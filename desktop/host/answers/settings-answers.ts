import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import { HostError } from '../host-error.ts'
import type { SettingKey } from '../settings.ts'
import type { WindowDesk } from '../window-desk.ts'

/** Settings that a session is opened with. */
const OF_SESSION: ReadonlySet<string> = new Set<SettingKey>(['kubeconfig', 'trustedManagers'])

export function settingsAnswers({ settings, platform, session, tell }: WindowDesk): HostAnswers {
  return {
    'settings/list': async () => settings.fields(platform.settings),
    'settings/set': async ({ key, value }) => {
      const offered = platform.settings.some((name) => name === key)
      if (!offered || !(await settings.set(key, value)))
        throw new HostError('params', `there is no setting ${key} of that kind`)
      tell({ kind: 'stale', what: 'settings' })
      if (OF_SESSION.has(key)) {
        tell({ kind: 'stale', what: 'contexts' })
        await session.reopen()
      }
      return null
    },
  }
}
