import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DecodeError, decodeObject } from '../../../../shared/simulator/kinds/codec.ts'
import type { KubeObject } from '../../../../shared/simulator/object.ts'

const configMap = (fields: object): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, ...fields })
const deployment = (spec: object): KubeObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: {}, spec })

function refused(o: KubeObject): string {
  try {
    decodeObject(o)
  } catch (error) {
    if (DecodeError.is(error)) return error.message
    throw error
  }
  return 'accepted'
}

test('unknown fields are dropped and told in the order of the body', () => {
  const container = { name: 'a', imagee: 'x' }
  const { object, strict } = decodeObject(
    deployment({ bogus: 1, template: { spec: { containers: [container], also: true } } }),
  )
  assert.deepEqual(strict, [
    'unknown field "spec.bogus"',
    'unknown field "spec.template.spec.containers[0].imagee"',
    'unknown field "spec.template.spec.also"',
  ])
  assert.equal(JSON.stringify(object).includes('bogus'), false)
})

test('the first value of a wrong type is named with the field Go would name', () => {
  const cases: readonly (readonly [KubeObject, string])[] = [
    [configMap({ data: { a: 1 } }), 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string'],
    [
      configMap({ data: { a: true }, immutable: 'yes' }),
      'json: cannot unmarshal bool into Go struct field ConfigMap.data of type string',
    ],
    [
      deployment({ replicas: '3' }),
      'json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [configMap({ binaryData: { a: '***' } }), 'illegal base64 data at input byte 0'],
  ]
  for (const [body, message] of cases) assert.equal(refused(body), message)
})

test('amounts and times come back in the one form that the server writes', () => {
  const resources = { requests: { cpu: '0.5', memory: '1024Mi' }, limits: { cpu: 2 } }
  const spec = { template: { spec: { containers: [{ name: 'a', resources }] } } }
  const metadata = { creationTimestamp: '2026-01-01T02:00:00+02:00' } as never
  const { object } = decodeObject({ ...deployment(spec), metadata })
  const text = JSON.stringify(object)
  assert.match(text, /"limits":\{"cpu":"2"\}/)
  assert.match(text, /"requests":\{"cpu":"500m","memory":"1Gi"\}/)
  assert.match(text, /"creationTimestamp":"2026-01-01T00:00:00Z"/)
})

test('null and empty values are left out where Go leaves them out and kept where it does not', () => {
  const spec = { selector: null, paused: false, template: { metadata: { labels: {} }, spec: { containers: [] } } }
  const { object } = decodeObject(deployment(spec))
  assert.deepEqual(object['spec'], {
    selector: null,
    template: { metadata: {}, spec: { containers: [] } },
    strategy: {},
  })
})

test('a body is never changed', () => {
  const body = deployment({ replicas: 1, bogus: {} })
  const before = structuredClone(body)
  decodeObject(body)
  assert.deepEqual(body, before)
})

test('an object of a kind that is not built in comes back as it is', () => {
  const custom: KubeObject = {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'a' },
    spec: { any: null },
  }
  assert.equal(decodeObject(custom).object, custom)
})
