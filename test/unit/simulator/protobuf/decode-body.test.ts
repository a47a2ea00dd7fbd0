import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import discovery from '../../../../shared/kubernetes/discovery-v1.36.json' with { type: 'json' }
import table from '../../../../shared/kubernetes/protobuf-v1.36.json' with { type: 'json' }
import { decodeProtobuf, ProtobufBodyError } from '../../../../shared/simulator/protobuf/decode-body.ts'
import { messageOfKind, messageType } from '../../../../shared/simulator/protobuf/message-types.ts'
import { body, bytes, entry, metadata, number } from './encode.ts'

interface Encoded {
  /** In base64. */
  readonly body: string
  readonly json?: object
  readonly error?: string
}

function fixture(name: string): readonly Encoded[] {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as readonly Encoded[]
}

function check(encoded: Buffer, expected: unknown): void {
  assert.deepEqual(decodeProtobuf(encoded, { kind: 'ConfigMap', apiVersion: 'v1' }), expected)
}

function refused(encoded: Buffer, message: string): void {
  assert.throws(
    () => decodeProtobuf(encoded, { kind: 'ConfigMap', apiVersion: 'v1' }),
    (error: unknown) => {
      assert.ok(ProtobufBodyError.is(error), String(error))
      assert.equal(error.message, message)
      return true
    },
  )
}

const names = { kind: 'ConfigMap', apiVersion: 'v1' }

test('objects of every kind that Go encoded read as Go writes them in JSON', () => {
  const kinds = new Set<unknown>()
  for (const { body: base64, json = {} } of fixture('objects-encoded')) {
    const decoded = decodeProtobuf(Buffer.from(base64, 'base64'), { kind: '' })
    assert.deepEqual(decoded, json)
    assert.equal(JSON.stringify(Object.keys(decoded)), JSON.stringify(Object.keys(json)), 'the order of fields')
    kinds.add(`${String(decoded['apiVersion'])} ${String(decoded['kind'])}`)
  }
  assert.equal(kinds.size, Object.keys(table.kinds).length)
})

test('damaged bodies are refused in the words of the decoder in Go', () => {
  for (const { body: base64, error = '' } of fixture('bodies-damaged')) refused(Buffer.from(base64, 'base64'), error)
})

test('every kind that the server takes has its message, and every message is whole', () => {
  for (const document of Object.values(discovery)) {
    if (!('resources' in document)) continue
    for (const { kind, verbs, ...resource } of document.resources) {
      const { group = '', version: own } = resource as { readonly group?: string; readonly version?: string }
      const version = own === undefined ? document.groupVersion : joined(group, own)
      const hasBody = ['create', 'update'].some((verb) => verbs.includes(verb)) && !kind.endsWith('Options')
      if (hasBody) assert.ok(messageOfKind(version, kind), `${version} ${kind}`)
    }
  }
  for (const name of Object.keys(table.messages)) {
    for (const field of messageType(name).fields) {
      let type = field.type
      while ('of' in type) type = type.of
      if (type.kind === 'message') assert.ok(messageType(type.name).fields.length >= 0)
    }
  }
})

function joined(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}

test('what the envelope leaves out is filled in, and odd versions count as left out', () => {
  const raw = [metadata('a'), entry(2, 'k', 'v')]
  const expected = { ...names, metadata: { name: 'a' }, data: { k: 'v' } }
  check(body('v1', 'ConfigMap', ...raw), expected)
  check(body('', 'ConfigMap', ...raw), expected)
  check(body('v1', '', ...raw), expected)
  check(body('', '', ...raw), expected)
  check(body('a/b/c', 'ConfigMap', ...raw), expected)
  assert.equal(decodeProtobuf(body('', ''), { kind: 'Eviction' })['apiVersion'], 'policy/v1')
  assert.deepEqual(decodeProtobuf(body('apps/v1', 'DeleteOptions', number(1, 5)), { kind: 'DeleteOptions' }), {
    kind: 'DeleteOptions',
    apiVersion: 'apps/v1',
    gracePeriodSeconds: 5,
  })
  check(body('example.org/v1', 'Foo', ...raw), { apiVersion: 'example.org/v1', kind: 'Foo' })
})

