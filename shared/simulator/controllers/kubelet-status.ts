import type { Json } from '../kinds/json.ts'
import { objectAt, objectsAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Condition } from './conditions.ts'
import { withCondition } from './conditions.ts'
import { simulatedAddress } from './node.ts'

/** What a pod's containers are doing. */
export type PodFate =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message: string }
  | { readonly kind: 'running'; readonly ready: boolean }
  | { readonly kind: 'crashing'; readonly restarts: number }
  | { readonly kind: 'ended'; readonly exitCode: number }

const honest = 'simulated by Plumbline: no container runs'

/** A pod's status under a fate; conditions keep their times while they stay the same. */
export function podStatus(pod: KubeObject, fate: PodFate, now: string): Json {
  const before = objectAt(pod, 'status') ?? {}
  const spec = objectAt(pod, 'spec') ?? {}
  const ip = textAt(before, 'podIP') || podIp(pod, spec)
  return {
    phase: phase(fate),
    message: honest,
    observedGeneration: pod.metadata.generation ?? 1,
    conditions: conditions(pod, before, fate, now),
    hostIP: simulatedAddress,
    hostIPs: [{ ip: simulatedAddress }],
    ...(fate.kind !== 'waiting' && { podIP: ip, podIPs: [{ ip }] }),
    startTime: before['startTime'] ?? now,
    ...statuses(spec, before, fate, now),
    qosClass: before['qosClass'],
  }
}

function phase(fate: PodFate): string {
  if (fate.kind === 'waiting') return 'Pending'
  if (fate.kind === 'ended') return fate.exitCode === 0 ? 'Succeeded' : 'Failed'
  return 'Running'
}

/** An address of the simulated pod network, always the same for the same pod. */
function podIp(pod: KubeObject, spec: Json): string {
  if (spec['hostNetwork'] === true) return simulatedAddress
  const digits = (pod.metadata.uid ?? '').replaceAll('-', '').slice(-6)
  const number = Number.parseInt(digits === '' ? '1' : digits, 16)
  return `10.${64 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${1 + ((number & 255) % 254)}`
}

const yes = (type: string): Condition => ({ type, status: 'True', reason: '', message: '' })

function conditions(pod: KubeObject, before: Json, fate: PodFate, now: string): readonly Json[] {
  const ready = fate.kind === 'running' && fate.ready
  const ended = fate.kind === 'ended' && fate.exitCode === 0
  const why = ended ? 'PodCompleted' : 'ContainersNotReady'
  const no = (type: string): Condition => {
    const names = objectsAt(objectAt(pod, 'spec'), 'containers').map((c) => textAt(c, 'name'))
    const message = ended ? '' : `containers with unready status: [${names.join(' ')}]`
    return { type, status: 'False', reason: why, message }
  }
  const wanted: readonly Condition[] = [
    yes('PodReadyToStartContainers'),
    yes('Initialized'),
    ready ? yes('Ready') : no('Ready'),
    ready ? yes('ContainersReady') : no('ContainersReady'),
    yes('PodScheduled'),
  ]
  let known: Json[] = objectsAt(before, 'conditions').map((condition) => ({ reason: '', message: '', ...condition }))
  for (const condition of wanted) known = [...withCondition(known, condition, now)]
  const order = wanted.map(({ type }) => type)
  const place = (condition: Json): number => order.indexOf(textAt(condition, 'type'))
  return known
    .toSorted((a, b) => place(a) - place(b))
    .map(({ reason, message, ...rest }) => ({
      ...rest,
      lastProbeTime: null,
      observedGeneration: pod.metadata.generation ?? 1,
      ...(reason !== '' && { reason }),
      ...(message !== '' && { message }),
    }))
}

function statuses(spec: Json, before: Json, fate: PodFate, now: string): Json {
  const started = (index: number): unknown => {
    const known = objectAt(objectsAt(before, 'containerStatuses')[index], 'state')
    return objectAt(known, 'running')?.['startedAt'] ?? now
  }
  const containers = objectsAt(spec, 'containers').map((container, i) =>
    containerStatus(container, fate, started(i), now),
  )
  const inits = objectsAt(spec, 'initContainers')
  if (inits.length === 0) return { containerStatuses: containers }
  const done = { kind: 'ended', exitCode: 0 } as const
  const running = { kind: 'running', ready: true } as const
  const initContainerStatuses = inits.map((container) => {
    const sidecar = container['restartPolicy'] === 'Always' && fate.kind !== 'ended'
    const own = fate.kind === 'waiting' ? ({ ...fate, reason: 'PodInitializing' } as const) : sidecar ? running : done
    return { ...containerStatus(container, own, now, now), ready: own.kind !== 'waiting' }
  })
  return { initContainerStatuses, containerStatuses: containers }
}

function containerStatus(container: Json, fate: PodFate, startedAt: unknown, now: string): Json {
  const image = textAt(container, 'image')
  const name = textAt(container, 'name')
  const ran = fate.kind !== 'waiting'
  return {
    name,
    state: state(fate, startedAt, now),
    lastState: fate.kind === 'crashing' ? { terminated: terminated(1, startedAt, now) } : {},
    ready: fate.kind === 'running' && fate.ready,
    restartCount: fate.kind === 'crashing' ? fate.restarts : 0,
    image,
    imageID: ran ? `simulated://${image}` : '',
    ...(ran && { containerID: `simulated://${name}` }),
    started: fate.kind === 'running',
  }
}

function state(fate: PodFate, startedAt: unknown, now: string): Json {
  switch (fate.kind) {
    case 'waiting':
      return { waiting: { reason: fate.reason, ...(fate.message !== '' && { message: fate.message }) } }
    case 'running':
      return { running: { startedAt } }
    case 'crashing':
      return { waiting: { reason: 'CrashLoopBackOff', message: 'back-off restarting failed container (simulated)' } }
    case 'ended':
      return { terminated: terminated(fate.exitCode, startedAt, now) }
  }
}

function terminated(exitCode: number, startedAt: unknown, finishedAt: string): Json {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error', startedAt, finishedAt }
}
