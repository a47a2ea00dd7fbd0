import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { AgentError } from '../../../shared/agent/agent-error.ts'
import { METHODS } from '../../../shared/agent/contract.ts'
import { startTestAgent } from '../../support/agent-client.ts'

test('an agent that is killed is started again, and answers again', async (t) => {
  const agent = await startTestAgent(t)
  const first = await agent.untilRunning()
  process.kill(first, 'SIGKILL')
  await agent.until('its end', () => agent.states.some(({ kind }) => kind === 'waiting'))
  const second = await agent.untilRunning()
  assert.notEqual(second, first)
  const contexts = await agent.client.ask(METHODS.contexts, {})
  assert.deepEqual(
    contexts.map(({ name, simulated }) => ({ name, simulated })),
    [{ name: 'embedded', simulated: true }],
  )
})

test('an agent that ends at once is tried at growing intervals, and says why it ended', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-agent-broken-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const main = path.join(folder, 'broken.mjs')
  await writeFile(main, 'console.error("it is broken on purpose"); process.exit(3)')
  const agent = await startTestAgent(t, { main })
  const waits = (): readonly { readonly reason: string; readonly retryMs: number }[] =>
    agent.states.flatMap((state) => (state.kind === 'waiting' ? [state] : []))
  await agent.until('three failures', () => waits().length >= 3)
  assert.deepEqual(
    waits()
      .slice(0, 3)
      .map(({ retryMs }) => retryMs),
    [250, 500, 1000],
  )
  assert.match(waits()[0]?.reason ?? '', /status 3: it is broken on purpose/)
})

test('a second window shares the agent of the first, over a socket that only its user can open', async (t) => {
  if (process.platform === 'win32') return t.skip('skipped: no private sockets on Windows')
  const home = await mkdtemp(path.join(tmpdir(), 'plumb-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const first = await startTestAgent(t, { home, share: true })
  const pid = await first.untilRunning()
  const second = await startTestAgent(t, { home, share: true })
  assert.equal(await second.untilRunning(), pid)
  assert.equal(second.states.at(-1)?.kind === 'running' && second.states.at(-1), second.states.at(-1))
  const folder = path.join(home, 'plumbline', 'agent')
  assert.equal((await stat(folder)).mode & 0o777, 0o700)

  // The window that started it closes: the other one goes on with an agent of its own.
  first.client.dispose()
  await second.until('a new agent', () => {
    const state = second.states.at(-1)
    return state?.kind === 'running' && state.pid !== pid
  })
})

test('a socket in a folder that others may enter is not trusted', async (t) => {
  if (process.platform === 'win32') return t.skip('skipped: no private sockets on Windows')
  const home = await mkdtemp(path.join(tmpdir(), 'plumb-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const first = await startTestAgent(t, { home, share: true })
  const pid = await first.untilRunning()
  await chmod(path.join(home, 'plumbline', 'agent'), 0o755)
  const second = await startTestAgent(t, { home, share: true })
  assert.notEqual(await second.untilRunning(), pid)
})

test('what is not open is refused by name', async (t) => {
  const agent = await startTestAgent(t)
  await agent.untilRunning()
  await assert.rejects(
    agent.client.ask(METHODS.subscribe, { session: 'session-9' }),
    (error) => AgentError.is(error, 'no-session') && error.message === 'the agent has no session session-9',
  )
})
