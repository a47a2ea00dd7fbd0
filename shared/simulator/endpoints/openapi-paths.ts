import type { JsonObject } from '../object.ts'
import type { ResourceType } from './resource-type.ts'
import { apiVersionOf } from './resource-type.ts'

function query(name: string, type: 'string' | 'boolean' | 'integer'): JsonObject {
  return { name, in: 'query', schema: { type, uniqueItems: true } }
}

const writeParameters = [query('dryRun', 'string'), query('fieldManager', 'string'), query('fieldValidation', 'string')]
const listParameters = [
  query('allowWatchBookmarks', 'boolean'),
  query('continue', 'string'),
  query('fieldSelector', 'string'),
  query('labelSelector', 'string'),
  query('limit', 'integer'),
  query('resourceVersion', 'string'),
  query('resourceVersionMatch', 'string'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
  query('watch', 'boolean'),
]
const deleteParameters = [
  query('dryRun', 'string'),
  query('gracePeriodSeconds', 'integer'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy', 'string'),
]

/** The paths of a resource with their operations, as far as clients look at them. */
export function pathsOf(type: ResourceType, schema: string): JsonObject {
  const root = `/${type.group === '' ? 'api' : 'apis'}/${apiVersionOf(type)}`
  const home = type.namespaced ? `${root}/namespaces/{namespace}/${type.resource}` : `${root}/${type.resource}`
  const own = { $ref: `#/components/schemas/${schema}` }
  const paths: JsonObject = {}
  const collection = collectionOperations(type, own, schema)
  if (Object.keys(collection).length > 0) paths[home] = collection
  const item = itemOperations(type, own)
  if (Object.keys(item).length > 0) paths[`${home}/{name}`] = item
  if (type.namespaced && type.verbs.includes('list')) {
    paths[`${root}/${type.resource}`] = { get: operation(type, 'list', listParameters, { $ref: `${own.$ref}List` }) }
  }
  for (const sub of type.subresources.values()) {
    const operations: JsonObject = {}
    if (sub.verbs.includes('get')) operations['get'] = operation(type, 'get', [], own)
    if (sub.verbs.includes('update')) operations['put'] = operation(type, 'put', writeParameters, own)
    if (sub.verbs.includes('patch')) operations['patch'] = patchOperation(type, own)
    if (Object.keys(operations).length > 0) paths[`${home}/{name}/${sub.name}`] = operations
  }
  return paths
}

function collectionOperations(type: ResourceType, own: JsonObject, schema: string): JsonObject {
  const has = (verb: string): boolean => type.verbs.includes(verb)
  return {
    ...(has('list')
      ? { get: operation(type, 'list', listParameters, { $ref: `#/components/schemas/${schema}List` }) }
      : {}),
    ...(has('create') ? { post: withBody(operation(type, 'post', writeParameters, own), own) } : {}),
    ...(has('deletecollection')
      ? { delete: operation(type, 'deletecollection', [...listParameters, ...deleteParameters], own) }
      : {}),
  }
}

function itemOperations(type: ResourceType, own: JsonObject): JsonObject {
  const has = (verb: string): boolean => type.verbs.includes(verb)
  return {
    ...(has('get') ? { get: operation(type, 'get', [], own) } : {}),
    ...(has('update') ? { put: withBody(operation(type, 'put', writeParameters, own), own) } : {}),
    ...(has('patch') ? { patch: patchOperation(type, own) } : {}),
    ...(has('delete') ? { delete: operation(type, 'delete', deleteParameters, own) } : {}),
  }
}

function patchOperation(type: ResourceType, own: JsonObject): JsonObject {
  const types = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json']
  if (type.behaviour.strategicPatch) types.push('application/strategic-merge-patch+json')
  const schema = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch' }
  return {
    ...operation(type, 'patch', [...writeParameters, query('force', 'boolean')], own),
    requestBody: { content: Object.fromEntries(types.map((media) => [media, { schema }])), required: true },
  }
}

function withBody(base: JsonObject, schema: JsonObject): JsonObject {
  return { ...base, requestBody: { content: { '*/*': { schema } }, required: true } }
}

function operation(
  { group, version, kind }: ResourceType,
  action: string,
  parameters: readonly JsonObject[],
  answer: JsonObject,
): JsonObject {
  return {
    parameters,
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: answer } } } },
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group, version, kind },
  }
}
