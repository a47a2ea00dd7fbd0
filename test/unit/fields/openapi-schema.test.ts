import test from 'node:test'
import assert from 'node:assert/strict'
import { crdSchema } from '../../../shared/fields/crd-schema.ts'
import { catalogueOf } from '../../../shared/fields/openapi-schema.ts'
import { deducedSchema } from '../../../shared/fields/schema.ts'
import type { FieldSchema, Schema } from '../../../shared/fields/schema.ts'
import { builtInCatalogue } from '../../../shared/kubernetes/built-in.ts'
import { zeroObject } from '../../../shared/kubernetes/zero-object.ts'

const catalogue = builtInCatalogue()

function definition(name: string): Schema {
  const schema = catalogue.definition(name)
  assert.ok(schema, name)
  return schema
}

function field(name: string, key: string): FieldSchema {
  const found = definition(name).map?.fields.get(key)
  assert.ok(found, `${name}.${key}`)
  return found
}

const core = (kind: string): string => `io.k8s.api.core.v1.${kind}`
const meta = (kind: string): string => `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`

test('every built-in kind that is asked for has a type, and others have none', () => {
  for (const [group, version, kind] of [
    ['', 'v1', 'Pod'],
    ['apps', 'v1', 'Deployment'],
    ['rbac.authorization.k8s.io', 'v1', 'Role'],
    ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition'],
    ['autoscaling', 'v1', 'Scale'],
  ] as const) {
    assert.ok(catalogue.schemaFor(group, version, kind), kind)
  }
  assert.equal(catalogue.schemaFor('apps', 'v1', 'Nothing'), undefined)
  assert.equal(catalogue.schemaFor('apps', 'v1beta1', 'Deployment'), undefined)
  assert.equal(catalogue.definition('__proto__'), undefined)
})

const checkList = (name: string, key: string, relationship: string, keys: readonly string[]): void => {
  const { list } = field(name, key).schema
  assert.deepEqual([list?.relationship, list?.keys], [relationship, keys], `${name}.${key}`)
}

test('lists are map lists, sets or atomic as the API says', () => {
  checkList(core('PodSpec'), 'containers', 'associative', ['name'])
  checkList(core('Container'), 'ports', 'associative', ['containerPort', 'protocol'])
  checkList(core('ServiceSpec'), 'ports', 'associative', ['port', 'protocol'])
  checkList(core('Container'), 'volumeMounts', 'associative', ['mountPath'])
  checkList(meta('ObjectMeta'), 'finalizers', 'associative', [])
  checkList(meta('ObjectMeta'), 'ownerReferences', 'associative', ['uid'])
  checkList(core('Container'), 'args', 'atomic', [])
  checkList(core('PodSpec'), 'tolerations', 'atomic', [])
})

test('maps are atomic where the API says so', () => {
  assert.equal(definition(meta('LabelSelector')).map?.relationship, 'atomic')
  assert.equal(field(core('ServiceSpec'), 'selector').schema.map?.relationship, 'atomic')
  assert.equal(field(core('PodSpec'), 'nodeSelector').schema.map?.relationship, 'atomic')
  assert.equal(field(meta('ObjectMeta'), 'labels').schema.map?.relationship, 'separable')
})

test('keys of lists have the defaults of the API types', () => {
  assert.equal(field(core('ContainerPort'), 'protocol').default, 'TCP')
  assert.equal(field(core('ServicePort'), 'protocol').default, 'TCP')
  assert.equal(field(core('EnvVar'), 'name').default, '')
  assert.equal(field(core('ContainerPort'), 'containerPort').default, 0)
  assert.equal(field(core('LocalObjectReference'), 'name').default, '')
  assert.equal(field(core('ObjectReference'), 'name').default, undefined)
})

test('scalars keep what they mean', () => {
  assert.equal(field(core('ResourceRequirements'), 'limits').schema.map?.element?.format, 'quantity')
  assert.equal(field(core('ServicePort'), 'targetPort').schema.format, 'int-or-string')
  assert.equal(field(meta('ObjectMeta'), 'creationTimestamp').schema.format, 'date-time')
  assert.equal(field(core('Secret'), 'data').schema.map?.element?.format, 'byte')
  assert.deepEqual(field(core('Container'), 'imagePullPolicy').schema.enum, ['Always', 'IfNotPresent', 'Never'])
})

test('fields say how Go stores them when they are empty', () => {
  assert.equal(field(core('Container'), 'resources').empty, 'kept')
  assert.equal(field(core('Container'), 'env').empty, 'dropped-when-empty')
  assert.equal(field(core('Volume'), 'emptyDir').empty, 'dropped-when-null')
})

test('fields keep their patch strategy', () => {
  assert.deepEqual(field('io.k8s.api.apps.v1.DeploymentSpec', 'strategy').patchStrategies, ['retainKeys'])
  assert.equal(field(core('PodSpec'), 'containers').patchMergeKey, 'name')
})

test('recursive definitions end in themselves', () => {
  const props = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps'
  assert.equal(field(props, 'properties').schema.map?.element, definition(props))
})

test('an OpenAPI v3 reference in a single allOf keeps its own map type', () => {
  const v3 = catalogueOf({
    Kind: {
      type: 'object',
      properties: {
        ref: { default: {}, allOf: [{ $ref: '#/components/schemas/Ref' }], 'x-kubernetes-map-type': 'atomic' },
      },
    },
    Ref: { type: 'object', properties: { name: { type: 'string', default: '' } } },
  })
  assert.equal(v3.definition('Kind')?.map?.fields.get('ref')?.schema.map?.relationship, 'atomic')
  assert.equal(v3.definition('Ref')?.map?.relationship, 'separable')
})

test('a custom resource has its fields, those of every object, and unknown ones where it says so', () => {
  const objectMeta = definition(meta('ObjectMeta'))
  const schema = crdSchema(
    {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'string' },
            open: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              properties: { known: { type: 'object', properties: {} } },
            },
            pod: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: {} },
            port: { 'x-kubernetes-int-or-string': true },
          },
        },
      },
    },
    { objectMeta },
  )
  assert.deepEqual([...(schema.map?.fields.keys() ?? [])], ['spec', 'apiVersion', 'kind', 'metadata'])
  assert.equal(schema.map?.fields.get('metadata')?.schema, objectMeta)
  assert.equal(schema.map?.element, undefined)
  const spec = schema.map?.fields.get('spec')?.schema.map
  assert.equal(spec?.element, undefined)
  assert.equal(spec?.fields.get('open')?.schema.map?.element, deducedSchema)
  assert.equal(spec?.fields.get('pod')?.schema.map?.fields.get('metadata')?.schema, objectMeta)
  assert.equal(spec?.fields.get('port')?.schema.scalar, 'untyped')
  assert.equal(crdSchema(undefined, { objectMeta }).map?.element, deducedSchema)
})

test('an untouched object of a built-in kind has what Go always writes', () => {
  assert.deepEqual(zeroObject('apps/v1', 'Deployment'), {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {},
    spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
    status: {},
  })
  assert.deepEqual(zeroObject('v1', 'ConfigMap'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} })
  assert.deepEqual(zeroObject('example.com/v1', 'Widget'), { apiVersion: 'example.com/v1', kind: 'Widget' })
})
