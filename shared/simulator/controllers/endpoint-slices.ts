import type { Json } from '../kinds/json.ts'
import { objectAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import type { Host } from './host.ts'
import { controllerReference } from './ownership.ts'
import { isReady, isTerminating } from './pod-state.ts'
import { endpointSlices, nodes } from './resources.ts'
import type { EndpointPort } from './service-ports.ts'
import { podIp, podReference, portsFor } from './service-ports.ts'

const serviceName = 'kubernetes.io/service-name'
const managedBy = 'endpointslice.kubernetes.io/managed-by'
const manager = 'endpointslice-controller.k8s.io'
/** Endpoints that one slice holds. */
const sliceSize = 100

interface Slice {
  readonly ports: readonly EndpointPort[]
  readonly endpoints: readonly Json[]
}

/** Makes the slices of a service hold its pods; slices that are right already stay as they are. */
export function syncSlices(host: Host, service: KubeObject, backing: readonly KubeObject[]): void {
  const { name = '', namespace = '' } = service.metadata
  const mine = host.index
    .controlled(service.metadata.uid ?? '', endpointSlices)
    .filter((slice) => slice.metadata.labels?.[managedBy] === manager)
  const wanted = slicesOf(host, service, backing).map((slice) => content(slice))
  const labels = labelsOf(service, name)
  const unused = [...mine]
  const missing = wanted.filter((slice) => {
    const same = unused.findIndex((live) => sameJson(contentOf(live), slice) && sameJson(live.metadata.labels, labels))
    if (same < 0) return true
    unused.splice(same, 1)
    return false
  })
  for (const slice of missing) {
    const live = unused.shift()
    if (live) host.update(endpointSlices, { ...live, metadata: { ...live.metadata, labels }, ...slice })
    else {
      const metadata = { generateName: `${name}-`, namespace, labels, ownerReferences: [controllerReference(service)] }
      host.create(endpointSlices, {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata,
        addressType: 'IPv4',
        ...slice,
      })
    }
  }
  for (const live of unused) host.delete(endpointSlices, live)
}

function labelsOf(service: KubeObject, name: string): Record<string, string> {
  const headless = textAt(objectAt(service, 'spec'), 'clusterIP') === 'None'
  return {
    ...service.metadata.labels,
    ...(headless && { 'service.kubernetes.io/headless': '' }),
    [managedBy]: manager,
    [serviceName]: name,
  }
}

/** A service without pods has one empty slice. */
function slicesOf(host: Host, service: KubeObject, backing: readonly KubeObject[]): Slice[] {
  const groups = new Map<string, { ports: readonly EndpointPort[]; endpoints: Json[] }>()
  for (const pod of backing.toSorted((a, b) => podIp(a).localeCompare(podIp(b)))) {
    const ports = portsFor(service, pod)
    const key = JSON.stringify(ports)
    const group = groups.get(key) ?? { ports, endpoints: [] }
    groups.set(key, group)
    group.endpoints.push(endpointOf(host, service, pod))
  }
  const slices = [...groups.values()].flatMap(({ ports, endpoints }) =>
    Array.from({ length: Math.ceil(endpoints.length / sliceSize) }, (_, i) => ({
      ports,
      endpoints: endpoints.slice(i * sliceSize, (i + 1) * sliceSize),
    })),
  )
  return slices.length > 0 ? slices : [{ ports: [], endpoints: [] }]
}

function endpointOf(host: Host, service: KubeObject, pod: KubeObject): Json {
  const terminating = isTerminating(pod)
  const published = objectAt(service, 'spec')?.['publishNotReadyAddresses'] === true
  const serving = isReady(pod) || published
  const nodeName = textAt(objectAt(pod, 'spec'), 'nodeName')
  const zone = host.get(nodes, '', nodeName)?.metadata.labels?.['topology.kubernetes.io/zone']
  const hostname = textAt(objectAt(pod, 'spec'), 'hostname')
  const subdomain = textAt(objectAt(pod, 'spec'), 'subdomain')
  return {
    addresses: [podIp(pod)],
    conditions: { ready: published || (serving && !terminating), serving, terminating },
    ...(hostname !== '' && subdomain === service.metadata.name && { hostname }),
    targetRef: podReference(pod),
    nodeName,
    ...(zone !== undefined && { zone }),
  }
}

function content({ ports, endpoints }: Slice): Json {
  const shown = ports.map(({ name, port, protocol, appProtocol }) => ({
    name,
    protocol,
    port,
    ...(appProtocol !== undefined && { appProtocol }),
  }))
  return { endpoints: endpoints.length > 0 ? endpoints : null, ports: shown.length > 0 ? shown : null }
}

function contentOf(slice: KubeObject): Json {
  return { endpoints: slice['endpoints'] ?? null, ports: slice['ports'] ?? null }
}
