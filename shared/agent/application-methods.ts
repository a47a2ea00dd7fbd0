import type { RequestType } from 'vscode-jsonrpc/node'
import type { Pass } from '../core/status.ts'
import type { Cancellable } from '../model/ports.ts'
import { rollback } from '../session/rollback.ts'
import { APPLICATION_METHODS } from './application-contract.ts'
import type { FailureData, SyncResult } from './contract.ts'
import { deleteResource } from './delete-resource.ts'
import { previewEdit } from './edit-preview.ts'
import { applicationText, inspectFolder, writeApplication } from './new-application.ts'
import { containersOf, readLogs } from './read-logs.ts'
import { eventsOf } from './read-events.ts'
import { historyLines } from './read-history.ts'
import type { AgentHost } from './host.ts'
import { desiredYaml, diffsOf } from './read-diffs.ts'

/** Where the answers of a group of methods are given. */
export type Answering = {
  readonly host: AgentHost
  readonly answer: <P, R>(
    type: RequestType<P, R, FailureData>,
    work: (params: P, options: Cancellable) => Promise<R>,
  ) => void
}

/** Answers what may be asked about one application besides its syncs. */
export function answerApplicationMethods({ host, answer }: Answering): void {
  const methods = APPLICATION_METHODS
  answer(methods.history, async ({ session, application }, options) =>
    historyLines(await host.get(session), application, options),
  )
  answer(methods.rollback, async ({ session, application, ...asked }, options) => {
    const hosted = await host.get(session)
    const work = asked.dryRun
      ? rollback(hosted.session, await hosted.application(application), { ...asked, ...options })
      : hosted.acting(application, async (found, report) =>
          rollback(hosted.session, found, { ...asked, ...options, report }),
        )
    const { entry, pass } = await work
    return { entry, ...resultOf(pass) }
  })
  answer(methods.terminate, async ({ session, application }, options) => {
    const hosted = await host.get(session)
    const store = await hosted.session.store(await hosted.application(application))
    return store.terminate(application, options)
  })
  answer(methods.events, async ({ session, ...params }, options) => eventsOf(await host.get(session), params, options))
  answer(methods.containers, async ({ session, ...params }, options) =>
    containersOf(await host.get(session), params, options),
  )
  answer(methods.logs, async ({ session, ...params }, options) => readLogs(await host.get(session), params, options))
  answer(methods.deleteResource, async ({ session, ...params }, options) => {
    await deleteResource(await host.get(session), params, options)
    return null
  })
  answer(methods.diff, async ({ session, application, keys }, options) =>
    diffsOf(await (await host.get(session)).pass(application, options), keys),
  )
  answer(methods.desired, async ({ session, application, id }, options) =>
    desiredYaml(await (await host.get(session)).pass(application, options), id),
  )
  answer(methods.inspectFolder, async ({ session, folder }, options) =>
    inspectFolder(await host.get(session), folder, options),
  )
  answer(methods.draft, async (form) => applicationText(form))
  answer(methods.create, async ({ session, file, form }) => writeApplication(await host.get(session), file, form))
  answer(methods.preview, async ({ session, ...params }, options) =>
    previewEdit(await host.get(session), params, options),
  )
}

/** What crosses the wire of a pass that acted, or planned to. */
export function resultOf({ snapshot, outcome, plan }: Pass): SyncResult {
  return { snapshot, ...(outcome === undefined ? {} : { outcome }), ...(plan === undefined ? {} : { plan }) }
}
