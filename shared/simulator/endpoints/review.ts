import { invalid } from '../errors.ts'
import { required } from '../kinds/field-error.ts'
import { isObject } from '../object.ts'
import type { JsonObject } from '../object.ts'
import type { ApiResponse, UserInfo } from './api-types.ts'
import { decodeBody } from './body.ts'
import { writeOptions } from './options.ts'
import { rulesFor } from './rbac.ts'
import { groupKind } from './resource-type.ts'
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
  const options = writeOptions(rr, 'CreateOptions')
  const object = decodeBody(rr, rr.type, options)
  const spec = isObject(object['spec']) ? object['spec'] : {}
  object['spec'] = spec
  object.metadata = {}
  object['status'] = statusOf(server, rr, spec, lookup)
  return objectResponse(server, rr, object, 201)
}

function statusOf(server: ServerContext, rr: ResourceRequest, spec: JsonObject, lookup: TokenLookup): JsonObject {
  switch (rr.type.resource) {
    case 'selfsubjectaccessreviews':
      return accessStatus(server, rr, rr.user, spec)
    case 'subjectaccessreviews':
    case 'localsubjectaccessreviews':
      return accessStatus(server, rr, subjectOf(rr, spec), spec)
    case 'selfsubjectrulesreviews':
      return { ...rulesFor(server, rr.user, text(spec['namespace'])), incomplete: false }
    case 'selfsubjectreviews':
      return { userInfo: userJson(rr.user) }
    default:
      return tokenStatus(rr, spec, lookup)
  }
}

function accessStatus(server: ServerContext, rr: ResourceRequest, user: UserInfo, spec: JsonObject): JsonObject {
  const { resourceAttributes, nonResourceAttributes } = spec
  if (!isObject(resourceAttributes) && !isObject(nonResourceAttributes)) {
    throw invalid(groupKind(rr.type), '', [
      required(
        'spec.resourceAttributes',
        'exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ),
    ])
  }
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

function subjectOf({ type }: ResourceRequest, spec: JsonObject): UserInfo {
  const name = text(spec['user'])
  const groups = Array.isArray(spec['groups']) ? spec['groups'].map(text) : []
  if (name === '' && groups.length === 0) {
    throw invalid(groupKind(type), '', [
      { type: 'Invalid', field: 'spec.user', value: '', detail: 'at least one of user or group must be specified' },
    ])
  }
  return { name, groups }
}

function tokenStatus({ type }: ResourceRequest, spec: JsonObject, lookup: TokenLookup): JsonObject {
  const token = text(spec['token'])
  if (token === '') throw invalid(groupKind(type), '', [required('spec.token', '')])
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
