import { setTimeout } from 'node:timers/promises'
import type { Json } from './differential-step.ts'
import type { DifferentialTarget } from './differential-target.ts'

const gadgetSpec: Json = {
  type: 'object',
  required: ['size'],
  'x-kubernetes-validations': [
    {
      rule: '!has(self.replicas) || self.replicas <= 5 || self.size == "l"',
      message: 'only large ones have more than five',
    },
    {
      rule: '!has(oldSelf.id) || (has(self.id) && self.id == oldSelf.id)',
      message: 'id stays',
      reason: 'FieldValueForbidden',
    },
    {
      rule: '!has(self.tags) || self.tags.all(t, t.startsWith("t"))',
      messageExpression: '"tags of " + self.size + " start with t"',
    },
  ],
  properties: {
    size: { type: 'string', enum: ['s', 'm', 'l'] },
    id: { type: 'string', pattern: '^[a-z]+$', minLength: 2 },
    replicas: { type: 'integer', format: 'int32', minimum: 0, maximum: 10, default: 1 },
    ratio: { type: 'number', maximum: 1, exclusiveMaximum: true, multipleOf: 0.25 },
    color: { type: 'string', default: 'red', maxLength: 6 },
    note: { type: 'string', nullable: true },
    enabled: { type: 'boolean', default: false },
    since: { type: 'string', format: 'date-time' },
    limit: { 'x-kubernetes-int-or-string': true, default: '10%' },
    tags: { type: 'array', maxItems: 4, items: { type: 'string', maxLength: 8 }, 'x-kubernetes-list-type': 'set' },
    args: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
    plain: { type: 'array', items: { type: 'integer' } },
    conf: {
      type: 'object',
      additionalProperties: { type: 'string' },
      'x-kubernetes-map-type': 'atomic',
      maxProperties: 3,
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    free: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      properties: { known: { type: 'integer', default: 7 } },
    },
    deep: {
      type: 'object',
      default: {},
      properties: {
        a: { type: 'object', properties: { b: { type: 'string', default: 'leaf' }, c: { type: 'integer' } } },
      },
    },
    choice: {
      type: 'object',
      properties: { left: { type: 'string' }, right: { type: 'string' } },
      oneOf: [{ required: ['left'] }, { required: ['right'] }],
    },
    template: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      items: {
        type: 'object',
        required: ['port'],
        properties: {
          port: { type: 'integer' },
          protocol: { type: 'string', default: 'TCP' },
          name: { type: 'string' },
          target: {
            type: 'object',
            properties: { host: { type: 'string', default: 'localhost' }, weight: { type: 'integer' } },
          },
        },
      },
    },
  },
}

const gadgetSchema: Json = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: gadgetSpec,
    status: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        selector: { type: 'string' },
        phase: { type: 'string', enum: ['Ready', 'Waiting'] },
        conditions: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
          items: {
            type: 'object',
            required: ['type'],
            properties: { type: { type: 'string' }, status: { type: 'string' } },
          },
        },
      },
    },
  },
}

const gadgetVersion = (name: string, storage: boolean): Json => ({
  name,
  served: true,
  storage,
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    },
  },
  selectableFields: [{ jsonPath: '.spec.size' }],
  additionalPrinterColumns: [
    { name: 'Size', type: 'string', jsonPath: '.spec.size' },
    { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  schema: { openAPIV3Schema: gadgetSchema },
})

const gadgets: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.diff.example.com' },
  spec: {
    group: 'diff.example.com',
    scope: 'Namespaced',
    names: {
      plural: 'gadgets',
      singular: 'gadget',
      kind: 'Gadget',
      listKind: 'GadgetList',
      shortNames: ['gd'],
      categories: ['all'],
    },
    versions: [gadgetVersion('v1', true), gadgetVersion('v1beta1', false)],
  },
}

const looseOnes: Json = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'looseones.diff.example.com' },
  spec: {
    group: 'diff.example.com',
    scope: 'Namespaced',
    names: { plural: 'looseones', kind: 'LooseOne' },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        deprecated: true,
        deprecationWarning: 'diff.example.com/v1alpha1 LooseOne is old',
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

/** Brings the custom kinds in that conversations speak of, and waits until they are served. */
export async function setUp(target: DifferentialTarget): Promise<void> {
  target.begin('')
  for (const body of [gadgets, looseOnes]) {
    const { status } = await target.call({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body,
    })
    if (status !== 201 && status !== 409) throw new Error(`a definition was answered with ${status}`)
  }
  for (const path of [
    '/apis/diff.example.com/v1/gadgets',
    '/apis/diff.example.com/v1beta1/gadgets',
    '/apis/diff.example.com/v1alpha1/looseones',
  ]) {
    for (let attempt = 0; (await target.call({ method: 'GET', path })).status !== 200; attempt++) {
      if (attempt === 100) throw new Error(`${path} is not served`)
      await setTimeout(100)
    }
  }
}
