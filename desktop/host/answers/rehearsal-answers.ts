import { METHODS } from '../../../shared/agent/contract.ts'
import type { HostAnswers } from '../../../shared/view/host-channel.ts'
import type { WindowDesk } from '../window-desk.ts'

/** The rehearsals that are kept on this machine. @param rehearse what the panel does; the list is another one after it */
export function rehearsalAnswers(
  { hub, tell }: WindowDesk,
  rehearse: HostAnswers['application/rehearse'],
): HostAnswers {
  return {
    'rehearsals/list': async (_, { signal }) => hub.ask(METHODS.rehearsals, {}, { signal }),
    ...(rehearse === undefined
      ? {}
      : {
          'application/rehearse': async (params, options) => {
            const shown = await rehearse(params, options)
            tell({ kind: 'stale', what: 'rehearsals' })
            return shown
          },
        }),
  }
}
