import test from 'node:test'
import assert from 'node:assert/strict'
import { FieldSet } from '../../../../shared/fields/field-set.ts'
import { builtInCatalogue } from '../../../../shared/kubernetes/built-in.ts'
import { StatusError } from '../../../../shared/simulator/errors.ts'
import type { KubeObject } from '../../../../shared/simulator/object.ts'
import { applyConfiguration } from '../../../../shared/simulator/apply/apply-configuration.ts'
import type { ApplyInput } from '../../../../shared/simulator/apply/apply-configuration.ts'
import { trackUpdate } from '../../../../shared/simulator/apply/track-update.ts'
import { thing, thingOf } from '../../fields/thing.ts'

const common = { schema: thing, apiVersion: 'test.dev/v1', kind: 'Thing', subresource: '', now: '2026-01-01T00:00:00Z' }

interface Options extends Partial<ApplyInput> {
  readonly metadata?: Record<string, unknown>
}

/** The object after `manager` applied this spec; as stored, so with a uid. */
function apply(
  live: KubeObject | null,
  manager: string,
  spec: Record<string, unknown>,
  options: Options = {},
): KubeObject {
  const { metadata, ...rest } = options
  const config = thingOf(spec, metadata)
  const next = applyConfiguration({ ...common, live, config, manager, force: false, ...rest })
  return { ...next, metadata: { ...next.metadata, uid: 'u' } }
}

function update(live: KubeObject | null, manager: string, spec: Record<string, unknown>, now = common.now): KubeObject {
  const base = live ?? thingOf({})
  const { managedFields: _, ...metadata } = base.metadata as KubeObject['metadata']
  return trackUpdate({ ...common, live, next: { ...base, metadata: { ...metadata, uid: 'u' }, spec }, manager, now })
}

function refusal(run: () => unknown): StatusError {
  try {
    run()
  } catch (error) {
    if (StatusError.is(error)) return error
    throw error
  }
  throw new Error('nothing was refused')
}

function owner(object: KubeObject, manager: string): unknown {
  return object.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1?.['f:spec']
}

test('a conflict names the owner, the path and the version of an update', () => {
  const live = update(apply(null, 'a', { text: '1', count: 1 }), 'b', { text: '1', count: 2 })
  const error = refusal(() => apply(live, 'a', { text: '1', count: 3 }))
  assert.deepEqual(error.toStatus(), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Apply failed with 1 conflict: conflict with "b" using test.dev/v1: .spec.count',
    reason: 'Conflict',
    details: {
      causes: [
        { reason: 'FieldManagerConflict', message: 'conflict with "b" using test.dev/v1', field: '.spec.count' },
      ],
    },
    code: 409,
  })
})

test('several conflicts are listed by owner', () => {
  let live = apply(null, 'b', { text: '1', items: [{ name: 'x', value: '1' }] })
  live = apply(live, 'a', { count: 1 }, { subresource: 'status' })
  const error = refusal(() => apply(live, 'c', { text: '2', count: 2, items: [{ name: 'x', value: '2' }] }))
  assert.equal(
    error.message,
    'Apply failed with 3 conflicts: conflicts with "a" with subresource "status":\n- .spec.count\nconflicts with "b":\n- .spec.text\n- .spec.items[name="x"].value',
  )
})

test('equal values are owned by both and conflict with nobody', () => {
  const live = apply(apply(null, 'a', { text: '1' }), 'b', { text: '1' })
  assert.deepEqual([owner(live, 'a'), owner(live, 'b')], [{ 'f:text': {} }, { 'f:text': {} }])
})

test('an apply that changes no value keeps the content, sets no time, but records the owner', () => {
  const first = apply(null, 'a', { text: '1' })
  const second = apply(first, 'b', { text: '1' }, { now: '2026-01-02T00:00:00Z' })
  assert.deepEqual(second['spec'], first['spec'])
  assert.deepEqual(
    second.metadata.managedFields?.map((entry) => [entry.manager, entry.time]),
    [
      ['b', undefined],
      ['a', '2026-01-01T00:00:00Z'],
    ],
  )
  assert.deepEqual(apply(second, 'b', { text: '1' }, { now: '2026-01-03T00:00:00Z' }), second)
})

test('a forced apply takes what it changes', () => {
  const live = apply(apply(null, 'a', { text: '1', count: 1 }), 'b', { text: '2' }, { force: true })
  assert.deepEqual([owner(live, 'a'), owner(live, 'b')], [{ 'f:count': {} }, { 'f:text': {} }])
})

test('a dropped field goes unless somebody else owns it', () => {
  let live = apply(null, 'a', { text: '1', count: 1, items: [{ name: 'x', value: '1' }] })
  live = apply(live, 'b', { count: 1 })
  live = apply(live, 'a', { labels: { x: '1' } })
  assert.deepEqual(live['spec'], { count: 1, labels: { x: '1' } })
})

