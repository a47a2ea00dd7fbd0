import { existsSync } from 'node:fs'
import path from 'node:path'
import type { RequestType } from 'vscode-jsonrpc/node'
import type { Cancellable } from '../model/ports.ts'
import { addKeyText } from '../session/key-store.ts'
import { keyFolder } from '../session/keyring.ts'
import { listRepositories, testRemote } from '../session/repositories.ts'
import { driftByHand, makeTourRepository, tourExamples } from '../session/tour-repository.ts'
import { AgentError } from './agent-error.ts'
import type { FailureData } from './contract.ts'
import type { AgentHost } from './host.ts'
import { offerFolders } from './offer-folders.ts'
import { WINDOW_METHODS } from './window-contract.ts'

type Served = {
  readonly host: AgentHost
  readonly answer: <P, R>(
    type: RequestType<P, R, FailureData>,
    work: (params: P, options: Cancellable) => Promise<R>,
  ) => void
}

/** Answers what the window asks beside what the editor asks. */
export function answerWindowMethods({ host, answer }: Served): void {
  answer(WINDOW_METHODS.folders, async ({ session }, options) => offerFolders((await host.get(session)).root, options))
  answer(WINDOW_METHODS.repositories, async ({ session }) => {
    const hosted = await host.get(session)
    const applications = (await hosted.all()).map(({ application }) => application)
    return listRepositories(hosted.session.source, applications)
  })
  answer(WINDOW_METHODS.testRepository, async ({ url }, options) => testRemote(url, host.credentials, options))
  answer(WINDOW_METHODS.setCredentials, async ({ credentials }) => {
    host.credentials.replace(credentials)
    return null
  })
  answer(WINDOW_METHODS.addKeyText, async ({ text, name }) => {
    const added = await addKeyText(text, name, keyFolder())
    if (added.kind === 'added') return added.file
    throw new AgentError('failed', added.problem, added.kind)
  })
  answer(WINDOW_METHODS.makeTour, async ({ folder }) => {
    const examples = tourExamples()
    if (examples === undefined) throw new AgentError('failed', 'the tour was not shipped with this program', 'no-tour')
    // A person may have gone on with it since.
    if (!existsSync(path.join(folder, '.git', 'HEAD'))) await makeTourRepository(examples, folder)
    return folder
  })
  answer(WINDOW_METHODS.driftTour, async ({ session }, options) => {
    const hosted = await host.get(session)
    await driftByHand(await hosted.session.clusterOf(await hosted.application('shop')), options)
    return null
  })
}
