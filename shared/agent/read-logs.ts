import type { LogLine } from '../model/front.ts'
import { isArray, isObject, parseJson, type Json } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'
import type { ContainerRow, LogParams } from './application-contract.ts'
import type { HostedSession } from './hosted-session.ts'

/** What one answer may have; a pod can write more in a second than anybody reads. */
const MOST_BYTES = 1024 * 1024
const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) /

type PodParams = { readonly application: string; readonly namespace: string; readonly pod: string }

/** The containers of a pod, as its status tells them. @throws ClusterError */
export async function containersOf(
  hosted: HostedSession,
  { application, namespace, pod }: PodParams,
  options: Cancellable,
): Promise<readonly ContainerRow[]> {
  const cluster = await hosted.session.clusterOf(await hosted.application(application))
  const object = parseJson(await cluster.raw(podPath(namespace, pod), options))
  const spec = field(object, 'spec')
  const status = field(object, 'status')
  return [
    ...rowsOf(field(spec, 'initContainers'), field(status, 'initContainerStatuses'), true),
    ...rowsOf(field(spec, 'containers'), field(status, 'containerStatuses'), false),
  ]
}

/** Lines of one container's log, the oldest first. @throws ClusterError */
export async function readLogs(
  hosted: HostedSession,
  { application, namespace, pod, container, previous, tail, since }: Omit<LogParams, 'session'>,
  options: Cancellable,
): Promise<readonly LogLine[]> {
  const cluster = await hosted.session.clusterOf(await hosted.application(application))
  const query = new URLSearchParams({ timestamps: 'true', limitBytes: String(MOST_BYTES) })
  if (container !== undefined) query.set('container', container)
  if (previous === true) query.set('previous', 'true')
  if (tail !== undefined) query.set('tailLines', String(tail))
  // The server counts in whole seconds; what it repeats is left out below.
  if (since !== undefined) query.set('sinceTime', since)
  const text = await cluster.raw(`${podPath(namespace, pod)}/log?${query.toString()}`, options)
  const lines = text.split('\n').filter((line, index, all) => line !== '' || index < all.length - 1)
  return lines
    .map((line) => ({ pod, container: container ?? '', ...stamped(line) }))
    .filter(({ time }) => since === undefined || time > since)
}

function podPath(namespace: string, pod: string): string {
  return `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}`
}

function stamped(text: string): Pick<LogLine, 'time' | 'text'> {
  const time = STAMP.exec(text)?.[1]
  return time === undefined ? { time: '', text } : { time, text: text.slice(time.length + 1) }
}

function rowsOf(containers: Json | undefined, statuses: Json | undefined, init: boolean): readonly ContainerRow[] {
  const known = new Map(list(statuses).map((status) => [field(status, 'name'), status]))
  return list(containers).map((container) => {
    const name = field(container, 'name')
    const status = known.get(name)
    const restarts = field(status, 'restartCount')
    return {
      name: typeof name === 'string' ? name : '',
      init,
      state: stateOf(field(status, 'state')),
      restarts: typeof restarts === 'number' ? restarts : 0,
    }
  })
}

function stateOf(state: Json | undefined): string {
  for (const kind of ['waiting', 'terminated']) {
    const reason = field(field(state, kind), 'reason')
    if (typeof reason === 'string') return reason
  }
  return field(state, 'running') === undefined ? 'waiting' : 'running'
}

function field(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? value[name] : undefined
}

function list(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : []
}