test('a dropped item takes with it what others added below it, unless they hold the item too', () => {
  const first = apply(null, 'a', { items: [{ name: 'x', value: '1' }], text: 't' })
  const added = { items: [{ name: 'x', value: '1', sub: { a: '2' } }], text: 't' }
  assert.deepEqual(apply(update(first, 'b', added), 'a', { text: 't' })['spec'], { text: 't' })
  const held = apply(first, 'b', { items: [{ name: 'x', sub: { a: '2' } }] })
  assert.deepEqual(apply(held, 'a', { text: 't' })['spec'], { text: 't', items: [{ name: 'x', sub: { a: '2' } }] })
})

test('a value that was never applied survives an apply without it', () => {
  const live = update(apply(null, 'a', { text: 't' }), 'b', { text: 't', count: 2, free: { a: [1] } })
  assert.deepEqual(apply(live, 'a', { flag: true })['spec'], { count: 2, free: { a: [1] }, flag: true })
})

test('an object without owners belongs to before-first-apply at first', () => {
  const live = thingOf({ text: '1' }, { uid: 'u' }) as KubeObject
  assert.equal(
    refusal(() => apply(live, 'a', { text: '2' })).message,
    'Apply failed with 1 conflict: conflict with "before-first-apply" using test.dev/v1: .spec.text',
  )
  const taken = apply(live, 'a', { text: '1', count: 2 })
  assert.deepEqual(owner(taken, 'before-first-apply'), { '.': {}, 'f:text': {} })
  assert.deepEqual(owner(taken, 'a'), { 'f:text': {}, 'f:count': {} })
})

test('what the endpoint resets is never owned', () => {
  const live = apply(null, 'a', { text: '1', labels: { x: '1' } }, { resetFields: FieldSet.of(['f:spec', 'f:labels']) })
  assert.deepEqual(owner(live, 'a'), { 'f:text': {} })
})

test('identity is never owned', () => {
  const live = apply(null, 'a', { text: '1' }, { metadata: { labels: { x: '1' }, uid: 'u' } })
  assert.deepEqual(live.metadata.managedFields?.[0]?.fieldsV1, {
    'f:metadata': { 'f:labels': { 'f:x': {} } },
    'f:spec': { 'f:text': {} },
  })
})

function checkRefused(run: () => unknown, code: number, message: string): void {
  const error = refusal(run)
  assert.deepEqual([error.code, error.message], [code, message])
}

test('a configuration that cannot be applied is refused in the words of the server', () => {
  const live = apply(null, 'a', { text: '1' })
  checkRefused(
    () => apply(live, 'a', {}, { config: { ...thingOf({}), kind: 'Other' } }),
    400,
    'invalid object type: test.dev/v1, Kind=Other',
  )
  checkRefused(
    () => apply(live, 'a', {}, { config: { ...thingOf({}), apiVersion: 'v1' } }),
    400,
    'invalid object type: /v1, Kind=Thing',
  )
  checkRefused(
    () => apply(live, 'a', {}, { metadata: { managedFields: [] } }),
    400,
    'metadata.managedFields must be nil',
  )
  checkRefused(
    () => apply(live, 'a', { bogus: 1 }, { metadata: { namespace: 'ns' } }),
    500,
    'failed to create typed patch object (ns/t; test.dev/v1, Kind=Thing): errors:\n  .metadata.namespace: field not declared in schema\n  .spec.bogus: field not declared in schema',
  )
  const broken = { ...live, spec: { count: 'x' } }
  checkRefused(
    () => apply(broken, 'a', {}),
    500,
    'failed to create typed live object (/t; test.dev/v1, Kind=Thing): .spec.count: expected numeric (int or float), got string',
  )
  const misowned = { ...live, metadata: { ...live.metadata, managedFields: [{ manager: 'x' }] } }
  checkRefused(
    () => apply(misowned, 'a', {}),
    500,
    'failed to decode managed fields: operation must be `Apply` or `Update`',
  )
})

function scaledTo(replicas: number): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { replicas } }
}

test('a scale patch of a Deployment that lost the race conflicts on replicas alone', () => {
  const schema = builtInCatalogue().schemaFor('apps', 'v1', 'Deployment')
  assert.ok(schema)
  const deployment = { ...common, schema, apiVersion: 'apps/v1', kind: 'Deployment', manager: 'a', force: false }
  const live = applyConfiguration({ ...deployment, live: null, config: scaledTo(1) })
  const scaled = trackUpdate({
    ...deployment,
    live,
    next: { ...live, spec: { replicas: 3 } },
    manager: 'hpa',
    subresource: 'scale',
  })
  assert.equal(
    refusal(() => applyConfiguration({ ...deployment, live: scaled, config: scaledTo(2) })).message,
    'Apply failed with 1 conflict: conflict with "hpa" with subresource "scale" using apps/v1: .spec.replicas',
  )
})

test('neither the live object nor the configuration is changed, and the result is private', () => {
  const live = apply(null, 'a', { items: [{ name: 'x', sub: { a: '1' } }], free: { deep: [{ a: 1 }] } })
  const spec = { items: [{ name: 'y', sub: { a: '2' } }] }
  const before = JSON.stringify([live, spec])
  const next = apply(live, 'b', spec) as KubeObject & { spec: { free: { deep: unknown[] }; items: unknown[] } }
  next.spec.free.deep.push(1)
  Object.assign(next.spec.items[1] ?? {}, { value: 'z' })
  assert.equal(JSON.stringify([live, spec]), before)
})
