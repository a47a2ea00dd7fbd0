import { apiVersionOf, gvkOf, resourceKey, type ResourceId } from '../model/kubernetes.ts'
import type { Plan, Step } from '../model/plan.ts'
import type { ApiServer } from '../simulator/api-server.ts'
import type { ResourceType } from '../simulator/endpoints/resource-type.ts'
import { refusal } from './faults.ts'
import type { Interceptor } from './faulty-server.ts'

const CODES: Readonly<Record<string, readonly [code: number, reason: string]>> = {
  invalid: [422, 'Invalid'],
  forbidden: [403, 'Forbidden'],
  'bad-request': [400, 'BadRequest'],
  'too-large': [413, 'RequestEntityTooLarge'],
}

/**
 * What the real server's dry run has refused is refused here in the same words: its webhooks and policies were asked, and
 * they are not here.
 */
export function refusalsOf(plan: Plan | undefined): readonly Interceptor[] {
  const refused = (plan?.steps ?? []).filter(
    ({ readiness, manner }) =>
      readiness.kind === 'refused' && readiness.rule.startsWith('server:') && manner.method !== 'recreate',
  )
  return refused.map(refusing)
}

function refusing({ id, apiVersion, readiness }: Step): Interceptor {
  const rule = readiness.kind === 'refused' ? readiness.rule.slice('server:'.length) : ''
  const message = readiness.kind === 'refused' ? readiness.reason : ''
  const [code, reason] = CODES[rule] ?? [500, 'InternalError']
  let path: string | undefined
  return (request, server) => {
    if (request.method !== 'PATCH' || !request.path.includes(encodeURIComponent(id.name))) return undefined
    path ??= pathOf(id, apiVersion, server)
    if (path === undefined || request.path.split('?', 1)[0] !== path) return undefined
    return { answer: refusal(code, reason, message) }
  }
}

function pathOf(id: ResourceId, apiVersion: string, { registry }: ApiServer): string | undefined {
  const type: ResourceType | undefined = registry.byKind(apiVersionOf(gvkOf({ apiVersion, kind: id.kind })), id.kind)
  if (type === undefined) return undefined
  const root = type.group === '' ? '/api' : '/apis'
  const place = type.namespaced ? `/namespaces/${encodeURIComponent(id.namespace)}` : ''
  return `${root}/${apiVersionOf(type)}${place}/${type.resource}/${encodeURIComponent(id.name)}`
}

/** Objects of whose step the real server has said what it thinks: by a dry run that it took or refused. */
export function askedOfReal(plan: Plan | undefined): ReadonlySet<string> {
  return new Set((plan?.steps ?? []).filter(wasAsked).map(({ id }) => resourceKey(id)))
}

function wasAsked({ readiness, hook, action }: Step): boolean {
  if (hook !== undefined || action === 'prune') return false
  return readiness.kind !== 'refused' || readiness.rule.startsWith('server:')
}
