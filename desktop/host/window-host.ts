import { hostFailureOf, panelAnswers } from '../../shared/agent/panel-answers.ts'
import type { HostMethod, HostEvent, HostFailure } from '../../shared/view/host.ts'
import { openHostChannel, type HostAnswers, type HostChannel } from '../../shared/view/host-channel.ts'
import { applicationAnswers } from './answers/application-answers.ts'
import { clusterAnswers } from './answers/cluster-answers.ts'
import { contextAnswers } from './answers/context-answers.ts'
import { fileAnswers } from './answers/file-answers.ts'
import { keyAnswers } from './answers/key-answers.ts'
import { rehearsalAnswers } from './answers/rehearsal-answers.ts'
import { handOver, repositoryAnswers } from './answers/repository-answers.ts'
import { settingsAnswers } from './answers/settings-answers.ts'
import { openFolder, workspaceAnswers } from './answers/workspace-answers.ts'
import type { Channel } from './channel.ts'
import { isProduction } from './contexts.ts'
import { HostError } from './host-error.ts'
import { PARAMS } from './params.ts'
import type { Platform } from './platform.ts'
import type { Services, WindowDesk } from './window-desk.ts'
import { WindowSession } from './window-session.ts'

/** One window: what its page asks is checked and answered here, whatever carries the messages. */
export class WindowHost {
  readonly session: WindowSession
  readonly #desk: WindowDesk
  readonly #channel: HostChannel
  readonly #stop: () => void
  #listener: (event: HostEvent) => void = () => undefined

  constructor(services: Services, platform: Platform, channel: Channel) {
    const { hub, settings } = services
    const tell = (event: HostEvent): void => this.tell(event)
    this.session = new WindowSession({
      hub,
      tell,
      common: async () => {
        const { kubeconfig, trustedManagers: trusted } = await settings.get()
        return { trusted, ...(kubeconfig === '' ? {} : { kubeconfig }) }
      },
      isProduction: async (context) => isProduction(services, context),
    })
    this.#desk = { ...services, platform, session: this.session, tell }
    this.#channel = openHostChannel(checked(answersOf(this.#desk)), (text) => channel.send(text), failureOf)
    this.#stop = hub.onState((state) => {
      if (state.kind === 'running') void handOver(this.#desk).catch(() => undefined)
      if (state.kind === 'running') tell({ kind: 'agent', state: 'running', message: '' })
      if (state.kind === 'waiting') tell({ kind: 'agent', state: 'restarting', message: state.reason })
    })
    channel.onText((text) => this.#channel.receive(text))
    channel.onEnd(() => this.dispose())
  }

  tell(event: HostEvent): void {
    this.#channel.tell(event)
    this.#listener(event)
  }

  /** Lets the app around the window see what the page is told. */
  onEvent(listener: (event: HostEvent) => void): void {
    this.#listener = listener
  }

  /** Opens a folder that was dropped, chosen in a menu or named at the start. */
  async openFolder(folder: string): Promise<void> {
    const before = this.session.folder
    if (before === '') this.session.expect(folder)
    try {
      await openFolder(this.#desk, folder)
    } catch (error) {
      if (before === '') this.session.giveUp()
      this.tell({ kind: 'toast', severity: 'error', text: failureOf(error).message })
    }
  }

  dispose(): void {
    this.#stop()
    this.#channel.dispose()
    this.session.dispose()
  }
}

function answersOf(desk: WindowDesk): HostAnswers {
  const { session, platform } = desk
  const panel = panelAnswers(
    {
      ask: desk.hub.ask,
      abilities: platform.abilities,
      session: () => session.id,
      contextOf: (application) => session.contextOf(application),
      isProduction: async (context) => isProduction(desk, context),
      lastSnapshot: (application) => session.snapshot(application),
    },
    session.watched,
  )
  return {
    ...panel,
    ...workspaceAnswers(desk),
    ...applicationAnswers(desk),
    ...rehearsalAnswers(desk, panel['application/rehearse']),
    ...clusterAnswers(desk),
    ...contextAnswers(desk),
    ...repositoryAnswers(desk),
    ...keyAnswers(desk),
    ...fileAnswers(desk),
    ...settingsAnswers(desk),
  }
}

/** The same answers, none of which sees parameters that its method does not take. */
function checked(answers: HostAnswers): HostAnswers {
  const entries = Object.entries(answers) as [HostMethod, (params: unknown, options: unknown) => Promise<unknown>][]
  const guarded = entries.map(([method, answer]) => [
    method,
    async (params: unknown, options: unknown) => {
      if (!PARAMS[method](params)) throw new HostError('params', `${method} was asked with what it does not take`)
      return answer(params, options)
    },
  ])
  return Object.fromEntries(guarded) as HostAnswers
}

export function failureOf(error: unknown): HostFailure {
  return HostError.is(error) ? { message: error.message, reason: error.reason } : hostFailureOf(error)
}
