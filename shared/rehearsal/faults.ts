import { isObject, parseJson, type Json } from '../model/json.ts'
import { parseApiVersion, type KubeObject, type ResourceId } from '../model/kubernetes.ts'
import type { Fault } from '../model/rehearsal.ts'
import type { ApiServer, ApiRequest, ApiResponse } from '../simulator/api-server.ts'
import { imagesOf, podSpecOf } from './fill-scope.ts'
import type { Interceptor } from './faulty-server.ts'
import { fitsGlob } from './glob-text.ts'
import { RehearsalError } from './rehearsal-error.ts'
import { isCalled, webhooksIn, type AdmissionTarget, type Webhook } from './webhooks.ts'

const FORMS = 'image=GLOB, hook=NAME|PHASE, quota=NAMESPACE, webhook=GLOB, not-ready=WORKLOAD, crash=WORKLOAD'

/** Reads `image=nginx:*`, `hook=migrate`, ... @throws RehearsalError `fault` */
export function parseFault(text: string): Fault {
  const [kind = '', ...rest] = text.split('=')
  const value = rest.join('=')
  const next = `what can be made to fail: ${FORMS}`
  if (value === '') throw new RehearsalError('fault', `the failure ${text} does not say of what`, { next })
  switch (kind) {
    case 'image':
    case 'webhook':
      return { kind, pattern: value }
    case 'quota':
      return { kind, namespace: value }
    case 'hook':
    case 'not-ready':
    case 'crash':
      return { kind, name: value }
    default:
      throw new RehearsalError('fault', `there is no failure ${kind}`, { next })
  }
}

const BEHAVIOUR = 'simulator.plumbline.dev/pod'
const OPERATION = 'plumbline.dev/operation'

/** Makes a server fail as asked. */
export function interceptorsFor(faults: readonly Fault[]): readonly Interceptor[] {
  return faults.map((fault): Interceptor => {
    switch (fault.kind) {
      case 'image':
        return onPod((pod) => (imagesOf(pod).some((image) => fitsGlob(fault.pattern, image)) ? 'image-pull-error' : ''))
      case 'hook':
        return onPod((pod, server) => (isOfHook(pod, fault.name, server) ? 'fail' : ''))
      case 'not-ready':
      case 'crash':
        return onPod((pod) =>
          isOfWorkload(pod, fault.name) ? (fault.kind === 'crash' ? 'crash-loop' : 'never-ready') : '',
        )
      case 'quota':
        return withoutRoom(fault.namespace)
      case 'webhook':
        return withoutWebhooks(fault.pattern)
    }
  })
}

const PODS = /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\?|$)/

/** Gives a pod that is being made its fate, as an annotation that says what is simulated. */
function onPod(fate: (pod: KubeObject, server: ApiServer) => string): Interceptor {
  return (request, server) => {
    if (request.method !== 'POST' || !PODS.test(request.path)) return undefined
    const pod = bodyOf(request)
    const does = pod === undefined || podSpecOf(pod) === undefined ? '' : fate(pod, server)
    if (pod === undefined || does === '') return undefined
    const annotations = { ...pod.metadata.annotations, [BEHAVIOUR]: does }
    return { ...request, body: { ...pod, metadata: { ...pod.metadata, annotations } } }
  }
}

/** Whether a request makes a pod for a workload. */
export function ownsPod(request: ApiRequest, { namespace, name }: ResourceId): boolean {
  const place = request.method === 'POST' ? PODS.exec(request.path)?.[1] : undefined
  const pod = place === namespace ? bodyOf(request) : undefined
  return pod !== undefined && isOfWorkload(pod, name)
}

function bodyOf({ body }: ApiRequest): KubeObject | undefined {
  let value: Json
  try {
    value = (typeof body === 'string' ? parseJson(body) : body) as Json
  } catch {
    return undefined
  }
  if (!isObject(value) || !isObject(value['metadata'])) return undefined
  return { apiVersion: 'v1', kind: 'Pod', ...value } as unknown as KubeObject
}

/** By the name of the Job that runs it, or by the phase that the Job says it runs for. */
function isOfHook(pod: KubeObject, name: string, { store }: ApiServer): boolean {
  for (const owner of pod.metadata.ownerReferences ?? []) {
    if (owner.kind !== 'Job') continue
    const job = store.get({ group: 'batch', resource: 'jobs' }, pod.metadata.namespace ?? '', owner.name)
    const mark = job?.metadata.annotations?.[OPERATION]
    const names = fitsGlob(name, owner.name) || owner.name.startsWith(`${name}-`)
    if (mark !== undefined && (names || mark.endsWith(`/${name}`))) return true
  }
  return false
}

