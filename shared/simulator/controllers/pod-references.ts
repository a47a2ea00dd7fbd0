import type { Json } from '../kinds/json.ts'
import { objectAt, objectsAt, textAt, textMapAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Host } from './host.ts'
import type { Resource } from './resources.ts'
import { configMaps, secrets } from './resources.ts'

/** What a pod needs and the namespace does not have. */
export interface MissingReference {
  /** Why its containers wait. */
  readonly reason: 'CreateContainerConfigError' | 'ContainerCreating'
  readonly message: string
  readonly eventReason: 'Failed' | 'FailedMount'
}

/** The first ConfigMap or Secret, or key of one, that keeps a pod from starting. */
export function missingReference(host: Host, pod: KubeObject): MissingReference | undefined {
  const { namespace = '' } = pod.metadata
  const spec = objectAt(pod, 'spec') ?? {}
  for (const volume of objectsAt(spec, 'volumes')) {
    const message = volumeProblem(host, namespace, volume)
    if (message !== undefined) return { reason: 'ContainerCreating', message, eventReason: 'FailedMount' }
  }
  for (const container of [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')]) {
    const message = environmentProblem(host, namespace, container)
    if (message !== undefined) return { reason: 'CreateContainerConfigError', message, eventReason: 'Failed' }
  }
  return undefined
}

function volumeProblem(host: Host, namespace: string, volume: Json): string | undefined {
  const sources = [volume, ...objectsAt(objectAt(volume, 'projected'), 'sources')]
  for (const source of sources) {
    const map = objectAt(source, 'configMap')
    const secret = objectAt(source, 'secret')
    const problem =
      (map && absentProblem(host, configMaps, namespace, map, textAt(map, 'name'))) ??
      (secret &&
        absentProblem(host, secrets, namespace, secret, textAt(secret, 'secretName') || textAt(secret, 'name')))
    if (problem !== undefined) {
      return `MountVolume.SetUp failed for volume "${textAt(volume, 'name')}" : ${problem}`
    }
  }
  return undefined
}

function absentProblem(
  host: Host,
  resource: Resource,
  namespace: string,
  reference: Json,
  name: string,
): string | undefined {
  if (reference['optional'] === true || host.get(resource, namespace, name)) return undefined
  return `${resource.kind.toLowerCase()} "${name}" not found`
}

function environmentProblem(host: Host, namespace: string, container: Json): string | undefined {
  for (const source of objectsAt(container, 'envFrom')) {
    const map = objectAt(source, 'configMapRef')
    const secret = objectAt(source, 'secretRef')
    const problem =
      (map && absentProblem(host, configMaps, namespace, map, textAt(map, 'name'))) ??
      (secret && absentProblem(host, secrets, namespace, secret, textAt(secret, 'name')))
    if (problem !== undefined) return problem
  }
  for (const variable of objectsAt(container, 'env')) {
    const from = objectAt(variable, 'valueFrom')
    const map = objectAt(from, 'configMapKeyRef')
    const secret = objectAt(from, 'secretKeyRef')
    const problem =
      (map && keyProblem(host, configMaps, namespace, map)) ?? (secret && keyProblem(host, secrets, namespace, secret))
    if (problem !== undefined) return problem
  }
  return undefined
}

function keyProblem(host: Host, resource: Resource, namespace: string, reference: Json): string | undefined {
  const name = textAt(reference, 'name')
  const absent = absentProblem(host, resource, namespace, reference, name)
  const found = host.get(resource, namespace, name)
  if (absent !== undefined || !found || reference['optional'] === true) return absent
  const key = textAt(reference, 'key')
  if (Object.hasOwn(textMapAt(found, 'data'), key) || Object.hasOwn(textMapAt(found, 'binaryData'), key))
    return undefined
  return `couldn't find key ${key} in ${resource.kind} ${namespace}/${name}`
}
