import type { Json } from '../kinds/json.ts'
import { objectAt, textAt, textMapAt } from '../kinds/json.ts'
import { selectorMatches } from '../kinds/checks.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { keyOf, splitKey } from './controller.ts'
import { syncSlices } from './endpoint-slices.ts'
import { isReady, isTerminating, phaseOf } from './pod-state.ts'
import { endpointSlices, endpoints, pods, services } from './resources.ts'
import type { EndpointPort } from './service-ports.ts'
import { podIp, podReference, portJson, portsFor, serves } from './service-ports.ts'

/** Endpoints and EndpointSlices of services that select pods. */
export function endpointsController(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'endpoints'
  const wake = (namespace: string, states: readonly (KubeObject | undefined)[]): void => {
    for (const service of host.list(services, namespace)) {
      const selector = selectorOf(service)
      if (selector && states.some((pod) => pod && selectorMatches(selector, pod.metadata.labels ?? {}))) {
        queue.add(name, keyOf(service))
      }
    }
  }
  return {
    name,
    watches: [
      [services, ({ object }) => queue.add(name, keyOf(object))],
      [
        pods,
        ({ object, previous, namespace, type }) => {
          if (type === 'MODIFIED' && previous && sameForServices(object, previous)) return
          wake(namespace, [object, previous])
        },
      ],
      [
        endpointSlices,
        ({ object, type }) => {
          const service = object.metadata.labels?.['kubernetes.io/service-name']
          if (type === 'DELETED' && service !== undefined)
            queue.add(name, `${object.metadata.namespace ?? ''}/${service}`)
        },
      ],
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      const service = host.get(services, namespace, object)
      if (!service) {
        const left = host.get(endpoints, namespace, object)
        if (left?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller')
          host.delete(endpoints, left)
        return
      }
      const selector = selectorOf(service)
      if (!selector || isTerminating(service)) return
      const chosen = host.list(pods, namespace).filter((pod) => selectorMatches(selector, pod.metadata.labels ?? {}))
      const backing = chosen.filter((pod) => podIp(pod) !== '' && !['Succeeded', 'Failed'].includes(phaseOf(pod)))
      syncEndpoints(setting, service, backing)
      syncSlices(host, service, backing)
    },
  }
}

function sameForServices(a: KubeObject, b: KubeObject): boolean {
  return (
    isReady(a) === isReady(b) &&
    podIp(a) === podIp(b) &&
    phaseOf(a) === phaseOf(b) &&
    isTerminating(a) === isTerminating(b) &&
    sameJson(a.metadata.labels, b.metadata.labels)
  )
}

function selectorOf(service: KubeObject): Json | undefined {
  const spec = objectAt(service, 'spec')
  const selector = textMapAt(spec, 'selector')
  if (Object.keys(selector).length === 0 || textAt(spec, 'type') === 'ExternalName') return undefined
  return { matchLabels: selector }
}

function syncEndpoints({ host }: Setting, service: KubeObject, backing: readonly KubeObject[]): void {
  const { name = '', namespace = '' } = service.metadata
  const subsets = subsetsOf(service, backing)
  const labels: Record<string, string> = { ...service.metadata.labels }
  labels['endpoints.kubernetes.io/managed-by'] = 'endpoint-controller'
  if (textAt(objectAt(service, 'spec'), 'clusterIP') === 'None') labels['service.kubernetes.io/headless'] = ''
  const live = host.get(endpoints, namespace, name)
  if (live && sameJson(live['subsets'] ?? [], subsets) && sameJson(live.metadata.labels ?? {}, labels)) return
  const metadata = live ? { ...live.metadata, labels } : { name, namespace, labels }
  const next = { apiVersion: 'v1', kind: 'Endpoints', metadata, ...(subsets.length > 0 && { subsets }) }
  if (live) host.update(endpoints, next)
  else host.create(endpoints, next)
}

const byIp = (a: Json, b: Json): number => textAt(a, 'ip').localeCompare(textAt(b, 'ip'))

function subsetsOf(service: KubeObject, backing: readonly KubeObject[]): Json[] {
  const groups = new Map<string, { ports: EndpointPort[]; ready: Json[]; waiting: Json[] }>()
  for (const pod of backing) {
    if (isTerminating(pod)) continue
    const ports = portsFor(service, pod)
    const key = JSON.stringify(ports)
    const group = groups.get(key) ?? { ports, ready: [], waiting: [] }
    groups.set(key, group)
    const address: Json = {
      ip: podIp(pod),
      nodeName: textAt(objectAt(pod, 'spec'), 'nodeName'),
      targetRef: podReference(pod),
    }
    ;(serves(service, pod) ? group.ready : group.waiting).push(address)
  }
  return [...groups.values()].map(({ ports, ready, waiting }) => ({
    ...(ready.length > 0 && { addresses: ready.sort(byIp) }),
    ...(waiting.length > 0 && { notReadyAddresses: waiting.sort(byIp) }),
    ...(ports.length > 0 && { ports: ports.map(portJson) }),
  }))
}
