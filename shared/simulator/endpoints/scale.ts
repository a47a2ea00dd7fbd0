import { applyConfiguration } from '../apply/apply-configuration.ts'
import { StatusError, badRequest, invalid, notFound } from '../errors.ts'
import { DecodeError, decodeObject } from '../kinds/codec.ts'
import { invalid as invalidField } from '../kinds/field-error.ts'
import { isObject, privateCopy, textAt, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import type { ApiResponse } from './api-types.ts'
import { bodyText, cannotBeHandled, parseBody } from './body.ts'
import { checkName } from './create.ts'
import { tracked } from './managed.ts'
import { writeOptions } from './options.ts'
import { patchDocument, patchKind } from './patch.ts'
import { apiVersionOf, groupKind, groupResource } from './resource-type.ts'
import type { ResourceType } from './resource-type.ts'
import { objectResponse } from './respond.ts'
import type { ScalePaths } from './scale-paths.ts'
import { setValueAt } from './set-value.ts'
import type { ResourceRequest, ServerContext } from './server-context.ts'
import { replaceObject, timeOf } from './write.ts'
import { parseYaml } from './yaml.ts'

const builtInPaths: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: 'spec.selector',
}

/** GET, PUT and PATCH of `/scale`: an `autoscaling/v1` Scale in front of the object. */
export function scale(server: ServerContext, rr: ResourceRequest): ApiResponse {
  const { type, target, request } = rr
  const stored = server.store.get(type.storage, target.namespace, target.name)
  if (stored === undefined) throw notFound(groupResource(type), target.name)
  const live = type.fromStorage(stored)
  const paths = type.scale ?? builtInPaths
  if (request.method === 'GET') return objectResponse(server, rr, scaleOf(live, paths))
  const result = request.method === 'PUT' ? putScale(server, rr, live, paths) : patchScale(server, rr, live, paths)
  return objectResponse(server, rr, scaleOf(result, paths))
}

function putScale(server: ServerContext, rr: ResourceRequest, live: KubeObject, paths: ScalePaths): KubeObject {
  const options = writeOptions(rr, 'UpdateOptions')
  const body = parseBody(rr, 'Scale').value
  const wanted = readScale(body)
  checkName(rr, wanted)
  return store(server, rr, live, wanted, paths, options)
}

function patchScale(server: ServerContext, rr: ResourceRequest, live: KubeObject, paths: ScalePaths): KubeObject {
  const kind = patchKind(rr)
  const options = writeOptions(rr, 'PatchOptions', kind === 'apply')
  if (kind === 'apply') return applyScale(server, rr, live, paths, options)
  const patched = patchDocument(rr, kind, scaleOf(live, paths))
  const wanted = readScale(patched)
  checkName(rr, wanted)
  return store(server, rr, live, wanted, paths, options)
}

function applyScale(
  server: ServerContext,
  rr: ResourceRequest,
  live: KubeObject,
  paths: ScalePaths,
  options: ReturnType<typeof writeOptions>,
): KubeObject {
  const { type } = rr
  const text = bodyText(rr.request.body)
  const body = text === undefined ? rr.request.body : parseYaml(text)
  if (!isObject(body) || body['kind'] !== 'Scale') throw badRequest('invalid object type: the body must be a Scale')
  const config = { apiVersion: apiVersionOf(type), kind: type.kind, metadata: { name: rr.target.name } } as KubeObject
  const replicas = valueAt(body, 'spec', 'replicas')
  if (replicas !== undefined) setValueAt(config, paths.specReplicas, replicas)
  const merged = asScale(type, () =>
    applyConfiguration({
      live,
      config,
      schema: type.behaviour.schema,
      manager: options.manager,
      force: options.force,
      apiVersion: apiVersionOf(type),
      kind: type.kind,
      subresource: 'scale',
      now: timeOf(server),
    }),
  )
  const next = withoutNewTimes(live, privateCopy(merged))
  return replaceObject(server, rr, live, next, { dryRun: options.dryRun, subresource: 'scale' }).object
}

/** Conflicts are found on a Scale, so they name its version. */
function asScale<T>(type: ResourceType, apply: () => T): T {
  try {
    return apply()
  } catch (error) {
    if (!StatusError.is(error)) throw error
    const renamed = (text = ''): string => text.replaceAll(` using ${apiVersionOf(type)}`, ' using autoscaling/v1')
    const causes = error.details?.causes?.map((cause) => ({ ...cause, message: renamed(cause.message) }))
    const details = { ...error.details, ...(causes === undefined ? {} : { causes }) }
    throw new StatusError(error.code, error.reason, renamed(error.message), { details, cause: error })
  }
}

