import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import { selectorMatches } from '../kinds/checks.ts'
import type { Json } from '../kinds/json.ts'
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { keyOf, splitKey } from './controller.ts'
import type { Host } from './host.ts'
import { HostError } from './host.ts'
import { isFinished, isTerminating } from './pod-state.ts'
import { claims, pods, storageClasses, volumes } from './resources.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}
const phaseOf = (o: KubeObject): string => textAt(objectAt(o, 'status'), 'phase')
const inUse = { claim: 'kubernetes.io/pvc-protection', volume: 'kubernetes.io/pv-protection' }

/**
 * Binds claims to volumes: a waiting one that fits, else a new simulated one as a provisioner would make it. A claim that names
 * a class which does not exist, or the empty class without a volume that fits, waits as it would on a real cluster.
 */
export function volumeBinder(setting: Setting): Controller {
  const { host, queue } = setting
  const name = 'volumes'
  const wakeWaiting = (namespace?: string): void => {
    for (const claim of host.list(claims, namespace)) if (phaseOf(claim) !== 'Bound') queue.add(name, keyOf(claim))
  }
  return {
    name,
    watches: [
      [
        claims,
        ({ object, type }) => {
          queue.add(name, keyOf(object))
          const bound = textAt(specOf(object), 'volumeName')
          if (type === 'DELETED' && bound !== '') queue.add(name, `/${bound}`)
        },
      ],
      [
        volumes,
        ({ object }) => {
          queue.add(name, `/${object.metadata.name ?? ''}`)
          wakeWaiting()
        },
      ],
      [storageClasses, () => wakeWaiting()],
      [
        pods,
        ({ object, namespace, type }) => {
          for (const volume of objectsAt(specOf(object), 'volumes')) {
            const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
            if (claim !== '' && type !== 'MODIFIED') queue.add(name, `${namespace}/${claim}`)
          }
        },
      ],
    ],
    reconcile(key) {
      const [namespace, object] = splitKey(key)
      if (namespace === '') {
        const volume = host.get(volumes, '', object)
        if (volume) tendVolume(host, volume)
        return
      }
      const claim = host.get(claims, namespace, object)
      if (!claim) return
      if (isTerminating(claim)) releaseClaim(host, claim)
      else if (phaseOf(claim) !== 'Bound') bind(setting, claim)
      else grow(host, claim)
    },
  }
}

/** A claim on its way out goes when no pod uses it. */
function releaseClaim(host: Host, claim: KubeObject): void {
  if (!claim.metadata.finalizers?.includes(inUse.claim) || usedByPod(host, claim)) return
  const finalizers = claim.metadata.finalizers.filter((finalizer) => finalizer !== inUse.claim)
  host.patch(claims, claim, { metadata: { finalizers } })
}

function usedByPod(host: Host, claim: KubeObject): boolean {
  return host
    .list(pods, claim.metadata.namespace ?? '')
    .some(
      (pod) =>
        !isFinished(pod) &&
        objectsAt(specOf(pod), 'volumes').some(
          (volume) => textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName') === claim.metadata.name,
        ),
    )
}

function bind(setting: Setting, claim: KubeObject): void {
  const { host } = setting
  const chosen = findVolume(host, claim) ?? provision(setting, claim)
  if (!chosen) return
  const { name = '', namespace = '', uid } = claim.metadata
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid }
  const bound = host.patch(volumes, chosen, { spec: { claimRef } })
  const now = host.now()
  host.updateStatus(volumes, { ...bound, status: { phase: 'Bound', lastPhaseTransitionTime: now } })
  const annotations = {
    ...claim.metadata.annotations,
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
  }
  const spec = { volumeName: chosen.metadata.name }
  const next = host.patch(claims, claim, { metadata: { annotations }, spec })
  const volumeSpec = specOf(chosen)
  const status = { phase: 'Bound', accessModes: volumeSpec['accessModes'], capacity: volumeSpec['capacity'] }
  host.updateStatus(claims, { ...next, status })
}

const storageOf = (claim: KubeObject): string =>
  textMapAt(objectAt(specOf(claim), 'resources'), 'requests')['storage'] ?? '0'
const capacityOf = (volume: KubeObject): string => textMapAt(specOf(volume), 'capacity')['storage'] ?? '0'
const compare = (a: string, b: string): number => compareQuantities(parseQuantity(a), parseQuantity(b))

/** The smallest free volume that fits, or the one that either side asks for by name. */
function findVolume(host: Host, claim: KubeObject): KubeObject | undefined {
  const wanted = textAt(specOf(claim), 'volumeName')
  if (wanted !== '') return host.get(volumes, '', wanted)
  const fitting = host.list(volumes).filter((volume) => fits(volume, claim))
  return fitting.sort((a, b) => compare(capacityOf(a), capacityOf(b)))[0]
}

