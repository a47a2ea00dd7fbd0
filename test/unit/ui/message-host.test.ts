import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import test from 'node:test'
import { HostError, MessageHost, type TextChannel } from '../../../shared/ui/message-host.ts'
import { openHostChannel, type HostAnswers, type HostChannel } from '../../../shared/view/host-channel.ts'

/** Both ends of the port, back to back. */
function connected(answers: HostAnswers): { readonly host: MessageHost; readonly front: HostChannel } {
  let listener: ((text: string) => void) | undefined
  const front = openHostChannel(
    answers,
    (text) => listener?.(text),
    (error) => ({ message: error instanceof Error ? error.message : 'no error', reason: 'failed' }),
  )
  const channel: TextChannel = {
    send: (text) => front.receive(text),
    onText: (next) => (listener = next),
    getState: () => undefined,
    setState: () => undefined,
  }
  return { host: new MessageHost(channel), front }
}

test('an answer comes back to who asked, integers beyond 2^53 exact', async () => {
  const { host } = connected({
    'application/object': async ({ side }) => `side ${side}`,
    'settings/list': async () => [
      {
        key: 'k',
        title: '',
        description: '',
        kind: 'text',
        choices: [],
        value: 9007199254740993n as never,
        required: true,
      },
    ],
  })
  const id = { group: '', kind: 'Pod', namespace: 'n', name: 'p' }
  assert.equal(
    await host.request('application/object', { application: 'a', id, version: 'v1', side: 'live' }),
    'side live',
  )
  const [field] = await host.request('settings/list', null)
  assert.equal(field?.value, 9007199254740993n)
})

test('parts come before the result, and none after a cancel', async () => {
  let give: ((text: string) => void) | undefined
  const { host } = connected({
    'application/logs': async (_, { part, signal }) => {
      give = (text) => part([{ pod: 'p', container: 'c', time: '', text }])
      give('one')
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      return null
    },
  })
  const abort = new AbortController()
  const seen: string[] = []
  const pod = { group: '', kind: 'Pod', namespace: 'n', name: 'p' }
  const asked = host.request(
    'application/logs',
    { application: 'a', pod, tail: 10 },
    { signal: abort.signal, onPart: (lines) => seen.push(...lines.map(({ text }) => text)) },
  )
  await turn()
  give?.('two')
  abort.abort()
  await assert.rejects(asked, (error) => HostError.is(error, 'cancelled'))
  give?.('three')
  assert.deepEqual(seen, ['one', 'two'])
})

test('what a front does not offer is refused as unsupported, and a failure keeps its words', async () => {
  const { host } = connected({
    'keys/list': async () => {
      throw new Error('the folder cannot be read')
    },
  })
  await assert.rejects(host.request('clusters/list', null), (error) => HostError.is(error, 'unsupported'))
  await assert.rejects(host.request('keys/list', null), { message: 'the folder cannot be read', reason: 'failed' })
})

test('text that is no message is dropped', async () => {
  const asked: string[] = []
  const { front } = connected({ hello: async () => (asked.push('hello'), null as never) })
  const bad = ['', '{', 'null', '[]', '{"kind":"request"}', '{"kind":"request","id":"1","method":"hello"}']
  for (const text of [...bad, '{"kind":"request","id":1e400,"method":"hello"}', 'x'.repeat(1_000_001)])
    front.receive(text)
  front.receive('{"kind":"request","id":1,"method":"__proto__"}')
  await turn()
  assert.deepEqual(asked, [])
})

test('a front that is gone leaves nobody waiting', async () => {
  const { host } = connected({ 'keys/list': async () => new Promise(() => undefined) })
  const asked = host.request('keys/list', null)
  host.lost('the connection closed')
  await assert.rejects(asked, { message: 'the connection closed', reason: 'gone' })
})
