import test from 'node:test'
import assert from 'node:assert/strict'
import { FieldSet } from '../../../../shared/fields/field-set.ts'
import { deducedSchema } from '../../../../shared/fields/schema.ts'
import { builtInCatalogue } from '../../../../shared/kubernetes/built-in.ts'
import type { KubeObject, ManagedFieldsRecord } from '../../../../shared/simulator/object.ts'
import { applyConfiguration } from '../../../../shared/simulator/apply/apply-configuration.ts'
import { withoutTimeOnlyChange } from '../../../../shared/simulator/apply/timestamps.ts'
import { trackUpdate } from '../../../../shared/simulator/apply/track-update.ts'
import type { UpdateInput } from '../../../../shared/simulator/apply/track-update.ts'

const found = builtInCatalogue().schemaFor('', 'v1', 'ConfigMap')
assert.ok(found)
const common = { schema: found, apiVersion: 'v1', subresource: '', now: '2026-01-01T00:00:00Z' }

function configMap(data: Record<string, string>, metadata: KubeObject['metadata'] = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...metadata }, data }
}

function write(
  live: KubeObject | null,
  manager: string,
  data: Record<string, string>,
  options: Partial<UpdateInput> = {},
): KubeObject {
  const uid = live === null ? {} : { uid: 'u' }
  const next = trackUpdate({ ...common, live, next: configMap({ ...data }, uid), manager, ...options })
  return { ...next, metadata: { ...next.metadata, uid: 'u' } }
}

function owners(object: KubeObject): unknown {
  return Object.fromEntries((object.metadata.managedFields ?? []).map((entry) => [entry.manager, entry.fieldsV1]))
}

test('a creator owns what it set, and the map that it made', () => {
  assert.deepEqual(write(null, 'a', { x: '1' }).metadata.managedFields, [
    {
      manager: 'a',
      operation: 'Update',
      apiVersion: 'v1',
      time: '2026-01-01T00:00:00Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': { '.': {}, 'f:x': {} } },
    },
  ])
})

test('what is always there belongs to nobody', () => {
  const schema = builtInCatalogue().schemaFor('apps', 'v1', 'Deployment')
  assert.ok(schema)
  const next: KubeObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: 'b' } },
      strategy: { type: 'Recreate' },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', resources: {} }] } },
    },
    status: {},
  }
  assert.deepEqual(owners(trackUpdate({ ...common, live: null, next, schema, apiVersion: 'apps/v1', manager: 'm' })), {
    m: {
      'f:spec': {
        'f:replicas': {},
        'f:selector': {},
        'f:strategy': { 'f:type': {} },
        'f:template': {
          'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } },
          'f:spec': {
            'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
          },
        },
      },
    },
  })
})

test('a custom resource without a type is owned key by key', () => {
  const next: KubeObject = { apiVersion: 'e.io/v1', kind: 'W', metadata: { name: 'w' }, spec: { list: [{ a: 1 }] } }
  assert.deepEqual(
    owners(trackUpdate({ ...common, live: null, next, schema: deducedSchema, apiVersion: 'e.io/v1', manager: 'm' })),
    {
      m: { 'f:spec': { '.': {}, 'f:list': {} } },
    },
  )
})

test("what an update changes is its own, what it removes is nobody's", () => {
  const live = write(
    write(null, 'a', { x: '1', y: '1', z: '1' }),
    'b',
    { x: '2', z: '1' },
    { now: '2026-01-02T00:00:00Z' },
  )
  assert.deepEqual(owners(live), { a: { 'f:data': { '.': {}, 'f:z': {} } }, b: { 'f:data': { 'f:x': {} } } })
})

test('an update that changes nothing leaves owners and times alone', () => {
  const live = write(null, 'a', { x: '1' })
  assert.deepEqual(write(live, 'b', { x: '1' }, { now: '2026-02-01T00:00:00Z' }), live)
})

