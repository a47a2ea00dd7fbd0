import type { MessageConnection, RequestType } from 'vscode-jsonrpc/node'
import type { Injection } from '../model/front.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Fault } from '../model/rehearsal.ts'
import { rehearsalShown } from '../view/rehearsal-rows.ts'
import type { FailureData } from './contract.ts'
import type { AgentHost } from './host.ts'
import { rehearsalEvent, REHEARSAL_METHODS } from './rehearsal-contract.ts'
import { syncRequestOf } from './sync-request.ts'

type Served = {
  readonly connection: MessageConnection
  readonly host: AgentHost
  readonly answer: <P, R>(
    type: RequestType<P, R, FailureData>,
    work: (params: P, options: Cancellable) => Promise<R>,
  ) => void
}

/** Answers for rehearsals. The embedded server is loaded with the first question. */
export function answerRehearsalMethods({ connection, host, answer }: Served): void {
  answer(REHEARSAL_METHODS.rehearse, async (params, options) => {
    const { rehearseOn } = await import('../session/rehearse-on.ts')
    const hosted = await host.get(params.session)
    const application = await hosted.application(params.application)
    const { id, rehearsal, dispose } = await rehearseOn(params.on, hosted.session, application, {
      ...options,
      ...(params.revision === undefined ? {} : { revision: params.revision }),
      request: syncRequestOf(params, false),
      faults: params.inject.map(faultOf),
      report: (event) => {
        // The report itself is the answer.
        if (event.kind === 'ended') return
        connection.sendNotification(rehearsalEvent, { ticket: params.ticket, event }).catch(() => undefined)
      },
    })
    await dispose()
    return rehearsalShown(id, rehearsal)
  })
  answer(REHEARSAL_METHODS.rehearsals, async ({ application }) => {
    const { rehearsalArchive } = await import('../session/rehearse.ts')
    const kept = await rehearsalArchive().list()
    const wanted = kept.filter(({ rehearsal }) => application === undefined || rehearsal.application === application)
    return wanted.map(({ id, rehearsal }) => rehearsalShown(id, rehearsal))
  })
  answer(REHEARSAL_METHODS.rehearsal, async ({ id }) => {
    const { rehearsalArchive } = await import('../session/rehearse.ts')
    return (await rehearsalArchive().list()).find((one) => one.id === id)?.rehearsal ?? null
  })
}

/** What a person asks to break, in the rehearsal's own words; where they name nothing, all of its kind. */
export function faultOf({ kind, on }: Injection): Fault {
  const what = on === '' ? '*' : on
  switch (kind) {
    case 'image-pull':
      return { kind: 'image', pattern: what }
    case 'hook-fails':
      return { kind: 'hook', name: what }
    case 'quota':
      return { kind: 'quota', namespace: what }
    case 'webhook-down':
      return { kind: 'webhook', pattern: what }
  }
}
