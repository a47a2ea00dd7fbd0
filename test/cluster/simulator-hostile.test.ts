// Bad input gets the answer that kube-apiserver gives, and the process lives.
import assert from 'node:assert/strict'
import { connect } from 'node:tls'
import test from 'node:test'
import type { TestContext } from 'node:test'
import { startServer } from '../../shared/simulator/server.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { converse } from '../support/differential-conversation.ts'
import type { Pair } from '../support/differential-conversation.ts'
import { hostileBodies } from '../support/differential-hostile.ts'
import { hostilePaths } from '../support/differential-hostile-paths.ts'
import { setUp } from '../support/differential-setup.ts'
import type { Answer } from '../support/differential-step.ts'
import { DifferentialTarget } from '../support/differential-target.ts'
import { missingTools } from '../support/tools/find.ts'

test('bad input', { skip: missingTools('etcd', 'kube-apiserver') }, async (t) => {
  const plane = await startControlPlane()
  t.after(() => plane.stop())
  const internal: unknown[] = []
  const server = await startServer({ controllers: false, onError: (error) => internal.push(error) })
  t.after(() => server.close())
  const pair: Pair = { real: new DifferentialTarget(plane), ours: new DifferentialTarget(server) }
  t.after(() => Promise.all([pair.real.close(), pair.ours.close()]))
  await setUp(pair.real)
  await setUp(pair.ours)
  for (const [name, talk] of Object.entries({ ...hostileBodies, ...hostilePaths })) {
    await t.test(`${name}: as kube-apiserver answers`, async () => {
      const told = (await converse(pair, talk)).map(({ index, difference }) => {
        const step = talk[index]
        const lines = [...difference.body, ...difference.messages].join('\n  ')
        return `${step?.method} ${step?.path.slice(0, 160)} ${step?.type ?? ''} ${step?.raw?.slice(0, 160) ?? ''}\n  ${lines}`
      })
      assert.ok(told.length === 0, `${told.length} of ${talk.length} differ\n${told.join('\n')}`)
    })
  }
  await t.test('writers at once: nothing is lost, the rest is told of the conflict', () => racingWriters(pair))
  await t.test('bytes that are no HTTP end their connection only', (t) => garbage(t, server.url))
  assert.deepEqual(internal, [])
  assert.equal(Reflect.get({}, 'polluted'), undefined)
  assert.equal((await pair.ours.call({ method: 'GET', path: '/api/v1/namespaces/default' })).status, 200)
})

const overdue = 'Timeout: request did not complete within requested timeout - context deadline exceeded'
const many = (item: string, count: number): string => Array.from({ length: count }, () => item).join(',')
const costly: readonly (readonly [name: string, path: string, body: string])[] = [
  ['a million containers', 'pods', `{"spec":{"containers":[${many('{}', 1_000_000)}]}}`],
  ['a hundred thousand containers', 'pods', `{"spec":{"containers":[${many('{}', 100_000)}]}}`],
  ['a million ports', 'services', `{"spec":{"ports":[${many('{}', 1_000_000)}]}}`],
  ['a hundred thousand bad finalizers', 'configmaps', `{"metadata":{"finalizers":[${many('"!"', 100_000)}]}}`],
  [
    'a quantity of millions of digits',
    'persistentvolumeclaims',
    `{"spec":{"resources":{"requests":{"storage":"${'9'.repeat(2_900_000)}"}}}}`,
  ],
]

// kube-apiserver v1.36.2 works on each of these until its time is over: 34 s, or 60 s for the quantity.
test('a body made to be costly ends as kube-apiserver ends it, only sooner', async (t) => {
  const server = await startServer({ controllers: false })
  const target = new DifferentialTarget(server)
  t.after(async () => {
    await target.close()
    await server.close()
  })
  for (const [name, resource, raw] of costly) {
    await t.test(name, async () => {
      const answer = await target.call({ method: 'POST', path: `/api/v1/namespaces/default/${resource}`, raw })
      assert.equal(answer.status, 504)
      assert.equal((answer.body as { readonly message: string }).message, overdue)
    })
  }
  assert.equal((await target.call({ method: 'GET', path: '/api/v1/namespaces/default' })).status, 200)
})

/** Several clients that count up one value, each on what it read: the sum is what was accepted. */
async function racingWriters({ real, ours }: Pair): Promise<void> {
  for (const target of [real, ours]) {
    const path = '/api/v1/namespaces/default/configmaps/counter'
    const collection = '/api/v1/namespaces/default/configmaps'
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'counter' }, data: { n: '0' } }
    assert.equal((await target.call({ method: 'POST', path: collection, body })).status, 201)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => countUp(target, path, 10)))
    const accepted = outcomes.flat().filter((status) => status === 200).length
    assert.deepEqual(
      [...new Set(outcomes.flat())].sort((a, b) => a - b),
      accepted === 80 ? [200] : [200, 409],
    )
    assert.equal(countOf(await target.call({ method: 'GET', path })), accepted)
  }
}

async function countUp(target: DifferentialTarget, path: string, times: number): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const live = await target.call({ method: 'GET', path })
    const next = { ...(live.body as object), data: { n: String(countOf(live) + 1) } }
    statuses.push((await target.call({ method: 'PUT', path, raw: JSON.stringify(next) })).status)
  }
  return statuses
}

function countOf({ body }: Answer): number {
  return Number((body as { readonly data: { readonly n: string } }).data.n)
}

async function garbage(t: TestContext, url: string): Promise<void> {
  const { port } = new URL(url)
  const sent = [
    '\u0000\u0001\u0002\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET /${'a'.repeat(2 ** 21)} HTTP/1.1\r\n\r\n`,
  ]
  for (const bytes of sent) {
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false })
    t.after(() => socket.destroy())
    const said = await new Promise<string>((resolve) => {
      let text = ''
      socket.on('data', (data: Buffer) => (text += data.toString('latin1')))
      socket.on('close', () => resolve(text))
      socket.on('error', () => resolve(text))
      socket.end(bytes, 'latin1')
    })
    assert.match(said, /^(?:$|HTTP\/1\.1 4\d\d )/u)
  }
}