test('a second update of a manager adds to its entry and renews its time', () => {
  const live = write(write(null, 'a', { x: '1' }), 'a', { x: '1', y: '2' }, { now: '2026-01-02T00:00:00Z' })
  assert.deepEqual(owners(live), { a: { 'f:data': { '.': {}, 'f:x': {}, 'f:y': {} } } })
  assert.equal(live.metadata.managedFields?.[0]?.time, '2026-01-02T00:00:00Z')
})

function given(live: KubeObject, managedFields: ManagedFieldsRecord[] | undefined, subresource = ''): unknown {
  const next = configMap({ x: '9' }, { uid: 'u', ...(managedFields === undefined ? {} : { managedFields }) })
  return owners(trackUpdate({ ...common, live, next, manager: 'b', subresource }))
}

test('owners given in the request count, cleared ones stay cleared, none or bad ones mean the live ones', () => {
  const live = write(null, 'a', { x: '1' })
  const changed = { a: { 'f:data': { '.': {} } }, b: { 'f:data': { 'f:x': {} } } }
  assert.deepEqual(given(live, undefined), { a: { 'f:data': {} }, b: { 'f:data': { 'f:x': {} } } })
  assert.deepEqual(given(live, []), {})
  assert.deepEqual(given(live, [{}]), {})
  assert.deepEqual(given(live, [{ manager: 'x' }]), { ...changed, a: { 'f:data': {} } })
  assert.deepEqual(given(live, [], 'status'), { a: { 'f:data': {} }, b: { 'f:data': { 'f:x': {} } } })
  const renamed = [{ ...live.metadata.managedFields?.[0], manager: 'renamed' }]
  assert.deepEqual(given(live, renamed), { renamed: { 'f:data': {} }, b: { 'f:data': { 'f:x': {} } } })
})

test('an object whose owners were cleared is tracked again from its next apply', () => {
  const cleared = configMap({ x: '1' }, { uid: 'u' })
  assert.deepEqual(owners(write(cleared, 'a', { x: '2' })), {})
  const applied = applyConfiguration({
    ...common,
    live: cleared,
    config: configMap({ y: '1' }),
    manager: 'g',
    force: false,
  })
  assert.deepEqual(owners(applied), {
    g: { 'f:data': { 'f:y': {} } },
    'before-first-apply': { 'f:data': { '.': {}, 'f:x': {} } },
  })
})

test('what the endpoint resets is neither taken nor given', () => {
  const live = write(null, 'a', { x: '1' })
  const reset = { resetFields: FieldSet.of(['f:data']) }
  assert.deepEqual(owners(write(live, 'b', { x: '2' }, reset)), { a: { 'f:data': { '.': {}, 'f:x': {} } } })
})

test('values that do not fit their type leave the object without owners', () => {
  const live = write(null, 'a', { x: '1' })
  const next = configMap({ x: 1 as unknown as string }, { uid: 'u' })
  assert.equal(trackUpdate({ ...common, live, next, manager: 'b' }).metadata.managedFields, undefined)
})

test('of more than ten updaters the oldest are merged', () => {
  let live = write(null, 'u0', { k0: '1' })
  const data: Record<string, string> = { k0: '1' }
  for (let i = 1; i <= 12; i++) {
    data[`k${i}`] = '1'
    live = write(live, `u${i}`, data, { now: `2026-01-01T00:00:${String(i).padStart(2, '0')}Z` })
  }
  const entries = live.metadata.managedFields ?? []
  assert.equal(entries.length, 10)
  assert.deepEqual(entries[0], {
    manager: 'ancient-changes',
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:03Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } },
  })
})

test('a new time alone is no change', () => {
  const live = write(null, 'a', { x: '1' })
  const later = (data: Record<string, string>): KubeObject => {
    const entries = live.metadata.managedFields?.map((entry) => ({ ...entry, time: '2027-01-01T00:00:00Z' })) ?? []
    return configMap(data, { uid: 'u', managedFields: entries })
  }
  assert.deepEqual(withoutTimeOnlyChange(live, later({ x: '1' })), live)
  const changed = later({ x: '2' })
  assert.equal(withoutTimeOnlyChange(live, changed), changed)
})
