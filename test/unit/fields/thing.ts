import assert from 'node:assert/strict'
import { catalogueOf } from '../../../shared/fields/openapi-schema.ts'
import type { Schema } from '../../../shared/fields/schema.ts'

const text = { type: 'string' }

/** A small kind with every type of field, for tests. */
export const thingDefinitions = {
  Thing: {
    type: 'object',
    properties: {
      apiVersion: text,
      kind: text,
      metadata: {
        type: 'object',
        properties: {
          name: text,
          uid: text,
          labels: { type: 'object', additionalProperties: text },
          annotations: { type: 'object', additionalProperties: text },
        },
      },
      spec: { $ref: '#/definitions/Spec' },
    },
    'x-kubernetes-group-version-kind': [{ group: 'test.dev', version: 'v1', kind: 'Thing' }],
  },
  Spec: {
    type: 'object',
    properties: {
      text,
      count: { type: 'integer' },
      flag: { type: 'boolean' },
      port: { type: 'string', format: 'int-or-string' },
      cpu: { $ref: '#/definitions/io.k8s.apimachinery.pkg.api.resource.Quantity' },
      labels: { type: 'object', additionalProperties: text },
      selector: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
      args: { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' },
      tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      items: {
        type: 'array',
        items: { $ref: '#/definitions/Item' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      ports: {
        type: 'array',
        items: {
          type: 'object',
          properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, note: text },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['port', 'protocol'],
      },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      child: { $ref: '#/definitions/Spec' },
    },
  },
  Item: {
    type: 'object',
    properties: { name: text, value: text, sub: { type: 'object', properties: { a: text, b: text } } },
  },
  'io.k8s.apimachinery.pkg.api.resource.Quantity': { type: 'string' },
}

const found = catalogueOf(thingDefinitions).schemaFor('test.dev', 'v1', 'Thing')
assert.ok(found)
export const thing: Schema = found

/** A Thing with this spec. */
export function thingOf(spec: Record<string, unknown>, metadata: Record<string, unknown> = {}) {
  return { apiVersion: 'test.dev/v1', kind: 'Thing', metadata: { name: 't', ...metadata }, spec }
}
