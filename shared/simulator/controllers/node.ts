import type { Json } from '../kinds/json.ts'
import { objectAt, objectsAt } from '../kinds/json.ts'
import type { KubeObject } from '../object.ts'
import type { Controller, Setting } from './controller.ts'
import { HostError } from './host.ts'
import { nodes } from './resources.ts'

/** The node that exists where no other does. */
export const simulatedNode = 'simulated-node'
export const simulatedAddress = '192.0.2.10'

const capacity = { cpu: '8', memory: '32Gi', pods: '10000', 'ephemeral-storage': '100Gi' }

/** Makes the simulated node, and keeps it ready. */
export function nodeController({ host, queue }: Setting): Controller {
  const name = 'nodes'
  return {
    name,
    watches: [[nodes, ({ object }) => queue.add(name, `/${object.metadata.name ?? ''}`)]],
    reconcile(key) {
      const live = host.get(nodes, '', key.slice(1))
      if (live?.metadata.labels?.['simulator.plumbline.dev/simulated'] !== 'true') return
      const ready = objectsAt(objectAt(live, 'status'), 'conditions').some((c) => c['type'] === 'Ready')
      if (!ready) host.updateStatus(nodes, { ...live, status: nodeStatus(host.now()) }, 'kubelet')
      const taints = objectsAt(objectAt(live, 'spec'), 'taints')
      const kept = taints.filter((taint) => taint['key'] !== 'node.kubernetes.io/not-ready')
      if (kept.length !== taints.length) host.patch(nodes, live, { spec: { taints: kept.length > 0 ? kept : null } })
    },
  }
}

/** A cluster without nodes gets one, so that pods have a place. */
export function ensureNode({ host }: Setting): void {
  if (host.list(nodes).length > 0) return
  try {
    host.create(nodes, blankNode(), 'kubelet')
  } catch (error) {
    if (!HostError.is(error)) throw error
  }
}

function blankNode(): KubeObject {
  const labels = {
    'kubernetes.io/hostname': simulatedNode,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'simulator.plumbline.dev/simulated': 'true',
  }
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: simulatedNode, labels }, spec: {} }
}

function nodeStatus(now: string): Json {
  const condition = (type: string, status: string, reason: string, message: string): Json => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  })
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address: simulatedAddress },
      { type: 'Hostname', address: simulatedNode },
    ],
    conditions: [
      condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'simulated'),
      condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'simulated'),
      condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'simulated'),
      condition('Ready', 'True', 'KubeletReady', 'simulated: no container runs on this node'),
    ],
    nodeInfo: {
      machineID: 'simulated',
      systemUUID: 'simulated',
      bootID: 'simulated',
      kernelVersion: 'simulated',
      osImage: 'Plumbline simulator',
      containerRuntimeVersion: 'simulated://1.0',
      kubeletVersion: 'v1.36.2',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  }
}