function store(
  server: ServerContext,
  rr: ResourceRequest,
  live: KubeObject,
  wanted: KubeObject,
  paths: ScalePaths,
  options: ReturnType<typeof writeOptions>,
): KubeObject {
  const replicas = Number(valueAt(wanted, 'spec', 'replicas') ?? 0)
  if (replicas < 0) {
    throw negative(rr, paths, replicas)
  }
  const changed = privateCopy(live)
  setValueAt(changed, paths.specReplicas, replicas)
  const version = wanted.metadata.resourceVersion
  if (version !== undefined) changed.metadata.resourceVersion = version
  const next = owned(live, paths.specReplicas)
    ? withoutNewTimes(live, tracked(server, rr.type, live, changed, options.manager, 'scale'))
    : changed
  return replaceObject(server, rr, live, next, { dryRun: options.dryRun, subresource: 'scale' }).object
}

function negative({ type, target }: ResourceRequest, paths: ScalePaths, replicas: number): StatusError {
  if (type.custom) {
    const field = `.${paths.specReplicas.join('.')}`
    return invalid(groupKind(type), target.name, [invalidField(field, replicas, 'should be a non-negative integer')])
  }
  return invalid({ group: 'autoscaling', name: 'Scale' }, target.name, [
    invalidField('spec.replicas', replicas, 'must be greater than or equal to 0'),
  ])
}

/** Whether anybody owns the replicas: a Scale without owners is not tracked, like any object whose owners were cleared. */
function owned(live: KubeObject, path: readonly string[]): boolean {
  const keys = path.map((name) => `f:${name}`)
  return live.metadata.managedFields?.some((entry) => valueAt(entry.fieldsV1, ...keys) !== undefined) ?? false
}

/**
 * Ownership that goes through Scale comes back to the object without a time of its own
 * (apimachinery, `managedfields/scalehandler.go` keeps the times that the object had).
 */
function withoutNewTimes(live: KubeObject, next: KubeObject): KubeObject {
  for (const entry of next.metadata.managedFields ?? []) {
    if (entry.subresource !== 'scale') continue
    const before = live.metadata.managedFields?.find(
      (other) =>
        other.subresource === 'scale' && other.manager === entry.manager && other.operation === entry.operation,
    )
    if (before?.time === undefined) delete entry.time
    else entry.time = before.time
  }
  return next
}

function readScale(body: unknown): KubeObject {
  const raw = isObject(body) ? body : {}
  const metadata = isObject(raw['metadata']) ? raw['metadata'] : {}
  try {
    return decodeObject({ ...raw, apiVersion: 'autoscaling/v1', kind: 'Scale', metadata }).object
  } catch (error) {
    if (DecodeError.is(error)) throw cannotBeHandled('Scale', 'v1', 'Scale', error.message)
    throw error
  }
}

function scaleOf(object: KubeObject, paths: ScalePaths): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = valueAt(object, ...paths.specReplicas)
  const selector = selectorText(object, paths)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: typeof replicas === 'number' && replicas !== 0 ? { replicas } : {},
    status: {
      replicas: Number(valueAt(object, ...paths.statusReplicas) ?? 0),
      ...(selector === '' ? {} : { selector }),
    },
  }
}

function selectorText(object: KubeObject, { selector }: ScalePaths): string {
  if (selector === undefined) return ''
  if (selector !== 'spec.selector') return textAt(object, ...selector)
  const value = valueAt(object, 'spec', 'selector')
  if (!isObject(value)) return ''
  const isLabelSelector = 'matchLabels' in value || 'matchExpressions' in value
  const labels = isLabelSelector ? value['matchLabels'] : value
  const terms = Object.entries(isObject(labels) ? labels : {}).map(([key, text]) => ({
    key,
    text: `${key}=${String(text)}`,
  }))
  const expressions = isLabelSelector && Array.isArray(value['matchExpressions']) ? value['matchExpressions'] : []
  for (const expression of expressions as { key: string; operator: string; values?: string[] }[]) {
    terms.push({ key: expression.key, text: expressionText(expression) })
  }
  return terms
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ text }) => text)
    .join(',')
}

function expressionText({ key, operator, values = [] }: { key: string; operator: string; values?: string[] }): string {
  const listed = `(${[...values].sort().join(',')})`
  switch (operator) {
    case 'In':
      return `${key} in ${listed}`
    case 'NotIn':
      return `${key} notin ${listed}`
    case 'Exists':
      return key
    default:
      return `!${key}`
  }
}
