import test from 'node:test'
import assert from 'node:assert/strict'
import { decodeFieldsV1, encodeFieldsV1 } from '../../../shared/fields/fields-v1.ts'
import { catalogueOf } from '../../../shared/fields/openapi-schema.ts'
import { reconcileWithSchema } from '../../../shared/fields/reconcile-schema.ts'
import type { Schema } from '../../../shared/fields/schema.ts'
import { thing, thingDefinitions } from './thing.ts'

/** The Thing after its labels and its items became atomic. */
function changed(): Schema {
  const definitions = structuredClone(thingDefinitions) as Record<string, unknown> & typeof thingDefinitions
  Object.assign(definitions.Spec.properties.labels, { 'x-kubernetes-map-type': 'atomic' })
  Object.assign(definitions.Spec.properties.items, { 'x-kubernetes-list-type': 'atomic' })
  const schema = catalogueOf(definitions).schemaFor('test.dev', 'v1', 'Thing')
  assert.ok(schema)
  return schema
}

const owned = {
  'f:spec': {
    'f:text': {},
    'f:labels': { '.': {}, 'f:a': {} },
    'f:items': { 'k:{"name":"a"}': { '.': {}, 'f:value': {} } },
    'f:child': { 'f:labels': { 'f:x': {} } },
    'f:free': { 'f:a': { 'f:b': {} } },
  },
}

test('who owned part of what became atomic owns it whole', () => {
  assert.deepEqual(encodeFieldsV1(reconcileWithSchema(decodeFieldsV1(owned), changed())), {
    'f:spec': {
      'f:text': {},
      'f:labels': {},
      'f:items': {},
      'f:child': { 'f:labels': {} },
      'f:free': { 'f:a': { 'f:b': {} } },
    },
  })
})

test('a set that fits its type is left as it is', () => {
  const set = decodeFieldsV1(owned)
  assert.equal(reconcileWithSchema(set, thing), set)
})

test('what became granular stays owned by its parent', () => {
  const set = decodeFieldsV1({ 'f:spec': { 'f:labels': {}, 'f:items': {} } })
  assert.equal(reconcileWithSchema(set, thing), set)
})
