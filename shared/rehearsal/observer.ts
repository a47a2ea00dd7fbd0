import { HEALTH_ORDER, type Health, type HealthCode } from '../model/health.ts'
import { valueAt } from '../model/json.ts'
import { idOf, resourceKey, type KubeObject } from '../model/kubernetes.ts'
import type { HealthMark, ReadyMark } from '../model/rehearsal.ts'
import { listAt } from './fill-scope.ts'
import { PodIndex } from './pod-index.ts'

export type ObserverOptions = {
  /** `resourceKey`s of what the application wants. */
  readonly managed: ReadonlySet<string>
  readonly judge: (object: KubeObject) => Health | undefined
  readonly onHealth: (mark: HealthMark) => void
  readonly onReady: (mark: ReadyMark) => void
}

const SERVICE_NAME = 'kubernetes.io/service-name'
const ABSENT: Health = { status: 'Missing' }

/**
 * Watches a cluster while a sync runs there, and keeps what is told of it afterwards: health and ready pods over time, and
 * how things stood before. Moments without length leave no mark.
 */
export class Observer {
  /** Everything that there was before, and everything that there is, by resource key. */
  readonly before = new Map<string, KubeObject>()
  readonly now = new Map<string, KubeObject>()
  readonly health: HealthMark[] = []
  readonly ready: ReadyMark[] = []
  readonly pods = new PodIndex()
  readonly #options: ObserverOptions
  readonly #lastHealth = new Map<string, HealthCode>()
  readonly #lastReady = new Map<string, string>()
  readonly #dirty = new Set<string>()
  readonly #dirtyWorkloads = new Set<string>()
  #atMs = 0

  /** When something changed last. */
  get lastMs(): number {
    return this.#atMs
  }

  constructor(options: ObserverOptions) {
    this.#options = options
  }

  /** Takes up how things stand before the sync. */
  begin(objects: Iterable<KubeObject>): void {
    const all = [...objects]
    for (const object of all) {
      const key = resourceKey(idOf(object))
      this.before.set(key, object)
      this.now.set(key, object)
      if (object.kind !== 'Pod') this.pods.take(object, false)
    }
    for (const object of all) if (object.kind === 'Pod') this.#takePod(object, false)
    for (const key of this.#options.managed) this.#dirty.add(key)
    this.flush()
  }

  change(atMs: number, object: KubeObject, gone: boolean): void {
    if (atMs > this.#atMs) {
      this.flush()
      this.#atMs = atMs
    }
    const key = resourceKey(idOf(object))
    if (gone) this.now.delete(key)
    else this.now.set(key, object)
    this.#takePod(object, gone)
    if (this.#options.managed.has(key)) this.#dirty.add(key)
    if (this.#lastReady.has(key)) this.#dirtyWorkloads.add(key)
  }

  /** Writes down what has come of the moment that is over. */
  flush(): void {
    for (const key of this.#dirty) this.#markHealth(key)
    if (this.#dirty.size > 0) this.#markApplication()
    this.#dirty.clear()
    for (const key of this.#dirtyWorkloads) this.#markReady(key)
    this.#dirtyWorkloads.clear()
  }

  /** Whether something that the application wants is still on its way. */
  isUnsettled(): boolean {
    this.flush()
    return [...this.#lastHealth.values()].includes('Progressing')
  }

  /** Since when the object has been healthy without a break; undefined where it is not. */
  healthySince(key: string): number | undefined {
    const last = this.health.findLast((mark) => mark.key === key)
    return last?.health === 'Healthy' ? last.atMs : undefined
  }

  /** How many endpoints of a Service take requests, before or now. */
  endpoints(service: KubeObject, when: ReadonlyMap<string, KubeObject>): number {
    const { name, namespace } = service.metadata
    let count = 0
    for (const slice of when.values()) {
      if (slice.kind !== 'EndpointSlice' || slice.metadata.namespace !== namespace) continue
      if (slice.metadata.labels?.[SERVICE_NAME] !== name) continue
      const ready = listAt(slice, 'endpoints').filter((one) => valueAt(one, ['conditions', 'ready']) !== false)
      count += ready.reduce<number>((sum, one) => sum + listAt(one, 'addresses').length, 0)
    }
    return count
  }

  #takePod(object: KubeObject, gone: boolean): void {
    const workload = this.pods.take(object, gone)
    if (workload !== undefined) this.#dirtyWorkloads.add(workload)
  }

  #markHealth(key: string): void {
    const object = this.now.get(key)
    const health: Health | undefined = object === undefined ? ABSENT : this.#options.judge(object)
    if (health === undefined) {
      this.#lastHealth.delete(key)
      return
    }
    if (this.#lastHealth.get(key) === health.status) return
    this.#lastHealth.set(key, health.status)
    const { message } = health
    this.#tellHealth({ atMs: this.#atMs, key, health: health.status, ...(message === undefined ? {} : { message }) })
  }

  #markApplication(): void {
    const worst = [...this.#lastHealth]
      .filter(([key]) => key !== '')
      .reduce((most, [, status]) => Math.max(most, HEALTH_ORDER.indexOf(status)), 0)
    const health = HEALTH_ORDER[worst] ?? 'Unknown'
    if (this.#lastHealth.get('') === health) return
    this.#lastHealth.set('', health)
    this.#tellHealth({ atMs: this.#atMs, key: '', health })
  }

  #tellHealth(mark: HealthMark): void {
    this.health.push(mark)
    this.#options.onHealth(mark)
  }

  #markReady(key: string): void {
    const mark = { atMs: this.#atMs, key, ready: this.pods.ready(key), wanted: wantedPods(this.now.get(key)) }
    const words = `${mark.ready}/${mark.wanted}`
    if (this.#lastReady.get(key) === words) return
    this.#lastReady.set(key, words)
    this.ready.push(mark)
    this.#options.onReady(mark)
  }
}

/** As many pods as an object is to have; a DaemonSet says it in its status. */
export function wantedPods(object: KubeObject | undefined): number {
  if (object === undefined) return 0
  const path = object.kind === 'DaemonSet' ? ['status', 'desiredNumberScheduled'] : ['spec', 'replicas']
  const wanted = valueAt(object, path)
  if (typeof wanted === 'number') return wanted
  return object.kind === 'DaemonSet' ? 0 : 1
}
