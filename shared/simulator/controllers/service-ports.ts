import type { Json } from '../kinds/json.ts'
import { numberAt, objectAt, objectsAt, textAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import { isReady } from './pod-state.ts'

/** One port of a service as a pod offers it. */
export interface EndpointPort {
  readonly name: string
  readonly port: number
  readonly protocol: string
  readonly appProtocol: string | undefined
}

export const podIp = (pod: KubeObject): string => textAt(objectAt(pod, 'status'), 'podIP')

/** Whether a pod counts as an endpoint that takes traffic. */
export function serves(service: KubeObject, pod: KubeObject): boolean {
  return isReady(pod) || objectAt(service, 'spec')?.['publishNotReadyAddresses'] === true
}

/** A service's ports as one pod offers them; a named target that the pod lacks is left out. */
export function portsFor(service: KubeObject, pod: KubeObject): EndpointPort[] {
  return objectsAt(objectAt(service, 'spec'), 'ports').flatMap((port) => {
    const number = targetPort(port, pod)
    if (number === undefined) return []
    const appProtocol = port['appProtocol']
    return [
      {
        name: textAt(port, 'name'),
        port: number,
        protocol: textAt(port, 'protocol'),
        appProtocol: typeof appProtocol === 'string' ? appProtocol : undefined,
      },
    ]
  })
}

function targetPort(port: Json, pod: KubeObject): number | undefined {
  const target = port['targetPort']
  if (typeof target === 'number') return target === 0 ? numberAt(port, 'port') : target
  for (const container of objectsAt(objectAt(pod, 'spec'), 'containers')) {
    for (const offered of objectsAt(container, 'ports')) {
      if (offered['name'] === target && offered['protocol'] === port['protocol'])
        return numberAt(offered, 'containerPort')
    }
  }
  return undefined
}

export function podReference(pod: KubeObject): Json {
  const { name, namespace, uid } = pod.metadata
  return { kind: 'Pod', namespace, name, uid }
}

export function portJson({ name, port, protocol, appProtocol }: EndpointPort): Json {
  return { ...(name !== '' && { name }), port, protocol, ...(appProtocol !== undefined && { appProtocol }) }
}
