import { METHODS } from '../../../shared/agent/contract.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import type { WindowDesk } from '../window-desk.ts'

/** Keys whose signatures are trusted. */
export function keyAnswers({ hub, tell }: WindowDesk): HostAnswers {
  return {
    'keys/list': async (_, { signal }) => hub.ask(METHODS.keys, null, { signal }),
    'keys/add': async (params, { signal }) => {
      const added = await hub.ask(METHODS.addKeyText, params, { signal })
      tell({ kind: 'stale', what: 'keys' })
      return added
    },
    'keys/remove': async ({ fingerprint }, { signal }) => {
      const removed = await hub.ask(METHODS.removeKey, { id: fingerprint }, { signal })
      tell({ kind: 'stale', what: 'keys' })
      return removed
    },
  }
}
