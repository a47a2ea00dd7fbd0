import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { AgentClient, type AgentState } from '../../shared/agent/client.ts'
import type { SessionEvent } from '../../shared/agent/contract.ts'
import type { RehearsalEvent } from '../../shared/model/rehearsal.ts'

const main = path.resolve(import.meta.dirname, '../../shared/agent/main.ts')

export type TestAgent = {
  readonly client: AgentClient
  readonly states: readonly AgentState[]
  readonly events: readonly SessionEvent[]
  readonly rehearsals: readonly { readonly ticket: string; readonly event: RehearsalEvent }[]
  /** The folder that its state is kept below. */
  readonly home: string
  /** Waits until a condition over what was told holds. */
  until(what: string, holds: () => boolean): Promise<void>
  untilRunning(): Promise<number>
}

/** The real agent in its own process, over state of its own, ended with the test. */
export async function startTestAgent(
  t: TestContext,
  options: { readonly share?: boolean; readonly home?: string; readonly main?: string } = {},
): Promise<TestAgent> {
  const home = options.home ?? (await mkdtemp(path.join(tmpdir(), 'plumbline-agent-')))
  const states: AgentState[] = []
  const events: SessionEvent[] = []
  const rehearsals: { readonly ticket: string; readonly event: RehearsalEvent }[] = []
  const client = new AgentClient({
    node: process.execPath,
    main: options.main ?? main,
    env: { ...process.env, XDG_STATE_HOME: home, KUBECONFIG: path.join(home, 'no-kubeconfig') },
    share: options.share ?? false,
    onState: (state) => void states.push(state),
    onEvent: (_, event) => void events.push(event),
    onRehearsalEvent: (ticket, event) => void rehearsals.push({ ticket, event }),
  })
  t.after(async () => {
    client.dispose()
    if (options.home === undefined) await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })
  const until = async (what: string, holds: () => boolean): Promise<void> => {
    const end = Date.now() + 30_000
    while (!holds()) {
      if (Date.now() > end) throw new Error(`waited too long for ${what}; the agent: ${JSON.stringify(states.at(-1))}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const untilRunning = async (): Promise<number> => {
    await until('a running agent', () => states.at(-1)?.kind === 'running')
    const state = states.at(-1)
    return state?.kind === 'running' ? state.pid : 0
  }
  client.start()
  return { client, states, events, rehearsals, home, until, untilRunning }
}
