import assert from 'node:assert/strict'
import test from 'node:test'
import { ApiServer, adminUser } from '../../../../shared/simulator/api-server.ts'
import { MemoryStore } from '../../../../shared/simulator/storage/memory-store.ts'
import { body, bytes, entry, metadata, number } from './encode.ts'

// Each answer was given by kube-apiserver v1.36.2 to the same bytes, custom resources aside.
const configMaps = '/api/v1/namespaces/default/configmaps'
const mediaType = 'application/vnd.kubernetes.protobuf'

function start(): (method: string, path: string, sent: Buffer | object, media?: string) => Record<string, unknown> {
  const server = new ApiServer({ store: new MemoryStore(), tokens: { t: adminUser } })
  const send = (method: string, path: string, sent: Buffer | object, media = mediaType): Record<string, unknown> => {
    const headers = { authorization: 'Bearer t', 'content-type': media }
    const answer = server.handle({ method, path, headers, body: sent })
    assert.equal(answer.kind, 'json')
    return answer.kind === 'json' ? (JSON.parse(JSON.stringify(answer.body)) as Record<string, unknown>) : {}
  }
  send(
    'POST',
    '/api/v1/namespaces',
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } },
    'application/json',
  )
  return send
}

function saysOf(answer: Record<string, unknown>): unknown {
  return [answer['code'], answer['message']]
}

test('an object sent as protobuf is created, replaced, owned and deleted', () => {
  const send = start()
  const sent = body('v1', 'ConfigMap', metadata('a'), entry(2, 'k', 'v'))
  const created = send('POST', `${configMaps}?fieldManager=me`, sent)
  assert.deepEqual([created['kind'], created['data']], ['ConfigMap', { k: 'v' }])
  const { managedFields } = created['metadata'] as { managedFields: { manager: string; fieldsV1: unknown }[] }
  assert.deepEqual(
    managedFields.map(({ manager, fieldsV1 }) => [manager, fieldsV1]),
    [['me', { 'f:data': { '.': {}, 'f:k': {} } }]],
  )
  const replaced = send('PUT', `${configMaps}/a`, body('v1', 'ConfigMap', metadata('a'), bytes(2, bytes(1, 'empty'))))
  assert.deepEqual(replaced['data'], { empty: '' })
  const gone = send('DELETE', `${configMaps}/a`, body('v1', 'DeleteOptions', number(1, 0)))
  assert.equal(gone['status'], 'Success')
})

test('a body that cannot be read is refused in the words of the server', () => {
  const send = start()
  const cases: readonly (readonly [Buffer, string])[] = [
    [
      Buffer.from('hello there, this is not protobuf at all'),
      'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (68656c6c6f2074686572652c2074686973206973206e6f742070726f746f ...)',
    ],
    [Buffer.from('k8s\0'), 'the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)'],
    [
      body('v1', 'ConfigMap', Buffer.from([0x0a, 0x05])),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: unexpected EOF',
    ],
    [
      body('v1', 'ConfigMap', number(1, 3)),
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field ObjectMeta',
    ],
    [
      body('v1', 'Secret', metadata('a')),
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    [
      body('v1', 'Foo', metadata('a')),
      'Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
    ],
  ]
  for (const [sent, message] of cases) assert.deepEqual(saysOf(send('POST', configMaps, sent)), [400, message])
  send('POST', configMaps, body('v1', 'ConfigMap', metadata('a')))
  const refused = send('DELETE', `${configMaps}/a`, body('v1', 'DeleteOptions', Buffer.from([8])))
  assert.deepEqual(saysOf(refused), [400, 'unexpected EOF'])
})

test('a subresource takes its own kind only, as protobuf and as JSON', () => {
  const send = start()
  const pod = bytes(2, bytes(2, bytes(1, 'c'), bytes(2, 'image')))
  send('POST', '/api/v1/namespaces/default/pods', body('v1', 'Pod', metadata('p'), pod))
  const path = '/api/v1/namespaces/default/pods/p/eviction'
  const message =
    'Pod in version "v1" cannot be handled as a Eviction: converting (v1.Pod) to (policy.Eviction): unknown conversion'
  assert.deepEqual(saysOf(send('POST', path, body('v1', 'Pod', metadata('p'), pod))), [400, message])
  const json = Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }))
  assert.deepEqual(saysOf(send('POST', path, json, 'application/json')), [400, message])
  assert.equal(send('POST', path, body('policy/v1', 'Eviction', metadata('p')))['status'], 'Success')
})
