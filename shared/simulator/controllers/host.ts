import type { ApiServer } from '../api-server.ts'
import { rfc3339 } from '../clock.ts'
import type { Clock } from '../clock.ts'
import type { UserInfo } from '../endpoints/api-types.ts'
import type { KubeObject } from '../object.ts'
import type { Store } from '../storage/store.ts'
import { OwnerIndex } from './owner-index.ts'
import type { Resource } from './resources.ts'
import { events } from './resources.ts'

/** A request of a controller that the server refused. */
export class HostError extends Error {
  readonly status: number
  readonly reason: string

  constructor(status: number, reason: string, message: string) {
    super(message)
    this.name = 'HostError'
    this.status = status
    this.reason = reason
  }

  static is(error: unknown): error is HostError {
    return error instanceof HostError
  }
}

const manager: UserInfo = { name: 'system:kube-controller-manager', groups: ['system:masters'] }

export interface DeleteOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly gracePeriodSeconds?: number
}

/** Events are kept short of a number that a small machine holds easily; the oldest go first. */
const maxEvents = 1000

/**
 * What controllers do to the cluster: read from the store, write through the API like any client, under a field manager of
 * their own. Everything happens at once, so a controller sees its own writes.
 */
export class Host {
  readonly store: Store
  readonly clock: Clock
  readonly index: OwnerIndex
  readonly #server: ApiServer
  readonly #eventNames: (readonly [namespace: string, name: string])[] = []
  #eventCount = 0

  constructor(server: ApiServer) {
    this.#server = server
    this.store = server.store
    this.clock = server.clock
    this.index = new OwnerIndex(server.store)
  }

  get registry(): ApiServer['registry'] {
    return this.#server.registry
  }

  /** RFC 3339, whole seconds. */
  now(): string {
    return rfc3339(this.clock.now())
  }

  get(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    return this.store.get(resource, namespace, name)
  }

  list(resource: Resource, namespace?: string): readonly KubeObject[] {
    return this.store.list(resource, namespace)
  }

  create(resource: Resource, object: KubeObject, by = 'kube-controller-manager'): KubeObject {
    return this.#send('POST', this.#path(resource, object.metadata.namespace ?? ''), object, by)
  }

  update(resource: Resource, object: KubeObject, by = 'kube-controller-manager'): KubeObject {
    return this.#send('PUT', this.#objectPath(resource, object), object, by)
  }

  updateStatus(resource: Resource, object: KubeObject, by = 'kube-controller-manager'): KubeObject {
    return this.#send('PUT', `${this.#objectPath(resource, object)}/status`, object, by)
  }

  /** A JSON merge patch, of a subresource where named. */
  patch(
    resource: Resource,
    { metadata }: KubeObject,
    patch: object,
    by = 'kube-controller-manager',
    subresource = '',
  ): KubeObject {
    const path = `${this.#path(resource, metadata.namespace ?? '')}/${metadata.name ?? ''}`
    const suffix = subresource === '' ? '' : `/${subresource}`
    return this.#send('PATCH', path + suffix, patch, by, 'application/merge-patch+json')
  }

  /** Any call below an object: binding, scale, finalize. */
  call(method: string, resource: Resource, object: KubeObject, subresource: string, body: object): KubeObject {
    return this.#send(method, `${this.#objectPath(resource, object)}/${subresource}`, body, 'kube-controller-manager')
  }

  /** Deletes; what is gone already is fine. */
  delete(resource: Resource, object: KubeObject, options: DeleteOptions = {}): void {
    const { uid } = object.metadata
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid }, ...options }
    try {
      this.#send('DELETE', this.#objectPath(resource, object), body, '')
    } catch (error) {
      if (!HostError.is(error) || (error.status !== 404 && error.status !== 409)) throw error
    }
  }

  /** Records what happened to an object, as `kubectl get events` shows it. */
  event(about: KubeObject, type: 'Normal' | 'Warning', reason: string, message: string, component: string): void {
    const { namespace = 'default', name = '', uid, resourceVersion } = about.metadata
    const now = this.now()
    this.#eventCount++
    const eventName = `${name}.${(this.clock.now() * 1000 + this.#eventCount).toString(16)}`
    const { apiVersion, kind } = about
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName, namespace },
      involvedObject: { apiVersion, kind, namespace: about.metadata.namespace, name, uid, resourceVersion },
      reason,
      message,
      type,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    }
    try {
      this.create(events, object, component)
    } catch (error) {
      if (!HostError.is(error)) throw error
      return
    }
    this.#eventNames.push([namespace, eventName])
    if (this.#eventNames.length > maxEvents) this.#dropOldestEvent()
  }

  #dropOldestEvent(): void {
    const oldest = this.#eventNames.shift()
    const event = oldest && this.get(events, oldest[0], oldest[1])
    if (event) this.delete(events, event)
  }

  #path({ apiVersion, resource, namespaced }: Resource, namespace: string): string {
    const prefix = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    return namespaced ? `${prefix}/namespaces/${namespace}/${resource}` : `${prefix}/${resource}`
  }

  #objectPath(resource: Resource, { metadata }: KubeObject): string {
    return `${this.#path(resource, metadata.namespace ?? '')}/${encodeURIComponent(metadata.name ?? '')}`
  }

  #send(method: string, path: string, body: object, by: string, type = 'application/json'): KubeObject {
    const answer = this.#server.handle({
      method,
      path: by === '' ? path : `${path}?fieldManager=${by}`,
      headers: { 'content-type': type },
      body,
      user: manager,
    })
    const read = answer.kind === 'json' ? (answer.body as KubeObject) : undefined
    if (answer.status < 400 && read) return read
    const message = typeof read?.['message'] === 'string' ? read['message'] : `${method} ${path} failed`
    const reason = typeof read?.['reason'] === 'string' ? read['reason'] : ''
    throw new HostError(answer.status, reason, message)
  }
}