/** Pods are named after what makes them: `NAME-HASH-ID` or `NAME-0`. */
function isOfWorkload(pod: KubeObject, name: string): boolean {
  return (pod.metadata.ownerReferences ?? []).some((owner) => owner.name === name || isSetOf(owner.name, name))
}

function isSetOf(set: string, name: string): boolean {
  return set.startsWith(`${name}-`) && /^[a-z0-9]+$/.test(set.slice(name.length + 1))
}

function withoutRoom(namespace: string): Interceptor {
  return (request) => {
    const place = request.method === 'POST' ? PODS.exec(request.path)?.[1] : undefined
    if (place === undefined || !fitsGlob(namespace, place)) return undefined
    const pod = bodyOf(request)?.metadata.name ?? ''
    const used = 'requested: pods=1, used: pods=0, limited: pods=0'
    const message = `pods "${pod}" is forbidden: exceeded quota: rehearsed, ${used}`
    return { answer: refusal(403, 'Forbidden', message, { name: pod, kind: 'pods' }) }
  }
}

const WRITE = /^\/(?:api\/(v1)|apis\/([^/]+\/[^/]+))(?:\/namespaces\/([^/?]+))?\/([^/?]+)(?:\/([^/?]+))?(?:\?|$)/
const OPERATIONS = { POST: 'CREATE', PUT: 'UPDATE', PATCH: 'UPDATE', DELETE: 'DELETE' } as const

/** What the configurations of now say is to be called is called, and does not answer. */
function withoutWebhooks(pattern: string): Interceptor {
  return (request, server) => {
    const configured = webhooksIn(configurationsIn(server)).filter(
      ({ name, failurePolicy }) => failurePolicy !== 'Ignore' && fitsGlob(pattern, name),
    )
    const target = configured.length === 0 ? undefined : targetOf(request, server)
    const down = target === undefined ? undefined : configured.find((webhook) => isCalled(webhook, target))
    return down === undefined ? undefined : { answer: unanswered(down) }
  }
}

function configurationsIn({ store }: ApiServer): readonly KubeObject[] {
  const group = 'admissionregistration.k8s.io'
  const found = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].flatMap((resource) =>
    store.list({ group, resource }),
  )
  return found as unknown as readonly KubeObject[]
}

/** A request as admission sees it; undefined for what is no write of an object. */
function targetOf(request: ApiRequest, { store, registry }: ApiServer): AdmissionTarget | undefined {
  const match = WRITE.exec(request.path)
  const asked = Object.hasOwn(OPERATIONS, request.method)
    ? OPERATIONS[request.method as keyof typeof OPERATIONS]
    : undefined
  if (match === null || asked === undefined) return undefined
  const [, core, grouped, namespace = '', resource = '', name = ''] = match
  const apiVersion = core ?? grouped ?? ''
  // Webhooks are not asked about webhooks.
  if (apiVersion.startsWith('admissionregistration.k8s.io/')) return undefined
  const { group, version } = parseApiVersion(apiVersion)
  const type = registry.find(group, version, resource)
  if (type === undefined) return undefined
  const live = name === '' ? undefined : store.get(type.storage, namespace, name)
  const object = bodyOf(request) ?? (live as unknown as KubeObject | undefined)
  if (object === undefined) return undefined
  return {
    apiVersion,
    resource,
    // An apply makes what is not there.
    operation: asked === 'UPDATE' && live === undefined ? 'CREATE' : asked,
    namespaced: type.namespaced,
    object: { ...object, kind: type.kind },
    namespaceLabels: store.get({ group: '', resource: 'namespaces' }, '', namespace)?.metadata.labels,
  }
}

function unanswered({ name, url, timeoutSeconds }: Webhook): ApiResponse {
  const call = `Post "${url}?timeout=${timeoutSeconds}s": connect: connection refused`
  const message = `Internal error occurred: failed calling webhook "${name}": failed to call webhook: ${call}`
  return refusal(500, 'InternalError', message, { causes: [{ message }] })
}

export function refusal(code: number, reason: string, message: string, details: object = {}): ApiResponse {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, details, code }
  return { kind: 'json', status: code, headers: { 'content-type': 'application/json' }, body }
}
