import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LiveDecoder } from '../../../shared/kube/live-object.ts'
import type { LiveObject } from '../../../shared/model/live.ts'
import { parseJson } from '../../../shared/model/json.ts'
import type { JsonObject } from '../../../shared/model/json.ts'

const specFields = {
  'f:replicas': {},
  'f:selector': {},
  'f:template': {
    'f:metadata': { 'f:labels': { 'f:app': {} } },
    'f:spec': {
      'f:containers': {
        'k:{"name":"web"}': {
          '.': {},
          'f:image': {},
          'f:name': {},
          'f:env': { 'k:{"name":"A"}': { '.': {}, 'f:name': {}, 'f:value': {} } },
          'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
        },
      },
    },
  },
}

/** A Deployment as a list has it, about 3 KB. */
function deployment(index: number): JsonObject {
  const labels = { app: `web-${index}` }
  const env = [{ name: 'A', value: String(index) }]
  const ports = [{ containerPort: 80, protocol: 'TCP' }]
  const container = { name: 'web', image: 'nginx:1', env, ports, resources: {}, imagePullPolicy: 'IfNotPresent' }
  const entry = (manager: string, operation: string, fieldsV1: object): object => ({
    manager,
    operation,
    apiVersion: 'apps/v1',
    time: `2026-01-01T00:00:${String(index % 60).padStart(2, '0')}Z`,
    fieldsType: 'FieldsV1',
    fieldsV1,
  })
  const status = { 'f:status': { 'f:availableReplicas': {}, 'f:conditions': { '.': {} }, [`f:x${index}`]: {} } }
  return {
    metadata: {
      name: `web-${index}`,
      namespace: `ns-${index % 20}`,
      uid: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
      resourceVersion: String(1000 + index),
      labels,
      managedFields: [
        entry('plumbline', 'Apply', { 'f:spec': specFields }),
        { ...entry('kube-controller-manager', 'Update', status), subresource: 'status' },
      ],
    },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container], restartPolicy: 'Always' } },
    },
    status: { observedGeneration: 1, replicas: 2, readyReplicas: 2, availableReplicas: 2 },
  } as unknown as JsonObject
}

function collect(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().heapUsed
}

test('an object is kept without its owners, and the owners beside it', () => {
  const live = new LiveDecoder().decode(deployment(7), 'apps/v1', 'Deployment')
  assert.deepEqual([live.object.apiVersion, live.object.kind], ['apps/v1', 'Deployment'])
  assert.equal(live.object.metadata['managedFields'], undefined)
  assert.deepEqual(live.owners[0]?.fields, { 'f:spec': specFields })
  assert.deepEqual(
    live.owners.map(({ manager, operation, subresource }) => `${manager} ${operation} ${subresource}`),
    ['plumbline Apply ', 'kube-controller-manager Update status'],
  )
})

test('objects of one make share their field sets', () => {
  const decoder = new LiveDecoder()
  const [a, b] = [decoder.decode(deployment(1)), decoder.decode(deployment(2))]
  assert.equal(a.owners[0]?.fields, b.owners[0]?.fields)
  assert.notEqual(a.owners[1]?.fields, b.owners[1]?.fields)
})

test('ten thousand objects take far less than 200 MB', (t) => {
  const before = collect()
  const decoder = new LiveDecoder()
  const held: LiveObject[] = []
  for (let page = 0; page < 20; page += 1) {
    const items = Array.from({ length: 500 }, (_, index) => deployment(page * 500 + index))
    const list = parseJson(JSON.stringify({ items })) as { items: JsonObject[] }
    for (const item of list.items) held.push(decoder.decode(item, 'apps/v1', 'Deployment'))
  }
  const megabytes = (collect() - before) / 1e6
  t.diagnostic(`${megabytes.toFixed(0)} MB for ${held.length} objects`)
  assert.ok(megabytes < 60, `${megabytes} MB`)
})
