import test from 'node:test'
import assert from 'node:assert/strict'
import type { Schema } from '../../../../shared/fields/schema.ts'
import { StatusError } from '../../../../shared/simulator/errors.ts'
import { isObject } from '../../../../shared/simulator/object.ts'
import type { JsonObject, KubeObject } from '../../../../shared/simulator/object.ts'
import { applyConfiguration } from '../../../../shared/simulator/apply/apply-configuration.ts'
import type { ApplyInput } from '../../../../shared/simulator/apply/apply-configuration.ts'
import { trackUpdate } from '../../../../shared/simulator/apply/track-update.ts'
import type { Typed } from '../../../../shared/simulator/apply/version.ts'
import { thing, thingOf } from '../../fields/thing.ts'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
const common = { schema: thing, apiVersion: 'test.dev/v1', subresource: '', now: '2026-01-01T00:00:00Z' }

function apply(
  live: KubeObject,
  manager: string,
  spec: Record<string, unknown>,
  more: Partial<ApplyInput> = {},
): KubeObject {
  return applyConfiguration({ ...common, live, config: thingOf(spec), manager, force: false, ...more })
}

/** As kubectl's client-side apply leaves an object. */
function clientSide(spec: Record<string, unknown>): KubeObject {
  const annotations = { [annotation]: JSON.stringify(thingOf(spec)) }
  return trackUpdate({
    ...common,
    live: null,
    next: thingOf(spec, { annotations, uid: 'u' }),
    manager: 'kubectl-client-side-apply',
  })
}

test('kubectl takes over what its client-side apply set, and keeps the annotation true', () => {
  const live = clientSide({ text: '1', labels: { a: '<1>' } })
  const taken = apply(live, 'kubectl', { text: '2', labels: { a: '<2>' } })
  assert.deepEqual(taken['spec'], { text: '2', labels: { a: '<2>' } })
  assert.equal(
    taken.metadata.annotations?.[annotation],
    '{"apiVersion":"test.dev/v1","kind":"Thing","metadata":{"name":"t"},"spec":{"labels":{"a":"\\u003c2\\u003e"},"text":"2"}}\n',
  )
})

test('any other manager meets the conflict', () => {
  assert.throws(
    () => apply(clientSide({ text: '1' }), 'someone', { text: '2' }),
    /conflict with "kubectl-client-side-apply" using test.dev\/v1: .spec.text/,
  )
})

test('kubectl meets conflicts over what changed since, and only those are named', () => {
  const live = clientSide({ text: '1', count: 1 })
  const edited = trackUpdate({ ...common, live, next: { ...live, spec: { text: '1', count: 5 } }, manager: 'editor' })
  assert.throws(
    () => apply(edited, 'kubectl', { text: '2', count: 2 }),
    (error: unknown) =>
      StatusError.is(error) &&
      error.message === 'Apply failed with 1 conflict: conflict with "editor" using test.dev/v1: .spec.count',
  )
})

test('an annotation that cannot be read excuses nothing', () => {
  const live = clientSide({ text: '1' })
  const broken = { ...live, metadata: { ...live.metadata, annotations: { [annotation]: '{' } } }
  assert.throws(() => apply(broken, 'kubectl', { text: '2' }), StatusError)
})

/** v2 calls `text` by another name. */
function convert(object: JsonObject, to: string): Typed | undefined {
  if (to !== 'test.dev/v1' && to !== 'test.dev/v2') return undefined
  const schema = to === 'test.dev/v2' ? v2 : thing
  if (!isObject(object['spec'])) return { value: { ...object, apiVersion: to }, schema }
  const { text, title, ...spec } = object['spec']
  const name = text ?? title
  const renamed = name === undefined ? {} : { [to === 'test.dev/v2' ? 'title' : 'text']: name }
  return {
    value: { ...object, apiVersion: to, spec: { ...spec, ...renamed } },
    schema,
  }
}

function renamedSchema(): Schema {
  const spec = thing.map?.fields.get('spec')
  const text = spec?.schema.map?.fields.get('text')
  assert.ok(spec?.schema.map && thing.map && text)
  const fields = new Map(spec.schema.map.fields)
  fields.delete('text')
  fields.set('title', text)
  const schema = { ...spec.schema, map: { ...spec.schema.map, fields } }
  return { ...thing, map: { ...thing.map, fields: new Map(thing.map.fields).set('spec', { ...spec, schema }) } }
}

const v2 = renamedSchema()

function byV2(spec: Record<string, unknown>): KubeObject {
  const config = { ...thingOf(spec), apiVersion: 'test.dev/v2' }
  const made = applyConfiguration({
    ...common,
    schema: v2,
    apiVersion: 'test.dev/v2',
    live: null,
    config,
    manager: 'a',
    force: false,
  })
  return { ...made, ...convert(made, 'test.dev/v1')?.value }
}

test('a conflict is found in the version in which the field is owned', () => {
  assert.throws(() => apply(byV2({ title: 'x' }), 'b', { text: 'y' }, { convert }), /conflict with "a": .spec.title/)
})

test('what was applied in another version and is dropped now is gone', () => {
  const next = apply(byV2({ title: 'x', count: 1 }), 'a', { count: 1 }, { convert })
  assert.deepEqual(next['spec'], { count: 1 })
  assert.deepEqual(
    next.metadata.managedFields?.map((entry) => entry.apiVersion),
    ['test.dev/v1'],
  )
})

test('ownership of a version that is gone is dropped', () => {
  const live = byV2({ title: 'x' })
  assert.deepEqual(
    apply(live, 'b', { text: 'y' }).metadata.managedFields?.map((entry) => entry.manager),
    ['b'],
  )
})