function fits(volume: KubeObject, claim: KubeObject): boolean {
  const spec = specOf(volume)
  const asked = specOf(claim)
  const reference = objectAt(spec, 'claimRef')
  if (isTerminating(volume) || phaseOf(volume) === 'Released' || phaseOf(volume) === 'Failed') return false
  if (reference) return reference['name'] === claim.metadata.name && reference['namespace'] === claim.metadata.namespace
  if (textAt(spec, 'storageClassName') !== textAt(asked, 'storageClassName')) return false
  if (textAt(spec, 'volumeMode') !== textAt(asked, 'volumeMode')) return false
  const modes = textsAt(spec, 'accessModes')
  if (!textsAt(asked, 'accessModes').every((mode) => modes.includes(mode))) return false
  const selector = objectAt(asked, 'selector')
  if (selector && !selectorMatches(selector, volume.metadata.labels ?? {})) return false
  return compare(capacityOf(volume), storageOf(claim)) >= 0
}

function provision({ host, options }: Setting, claim: KubeObject): KubeObject | undefined {
  const spec = specOf(claim)
  const className = spec['storageClassName']
  const found = typeof className === 'string' ? host.get(storageClasses, '', className) : undefined
  if (textAt(spec, 'volumeName') !== '' || className === '') return undefined
  if (className === undefined && options.classlessVolumes === false) {
    return waits(
      host,
      claim,
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    )
  }
  if (textAt(found, 'provisioner') === 'kubernetes.io/no-provisioner') return undefined
  if (typeof className === 'string' && !found) {
    return waits(host, claim, 'ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`)
  }
  if (found?.['volumeBindingMode'] === 'WaitForFirstConsumer' && !usedByPod(host, claim)) {
    return waits(host, claim, 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding')
  }
  const volume = simulatedVolume(claim, textAt(found, 'reclaimPolicy') || 'Delete')
  try {
    return host.create(volumes, volume)
  } catch (error) {
    if (!HostError.is(error) || error.reason !== 'AlreadyExists') throw error
    return host.get(volumes, '', volume.metadata.name ?? '')
  }
}

const component = 'persistentvolume-controller'

function waits(host: Host, claim: KubeObject, reason: string, message: string): undefined {
  host.event(claim, reason === 'ProvisioningFailed' ? 'Warning' : 'Normal', reason, message, component)
}

function simulatedVolume(claim: KubeObject, reclaimPolicy: string): KubeObject {
  const spec = specOf(claim)
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name: `pvc-${claim.metadata.uid ?? ''}`,
      annotations: { 'simulator.plumbline.dev/simulated': 'true' },
    },
    spec: {
      capacity: { storage: storageOf(claim) },
      accessModes: spec['accessModes'],
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: textAt(spec, 'storageClassName'),
      volumeMode: textAt(spec, 'volumeMode'),
      hostPath: { path: `/simulated/${claim.metadata.uid ?? ''}`, type: '' },
    },
  }
}

/** A bound claim that asks for more gets it at once. */
function grow(host: Host, claim: KubeObject): void {
  const status = objectAt(claim, 'status') ?? {}
  const has = textMapAt(status, 'capacity')['storage'] ?? '0'
  const volume = host.get(volumes, '', textAt(specOf(claim), 'volumeName'))
  if (!volume || compare(storageOf(claim), has) <= 0) return
  const capacity = { storage: storageOf(claim) }
  host.patch(volumes, volume, { spec: { capacity } })
  host.updateStatus(claims, { ...claim, status: { ...status, capacity } })
}

/** A volume is available until it is claimed, and released or deleted when its claim is gone. */
function tendVolume(host: Host, volume: KubeObject): void {
  const reference = objectAt(specOf(volume), 'claimRef')
  const claim = reference && host.get(claims, textAt(reference, 'namespace'), textAt(reference, 'name'))
  const claimed = claim !== undefined && (claim.metadata.uid === reference?.['uid'] || reference?.['uid'] === undefined)
  if (isTerminating(volume)) {
    if (claimed || !volume.metadata.finalizers?.includes(inUse.volume)) return
    const finalizers = volume.metadata.finalizers.filter((finalizer) => finalizer !== inUse.volume)
    host.patch(volumes, volume, { metadata: { finalizers } })
    return
  }
  if (claimed) return
  const bound = reference?.['uid'] !== undefined
  if (bound && textAt(specOf(volume), 'persistentVolumeReclaimPolicy') === 'Delete') {
    host.delete(volumes, volume)
    return
  }
  const phase = bound ? 'Released' : 'Available'
  if (phaseOf(volume) === phase) return
  host.updateStatus(volumes, { ...volume, status: { phase, lastPhaseTransitionTime: host.now() } })
}
