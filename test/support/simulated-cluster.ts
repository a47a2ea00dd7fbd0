import { ApiServer } from '../../shared/simulator/api-server.ts'
import { bootstrap } from '../../shared/simulator/bootstrap.ts'
import { ManualClock } from '../../shared/simulator/clock.ts'
import { startControllers } from '../../shared/simulator/controllers/start.ts'

const user = { name: 'admin', groups: ['system:masters'] }

/** An object as a test writes and reads it. */
export type Body = Readonly<Record<string, unknown>>

/** What stands at a path of field names and list indexes. */
export function at(o: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<string | number, unknown> | undefined)?.[key], o)
}

export interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

export function conditionsOf(o: unknown): readonly Condition[] {
  return (at(o, 'status', 'conditions') as readonly Condition[] | undefined) ?? []
}

export function condition(o: unknown, type: string): Condition | undefined {
  return conditionsOf(o).find((candidate) => candidate.type === type)
}

export const isReady = (pod: unknown): boolean => condition(pod, 'Ready')?.status === 'True'

const groups: Readonly<Record<string, string>> = {
  cronjobs: '/apis/batch/v1',
  daemonsets: '/apis/apps/v1',
  deployments: '/apis/apps/v1',
  endpointslices: '/apis/discovery.k8s.io/v1',
  horizontalpodautoscalers: '/apis/autoscaling/v2',
  ingresses: '/apis/networking.k8s.io/v1',
  ingressclasses: '/apis/networking.k8s.io/v1',
  jobs: '/apis/batch/v1',
  poddisruptionbudgets: '/apis/policy/v1',
  priorityclasses: '/apis/scheduling.k8s.io/v1',
  replicasets: '/apis/apps/v1',
  statefulsets: '/apis/apps/v1',
  storageclasses: '/apis/storage.k8s.io/v1',
}
const clusterWide = new Set([
  'ingressclasses',
  'namespaces',
  'nodes',
  'persistentvolumes',
  'priorityclasses',
  'storageclasses',
])

/** A server in this process whose clock stands still until {@link pass}; with controllers unless told otherwise. */
export class SimulatedCluster {
  readonly clock = new ManualClock()
  readonly errors: unknown[] = []
  readonly #server: ApiServer

  constructor(options: { readonly controllers?: boolean; readonly serviceAccounts?: boolean } = {}) {
    this.#server = new ApiServer({
      clock: this.clock,
      onError: (error) => this.errors.push(error),
      ...(options.serviceAccounts && { serviceAccounts: true }),
    })
    bootstrap(this.#server)
    if (options.controllers !== false) startControllers(this.#server, { onError: (error) => this.errors.push(error) })
  }

  pass(seconds: number): void {
    this.clock.advance(seconds * 1000)
  }

  ask(method: string, path: string, body?: object, type = 'application/json'): { status: number; body: Body } {
    const headers = { 'content-type': type }
    const answer = this.#server.handle({ method, path, headers, user, ...(body && { body }) })
    return { status: answer.status, body: answer.kind === 'json' ? (answer.body as Body) : {} }
  }

  create(resource: string, body: Body, namespace = 'default'): Body {
    const { status, body: made } = this.ask('POST', path(resource, namespace), body)
    if (status !== 201) throw new Error(`${status} ${String(at(made, 'message'))}`)
    return made
  }

  /** The message of a create that is refused. */
  refusal(resource: string, body: Body): string {
    const { status, body: answer } = this.ask('POST', path(resource, 'default'), body)
    if (status < 300) throw new Error('it was accepted')
    return String(at(answer, 'message'))
  }

  /** The texts of the warnings that a create is answered with. */
  warnings(resource: string, body: Body): string[] {
    const headers = { 'content-type': 'application/json' }
    const answer = this.#server.handle({ method: 'POST', path: path(resource, 'default'), headers, user, body })
    const { warning = [] } = answer.headers
    return [warning].flat().map((text) => text.replace(/^299 - "(.*)"$/u, '$1'))
  }

  get(resource: string, name: string, namespace = 'default'): Body | undefined {
    const { status, body } = this.ask('GET', `${path(resource, namespace)}/${name}`)
    return status === 200 ? body : undefined
  }

  list(resource: string, namespace = 'default'): readonly Body[] {
    return (at(this.ask('GET', path(resource, namespace)).body, 'items') as readonly Body[] | undefined) ?? []
  }

  names(resource: string, namespace = 'default'): string[] {
    return this.list(resource, namespace).map((o) => String(at(o, 'metadata', 'name')))
  }

  patch(resource: string, name: string, change: object): Body {
    const target = `${path(resource, 'default')}/${name}`
    const { status, body } = this.ask('PATCH', target, change, 'application/merge-patch+json')
    if (status !== 200) throw new Error(`${status} ${String(at(body, 'message'))}`)
    return body
  }

  delete(resource: string, name: string, query = ''): Body {
    return this.ask('DELETE', `${path(resource, 'default')}/${name}${query}`).body
  }
}

function path(resource: string, namespace: string): string {
  const group = groups[resource] ?? '/api/v1'
  return clusterWide.has(resource) ? `${group}/${resource}` : `${group}/namespaces/${namespace}/${resource}`
}

/** A pod template with one container, labelled `app: <name>`; `does` is how its pods behave. */
export function podTemplate(name: string, does?: string, spec: object = {}): { metadata: object; spec: object } {
  return {
    metadata: {
      labels: { app: name },
      ...(does !== undefined && { annotations: { 'simulator.plumbline.dev/pod': does } }),
    },
    spec: { containers: [{ name: 'main', image: 'example.com/app:1' }], ...spec },
  }
}

export function workload(name: string, spec: object, does?: string): Body {
  return {
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: podTemplate(name, does), ...spec },
  }
}
