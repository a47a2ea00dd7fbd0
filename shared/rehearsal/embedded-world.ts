import type { Cluster } from '../kube/cluster.ts'
import { isArray, isObject, valueAt } from '../model/json.ts'
import type { KubeObject } from '../model/kubernetes.ts'
import type { Plan } from '../model/plan.ts'
import type { ClockPort, ClusterPort } from '../model/ports.ts'
import type { Fault } from '../model/rehearsal.ts'
import { STORE_NAMESPACE } from '../store/cluster-store.ts'
import { ManualClock } from '../simulator/clock.ts'
import { startControllers } from '../simulator/controllers/start.ts'
import type { MemoryStore } from '../simulator/storage/memory-store.ts'
import { EmbeddedCluster } from './embedded-cluster.ts'
import { filledServer } from './embedded-state.ts'
import { interceptorsFor } from './faults.ts'
import { FaultyServer } from './faulty-server.ts'
import { listAt, textAt } from './fill-scope.ts'
import { podRefusals, type PodAnswers } from './real-pods.ts'
import { refusalsOf } from './real-refusals.ts'
import type { Recording } from './recording.ts'
import { WorldClock } from './world-clock.ts'
import type { World } from './world.ts'

export type EmbeddedOptions = {
  readonly faults: readonly Fault[]
  /** The real cluster's own plan, where it was there to be asked. */
  readonly real: Plan | undefined
  /** What the real server says of the pods that the sync brings. */
  readonly pods: PodAnswers
}

/** Nothing more happens when nothing has for so long. */
const QUIET_MS = 60_000
/** What is on its way has its own deadline (a rollout's is 10 min by default), at which something happens yet. */
const LONG_QUIET_MS = 11 * 60_000
/** Something that never rests is left after this time. */
const RESTLESS_MS = 15 * 60_000
const POD_STOP_MS = 1000
/** A Job's pod ends after this time. */
const POD_RUN_MS = 3000

/** A fork in memory of the embedded server, with simulated time. */
export class EmbeddedWorld implements World {
  readonly place = { kind: 'embedded' } as const
  readonly cluster: ClusterPort
  readonly client: Cluster
  readonly clock: ClockPort
  readonly unserved: readonly KubeObject[]
  readonly podStart: World['podStart']
  /** For whoever wants to look inside afterwards. */
  readonly store: MemoryStore
  readonly #embedded: EmbeddedCluster
  readonly #worldClock: WorldClock
  readonly #stop: () => void

  constructor(recording: Recording, { faults, real, pods: answers }: EmbeddedOptions) {
    const manual = new ManualClock(Date.now())
    const interceptors = [...refusalsOf(real), ...podRefusals(answers), ...interceptorsFor(faults)]
    const serviceAccounts = usesServiceAccounts(recording.objects)
    const filled = filledServer(
      (options) => new FaultyServer({ ...options, clock: manual, serviceAccounts }, interceptors),
      [...recording.objects, ...unseenNodes(recording.objects)],
    )
    const { server } = filled
    this.unserved = filled.unserved
    this.store = server.store
    this.podStart = podStartOf(recording.objects)
    const pods = new Set(recording.objects.filter(({ kind }) => kind === 'Pod').map(({ metadata }) => metadata.uid))
    const controllers = startControllers(server, {
      podStartMs: this.podStart.startMs,
      podRunMs: POD_RUN_MS,
      podStopMs: POD_STOP_MS,
      // What runs on the real cluster goes on as it was seen there.
      leavesPod: (uid) => pods.has(uid),
      classlessVolumes: false,
    })
    let changes = 0
    const unsubscribe = server.store.subscribe({
      // What the sync notes down of itself is no reason for it to look again.
      event: ({ resource, namespace }) => {
        if (resource.resource !== 'events' && namespace !== STORE_NAMESPACE) changes += 1
      },
    })
    this.#worldClock = new WorldClock(manual, () => changes)
    this.clock = this.#worldClock
    this.#embedded = new EmbeddedCluster(server, recording.context)
    this.cluster = this.#embedded
    this.client = this.#embedded.client
    this.#stop = () => {
      unsubscribe()
      controllers.stop()
    }
    // Controllers look at everything when they start, and change nothing about a cluster that is at rest.
    manual.advance(1)
  }

  *objects(): Iterable<KubeObject> {
    for (const [, object] of this.store.state().objects) yield object as unknown as KubeObject
  }

  onObject(listener: (object: KubeObject, gone: boolean) => void): () => void {
    return this.store.subscribe({
      event: ({ object, type }) => listener(object as unknown as KubeObject, type === 'DELETED'),
    })
  }

  async rest(unsettled: () => boolean): Promise<void> {
    this.#worldClock.rest(() => (unsettled() ? LONG_QUIET_MS : QUIET_MS), RESTLESS_MS)
  }

  async dispose(): Promise<void> {
    this.#stop()
    await this.#embedded.dispose()
  }
}

/** Whether pods of the cluster are given their service account's token, as its admission does where it is on. */
function usesServiceAccounts(objects: readonly KubeObject[]): boolean {
  const pods = objects.filter(({ kind }) => kind === 'Pod')
  if (pods.length === 0) return false
  return pods.some((pod) =>
    listAt(valueAt(pod, ['spec']), 'volumes').some((volume) => textAt(volume, 'name').startsWith('kube-api-access-')),
  )
}

/** Nodes that pods run on and that could not be read. */
function unseenNodes(objects: readonly KubeObject[]): readonly KubeObject[] {
  const seen = new Set(objects.filter(({ kind }) => kind === 'Node').map(({ metadata }) => metadata.name))
  const named = new Set(objects.map((object) => (object.kind === 'Pod' ? valueAt(object, ['spec', 'nodeName']) : '')))
  return [...named].flatMap((name): readonly KubeObject[] => {
    if (typeof name !== 'string' || name === '' || seen.has(name)) return []
    const labels = { 'kubernetes.io/hostname': name, 'simulator.plumbline.dev/simulated': 'true' }
    return [{ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: {} }]
  })
}

const ASSUMED_START_MS = 2000

/** The median of what the cluster's own pods took from their start until they were ready. */
function podStartOf(objects: readonly KubeObject[]): World['podStart'] {
  const times = objects
    .flatMap((pod) => {
      if (pod.kind !== 'Pod') return []
      const started = Date.parse(textAt(pod, 'status', 'startTime'))
      const conditions = valueAt(pod, ['status', 'conditions'])
      const ready = (isArray(conditions) ? conditions : []).find(
        (one) => isObject(one) && one['type'] === 'Ready' && one['status'] === 'True',
      )
      const took = Date.parse(textAt(ready, 'lastTransitionTime')) - started
      // A pod that was ready, then not, then ready again says nothing about its start.
      return took >= 0 && took < 10 * 60_000 ? [took] : []
    })
    .sort((a, b) => a - b)
  const median = times[Math.floor(times.length / 2)]
  return median === undefined
    ? { startMs: ASSUMED_START_MS, measuredOn: 0 }
    : { startMs: Math.max(median, 100), measuredOn: times.length }
}
