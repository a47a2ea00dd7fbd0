import type { JsonRequest } from './control-plane-client.ts'
import { NODE_NAME } from './control-plane-seed.ts'

/** What the simulated kubelet reads of a pod. */
export interface Pod {
  readonly metadata: {
    readonly namespace: string
    readonly name: string
    readonly uid: string
    readonly generation?: number
    readonly deletionTimestamp?: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly nodeName?: string
    readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never'
    readonly schedulingGates?: readonly unknown[]
    readonly containers: readonly Container[]
    readonly initContainers?: readonly Container[]
  }
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] }
}

interface Container {
  readonly name: string
  readonly image?: string
  readonly restartPolicy?: string
}

interface Condition {
  readonly type: string
  readonly status: string
}

/** One request to the pod's own path followed by `subresource`. */
export interface PodStep {
  readonly subresource: '' | '/binding' | '/status'
  readonly request: JsonRequest
}

/** Hint in a pod template: `never-ready` runs and is never ready, `fail` exits with status 1. */
const POD_HINT = 'simulator.plumbline.dev/pod'

/** What a scheduler or a kubelet would write next for this pod, or undefined when it has come to rest. */
export function nextStep(pod: Pod): PodStep | undefined {
  if (pod.metadata.deletionTimestamp !== undefined) return finishDeletion(pod)
  if ((pod.spec.schedulingGates ?? []).length > 0) return undefined
  if (pod.spec.nodeName === undefined) return bind(pod)
  const phase = pod.status?.phase ?? 'Pending'
  const hint = pod.metadata.annotations?.[POD_HINT]
  const ends = pod.spec.restartPolicy !== undefined && pod.spec.restartPolicy !== 'Always'
  if (phase === 'Pending') {
    if (hint === 'fail' && !ends) return report(pod, 'Running', crashing)
    return report(pod, 'Running', hint === undefined ? ready : starting)
  }
  if (phase === 'Running' && ends && hint !== 'never-ready') {
    return hint === 'fail' ? report(pod, 'Failed', exited(1)) : report(pod, 'Succeeded', exited(0))
  }
  return undefined
}

function finishDeletion({ metadata }: Pod): PodStep {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } }
  return { subresource: '', request: { method: 'DELETE', body } }
}

function bind({ metadata }: Pod): PodStep {
  const target = { apiVersion: 'v1', kind: 'Node', name: NODE_NAME }
  const body = { apiVersion: 'v1', kind: 'Binding', metadata: { name: metadata.name, uid: metadata.uid }, target }
  return { subresource: '/binding', request: { method: 'POST', body } }
}

interface ContainerState {
  readonly ready: boolean
  readonly started: boolean
  readonly restarts: number
  readonly state: unknown
}

type StateAt = (time: string) => ContainerState

const ready: StateAt = (time) => ({ ready: true, started: true, restarts: 0, state: { running: { startedAt: time } } })

const starting: StateAt = (time) => ({ ...ready(time), ready: false })

const crashing: StateAt = () => ({
  ready: false,
  started: false,
  restarts: 1,
  state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container' } },
})

function exited(exitCode: 0 | 1): StateAt {
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  return (time) => ({
    ready: false,
    started: false,
    restarts: 0,
    state: { terminated: { exitCode, reason, startedAt: time, finishedAt: time } },
  })
}

function report(pod: Pod, phase: string, stateAt: StateAt): PodStep {
  const time = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
  const state = stateAt(time)
  const initState = exited(0)(time)
  const status = {
    phase,
    observedGeneration: pod.metadata.generation,
    conditions: conditions(pod, phase, state.ready, time),
    hostIP: '192.0.2.1',
    hostIPs: [{ ip: '192.0.2.1' }],
    ...address(pod.metadata.uid),
    startTime: time,
    containerStatuses: pod.spec.containers.map((container) => containerStatus(container, state)),
    initContainerStatuses: (pod.spec.initContainers ?? []).map((container) =>
      containerStatus(container, container.restartPolicy === 'Always' ? state : { ...initState, ready: true }),
    ),
  }
  const body = { metadata: { uid: pod.metadata.uid }, status }
  return { subresource: '/status', request: { method: 'PATCH', type: 'application/strategic-merge-patch+json', body } }
}

function conditions(pod: Pod, phase: string, isReady: boolean, time: string): readonly unknown[] {
  const readyReason = phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : 'ContainersNotReady'
  const wanted = [
    { type: 'Initialized', status: 'True' },
    { type: 'ContainersReady', status: isReady ? 'True' : 'False', ...(isReady ? {} : { reason: readyReason }) },
    { type: 'Ready', status: isReady ? 'True' : 'False', ...(isReady ? {} : { reason: readyReason }) },
  ]
  const had = new Map((pod.status?.conditions ?? []).map((condition) => [condition.type, condition.status]))
  return wanted.map((condition) =>
    had.get(condition.type) === condition.status ? condition : { ...condition, lastTransitionTime: time },
  )
}

function containerStatus({ name, image }: Container, { ready, started, restarts, state }: ContainerState): unknown {
  return { name, image: image ?? '', imageID: '', ready, started, restartCount: restarts, state, lastState: {} }
}

// Same pod, same address, without a table: 24 bits of the uid, kept off .0 and .255.
function address(uid: string): { readonly podIP: string; readonly podIPs: readonly unknown[] } {
  const bits = Number.parseInt(uid.slice(0, 8), 16)
  const podIP = `10.${(bits >>> 16) & 255}.${(bits >>> 8) & 255}.${1 + (bits % 254)}`
  return { podIP, podIPs: [{ ip: podIP }] }
}
