import { rfc3339 } from '../clock.ts'
import { badRequest, invalid } from '../errors.ts'
import { invalid as invalidField } from '../kinds/field-error.ts'
import type { FieldError } from '../kinds/field-error.ts'
import { isObject } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import type { ApiResponse, UserInfo } from './api-types.ts'
import { decodeBody } from './body.ts'
import { tracked } from './managed.ts'
import { writeOptions } from './options.ts'
import { rulesFor } from './rbac.ts'
import { objectResponse } from './respond.ts'
import type { AccessAttributes, ResourceRequest, ServerContext } from './server-context.ts'

/** Looks a bearer token up; undefined where nobody has it. */
export type TokenLookup = (token: string) => UserInfo | undefined

const reviews = [
  'selfsubjectaccessreviews',
  'subjectaccessreviews',
  'localsubjectaccessreviews',
  'selfsubjectrulesreviews',
  'tokenreviews',
  'selfsubjectreviews',
]

/** Kinds that are asked and answered in one POST and never stored. */
export function isReview({ type }: ResourceRequest): boolean {
  return (
    (type.group === 'authorization.k8s.io' || type.group === 'authentication.k8s.io') && reviews.includes(type.resource)
  )
}

export function review(server: ServerContext, rr: ResourceRequest, lookup: TokenLookup): ApiResponse {
  const { type, target } = rr
  const options = writeOptions(rr, 'CreateOptions')
  const asked = decodeBody(rr, type, options)
  if (target.namespace !== '') asked.metadata.namespace = target.namespace
  asked['spec'] = isObject(asked['spec']) ? asked['spec'] : {}
  const object = tracked(server, type, null, asked, options.manager, '')
  return objectResponse(server, rr, answered(server, rr, object, lookup), 201)
}

function answered(server: ServerContext, rr: ResourceRequest, object: KubeObject, lookup: TokenLookup): KubeObject {
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const { apiVersion, kind } = object
  switch (rr.type.resource) {
    case 'selfsubjectaccessreviews':
      return { ...object, status: accessStatus(server, rr.user, checkedSpec(rr, object, false)) }
    case 'subjectaccessreviews':
    case 'localsubjectaccessreviews': {
      const checked = checkedSpec(rr, object, true)
      return { ...object, status: accessStatus(server, subjectOf(checked), checked) }
    }
    case 'selfsubjectrulesreviews':
      return { apiVersion, kind, metadata: {}, spec: {}, status: rulesReview(server, rr, text(spec['namespace'])) }
    case 'selfsubjectreviews': {
      const metadata = { creationTimestamp: rfc3339(server.clock.now()) }
      return { apiVersion, kind, metadata, status: { userInfo: userJson(rr.user) } }
    }
    default:
      return { ...object, status: tokenStatus(spec, lookup) }
  }
}

function rulesReview(server: ServerContext, rr: ResourceRequest, namespace: string): JsonObject {
  if (namespace === '') throw badRequest('no namespace on request')
  return rulesFor(server, rr.user, namespace)
}

/** The spec of an access review, checked (`pkg/apis/authorization/validation`). @throws StatusError 422 */
function checkedSpec({ type, target }: ResourceRequest, object: KubeObject, ofOther: boolean): JsonObject {
  const spec = isObject(object['spec']) ? object['spec'] : {}
  const { resourceAttributes, nonResourceAttributes } = spec
  const local = type.resource === 'localsubjectaccessreviews'
  const errors: FieldError[] = []
  const path = isObject(nonResourceAttributes) ? nonResourceAttributes : undefined
  const shownPath = path === undefined ? null : { Path: text(path['path']), Verb: text(path['verb']) }
  if (isObject(resourceAttributes) && path !== undefined) {
    const both = 'cannot be specified in combination with resourceAttributes'
    errors.push(invalidField('spec.nonResourceAttributes', shownPath, both))
  }
  if (!isObject(resourceAttributes) && path === undefined) {
    const one = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    errors.push(invalidField('spec.resourceAttributes', null, one))
  }
  if (ofOther && text(spec['user']) === '' && !isNonEmpty(spec['groups'])) {
    errors.push(invalidField('spec.user', '', 'at least one of user or group must be specified'))
  }
  const allowed = ['managedFields', ...(local ? ['namespace'] : [])]
  if (Object.keys(object.metadata).some((key) => !allowed.includes(key))) {
    const except = local ? 'must be empty except for namespace' : 'must be empty'
    errors.push(invalidField('metadata', object.metadata, except))
  }
  if (local && isObject(resourceAttributes) && text(resourceAttributes['namespace']) !== target.namespace) {
    const given = text(resourceAttributes['namespace'])
    errors.push(invalidField('spec.resourceAttributes.namespace', given, 'must match metadata.namespace'))
  }
  if (local && path !== undefined) {
    errors.push(invalidField('spec.nonResourceAttributes', shownPath, 'disallowed on this kind of request'))
  }
  if (errors.length > 0) throw invalid({ group: type.group, name: '' }, '', errors)
  return spec
}

function isNonEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}

function accessStatus(server: ServerContext, user: UserInfo, spec: JsonObject): JsonObject {
  const { resourceAttributes, nonResourceAttributes } = spec
  const asked = isObject(resourceAttributes) ? resourceAttributes : {}
  const path = isObject(nonResourceAttributes) ? nonResourceAttributes : undefined
  const attributes: AccessAttributes = {
    verb: text(path?.['verb'] ?? asked['verb']),
    group: text(asked['group']),
    version: text(asked['version']),
    resource: text(asked['resource']),
    subresource: text(asked['subresource']),
    namespace: text(asked['namespace']),
    name: text(asked['name']),
    ...(path === undefined ? {} : { path: text(path['path']) }),
  }
  const { allowed, reason } = server.authorize(user, attributes)
  return { allowed, ...(reason === '' ? {} : { reason }) }
}

function subjectOf(spec: JsonObject): UserInfo {
  return { name: text(spec['user']), groups: Array.isArray(spec['groups']) ? spec['groups'].map(text) : [] }
}

function tokenStatus(spec: JsonObject, lookup: TokenLookup): JsonObject {
  const token = text(spec['token'])
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const user = lookup(token)
  if (user === undefined) return { user: {}, error: 'invalid bearer token' }
  return { authenticated: true, user: userJson(user) }
}

function userJson(user: UserInfo): JsonObject {
  return {
    username: user.name,
    ...(user.uid === undefined ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    ...(user.extra === undefined ? {} : { extra: user.extra }),
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