test('a body without the envelope is refused', () => {
  refused(Buffer.alloc(0), 'empty data')
  refused(Buffer.from('k8s\0'), 'empty body')
  const problem = 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]'
  refused(Buffer.from('k8s'), problem)
  refused(Buffer.from('{"kind":"ConfigMap"}'), problem)
})

test('fields that nobody knows are passed over, groups too', () => {
  const group = Buffer.concat([Buffer.from([0xeb, 0x04]), number(1, 1), Buffer.from([0xec, 0x04])])
  check(body('v1', 'ConfigMap', number(1000, 5), bytes(1001, 'x'), group, metadata('a')), {
    ...names,
    metadata: { name: 'a' },
  })
})

test('a message met twice is merged, a list grows, of text the last counts', () => {
  check(
    body(
      'v1',
      'ConfigMap',
      metadata('a', bytes(14, 'one')),
      metadata('b', bytes(14, 'two')),
      entry(2, 'k', '1'),
      entry(2, 'k', '2'),
    ),
    { ...names, metadata: { name: 'b', finalizers: ['one', 'two'] }, data: { k: '2' } },
  )
})

test('lists of numbers may be packed', () => {
  const securityContext = bytes(14, bytes(4, Buffer.from([1, 0xac, 0x02])), number(4, 7), bytes(4))
  const pod = decodeProtobuf(body('v1', 'Pod', bytes(2, securityContext)), { kind: 'Pod' })
  assert.deepEqual(pod['spec'], { containers: null, securityContext: { supplementalGroups: [1, 300, 7] } })
})

test('a name such as __proto__ is data', () => {
  const decoded = decodeProtobuf(body('v1', 'ConfigMap', entry(2, '__proto__', 'v')), names)
  assert.deepEqual(Object.keys(decoded['data'] as object), ['__proto__'])
  assert.equal(Object.getPrototypeOf(decoded['data']), Object.prototype)
})

test('bytes that are no UTF-8 become one replacement character each', () => {
  const text = Buffer.concat([Buffer.from('a'), Buffer.from([0xf0, 0x9f, 0xa6]), Buffer.from('é')])
  check(body('v1', 'ConfigMap', metadata('a'), bytes(2, bytes(1, 'k'), bytes(2, text))), {
    ...names,
    metadata: { name: 'a' },
    data: { k: 'a\ufffd\ufffd\ufffdé' },
  })
})

test('a length is not believed beyond the end, and nesting ends', () => {
  refused(body('v1', 'ConfigMap', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x07])), 'unexpected EOF')
  let schema: Buffer = Buffer.alloc(0)
  for (let depth = 0; depth < 1_100; depth++) schema = bytes(28, schema)
  const definition = bytes(2, bytes(7, bytes(1, 'v1'), bytes(4, bytes(1, schema))))
  refused(body('apiextensions.k8s.io/v1', 'CustomResourceDefinition', definition), 'exceeded max depth')
})

test('times outside what four digits hold, and those of the year 1', () => {
  const times: readonly (readonly [Buffer, string | null])[] = [
    [bytes(9, number(1, 0)), '1970-01-01T00:00:00Z'],
    [bytes(9), null],
    [bytes(9, number(1, 253_402_300_800)), '10000-01-01T00:00:00Z'],
    [bytes(9, number(1, 1), number(2, 999_999_999)), '1970-01-01T00:00:01Z'],
  ]
  for (const [time, deletionTimestamp] of times) {
    check(body('v1', 'ConfigMap', bytes(1, time)), { ...names, metadata: { deletionTimestamp } })
  }
})
