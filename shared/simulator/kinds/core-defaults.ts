import { setOwn } from '../object.ts'
import type { StructDefault } from './defaults.ts'
import { defaultPullPolicy } from './image-name.ts'
import type { Json } from './json.ts'
import { absent, ensureObject, numberAt, objectAt, objectsAt, setAbsent, setZero, textAt, textMapAt } from './json.ts'
import { defaultPodResources } from './pod-resources.ts'

const defaultMode: StructDefault = (o) => setAbsent(o, 'defaultMode', 420)
const protocol: StructDefault = (o) => setZero(o, 'protocol', 'TCP')

function container(o: Json): void {
  setZero(o, 'imagePullPolicy', defaultPullPolicy(textAt(o, 'image')))
  setZero(o, 'terminationMessagePath', '/dev/termination-log')
  setZero(o, 'terminationMessagePolicy', 'File')
}

function volume(o: Json): void {
  if (Object.keys(o).every((key) => key === 'name' || absent(o, key))) o['emptyDir'] = {}
  const image = objectAt(o, 'image')
  if (image) setZero(image, 'pullPolicy', defaultPullPolicy(textAt(image, 'reference')))
}

function podSpec(o: Json): void {
  const account = textAt(o, 'serviceAccountName') || textAt(o, 'serviceAccount')
  if (account !== '') Object.assign(o, { serviceAccountName: account, serviceAccount: account })
  setZero(o, 'dnsPolicy', 'ClusterFirst')
  setZero(o, 'restartPolicy', 'Always')
  setAbsent(o, 'securityContext', {})
  setAbsent(o, 'terminationGracePeriodSeconds', 30)
  setZero(o, 'schedulerName', 'default-scheduler')
}

/** The first of the pod's addresses is told twice; the older field decides where they differ. */
function podStatus(o: Json): void {
  const ip = textAt(o, 'podIP')
  const [first] = objectsAt(o, 'podIPs')
  if (ip !== '' && textAt(first, 'ip') !== ip) o['podIPs'] = [{ ip }]
  else if (ip === '' && first) o['podIP'] = textAt(first, 'ip')
}

/** A node's first block of addresses is told twice, like a pod's address. */
function nodeSpec(o: Json): void {
  const block = textAt(o, 'podCIDR')
  const blocks = Array.isArray(o['podCIDRs']) ? o['podCIDRs'] : []
  if (block !== '' && blocks[0] !== block) o['podCIDRs'] = [block]
  else if (block === '' && blocks.length > 0) o['podCIDR'] = blocks[0]
}

/** What only a Pod gets, not a template. */
function pod(o: Json): void {
  const spec = ensureObject(o, 'spec')
  // pkg/apis/core/v1/conversion.go: what is negative counts as the least.
  if ((numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) < 0) spec['terminationGracePeriodSeconds'] = 1
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]
  for (const { resources } of containers) requestsFromLimits(resources)
  defaultPodResources(spec)
  setAbsent(spec, 'enableServiceLinks', true)
  if (spec['hostNetwork'] !== true) return
  for (const port of containers.flatMap((c) => objectsAt(c, 'ports'))) setZero(port, 'hostPort', port['containerPort'])
}

function requestsFromLimits(resources: unknown): void {
  const limits = objectAt(resources as Json, 'limits')
  if (!limits) return
  const requests = ensureObject(resources as Json, 'requests')
  for (const [name, amount] of Object.entries(limits)) setAbsent(requests, name, amount)
}

function probe(o: Json): void {
  setZero(o, 'timeoutSeconds', 1)
  setZero(o, 'periodSeconds', 10)
  setZero(o, 'successThreshold', 1)
  setZero(o, 'failureThreshold', 3)
  const get = objectAt(o, 'httpGet')
  if (get) httpGet(get)
  const grpc = objectAt(o, 'grpc')
  if (grpc) setAbsent(grpc, 'service', '')
}

function httpGet(o: Json): void {
  setZero(o, 'path', '/')
  setZero(o, 'scheme', 'HTTP')
}

function service(o: Json): void {
  const spec = ensureObject(o, 'spec')
  setZero(spec, 'sessionAffinity', 'None')
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig']
  const timeout = numberAt(objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds')
  if (spec['sessionAffinity'] === 'ClientIP' && timeout === undefined) {
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: 10_800 } }
  }
  setZero(spec, 'type', 'ClusterIP')
  for (const port of objectsAt(spec, 'ports')) {
    setZero(port, 'protocol', 'TCP')
    setZero(port, 'targetPort', port['port'])
  }
  serviceTraffic(o, spec)
}

function serviceTraffic(o: Json, spec: Json): void {
  const type = textAt(spec, 'type')
  const external = Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0
  if (type === 'LoadBalancer' || type === 'NodePort' || (type === 'ClusterIP' && external)) {
    setZero(spec, 'externalTrafficPolicy', 'Cluster')
  }
  if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') {
    setAbsent(spec, 'internalTrafficPolicy', 'Cluster')
  }
  if (type !== 'LoadBalancer') return
  setAbsent(spec, 'allocateLoadBalancerNodePorts', true)
  for (const ingress of objectsAt(objectAt(objectAt(o, 'status'), 'loadBalancer'), 'ingress')) {
    if (textAt(ingress, 'ip') !== '') setAbsent(ingress, 'ipMode', 'VIP')
  }
}

function replicationController(o: Json): void {
  const spec = ensureObject(o, 'spec')
  setAbsent(spec, 'replicas', 1)
  const labels = textMapAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
  if (Object.keys(labels).length === 0) return
  if (absent(spec, 'selector')) spec['selector'] = { ...labels }
  setAbsent(ensureObject(o, 'metadata'), 'labels', { ...labels })
}

function limitRangeItem(o: Json): void {
  if (o['type'] !== 'Container') return
  const limit = { ...textMapAt(o, 'max'), ...textMapAt(o, 'default') }
  const request = { ...textMapAt(o, 'min'), ...limit, ...textMapAt(o, 'defaultRequest') }
  if (Object.keys(limit).length > 0) o['default'] = limit
  if (Object.keys(request).length > 0) o['defaultRequest'] = request
}

function azureDisk(o: Json): void {
  setAbsent(o, 'cachingMode', 'ReadWrite')
  setAbsent(o, 'fsType', 'ext4')
  setAbsent(o, 'readOnly', false)
  setAbsent(o, 'kind', 'Shared')
}

function scaleIo(o: Json): void {
  setZero(o, 'storageMode', 'ThinProvisioned')
  setZero(o, 'fsType', 'xfs')
}

function rbd(o: Json): void {
  setZero(o, 'pool', 'rbd')
  setZero(o, 'user', 'admin')
  setZero(o, 'keyring', '/etc/ceph/keyring')
}

function persistentVolume(o: Json): void {
  setZero(ensureObject(o, 'status'), 'phase', 'Pending')
  const spec = ensureObject(o, 'spec')
  setZero(spec, 'persistentVolumeReclaimPolicy', 'Retain')
  setAbsent(spec, 'volumeMode', 'Filesystem')
}

/** `stringData` is written into `data` when the object is read. */
function secret(o: Json): void {
  setZero(o, 'type', 'Opaque')
  const texts = Object.entries(textMapAt(o, 'stringData'))
  delete o['stringData']
  if (texts.length === 0) return
  const data = ensureObject(o, 'data')
  for (const [key, text] of texts) setOwn(data, key, Buffer.from(text).toString('base64'))
}

function namespace(o: Json): void {
  const metadata = ensureObject(o, 'metadata')
  const name = textAt(metadata, 'name')
  if (name !== '') ensureObject(metadata, 'labels')['kubernetes.io/metadata.name'] = name
}

const iscsi: StructDefault = (o) => setZero(o, 'iscsiInterface', 'default')

/** By Go struct, after `pkg/apis/core/v1/defaults.go` and the `+default` markers of `k8s.io/api/core/v1`. */
export const coreDefaults: Readonly<Record<string, StructDefault>> = {
  'core/v1.AzureDiskVolumeSource': azureDisk,
  'core/v1.ConfigMapVolumeSource': defaultMode,
  'core/v1.Container': container,
  'core/v1.ContainerPort': protocol,
  'core/v1.DownwardAPIVolumeSource': defaultMode,
  'core/v1.EndpointPort': protocol,
  'core/v1.EphemeralContainer': container,
  'core/v1.FileKeySelector': (o) => setAbsent(o, 'optional', false),
  'core/v1.HTTPGetAction': httpGet,
  'core/v1.HostPathVolumeSource': (o) => setAbsent(o, 'type', ''),
  'core/v1.ISCSIPersistentVolumeSource': iscsi,
  'core/v1.ISCSIVolumeSource': iscsi,
  'core/v1.LimitRangeItem': limitRangeItem,
  'core/v1.Namespace': namespace,
  'core/v1.NamespaceStatus': (o) => setZero(o, 'phase', 'Active'),
  'core/v1.NodeStatus': (o) => {
    const capacity = objectAt(o, 'capacity')
    if (capacity) setAbsent(o, 'allocatable', { ...capacity })
  },
  'core/v1.ObjectFieldSelector': (o) => setZero(o, 'apiVersion', 'v1'),
  'core/v1.PersistentVolume': persistentVolume,
  'core/v1.PersistentVolumeClaim': (o) => setZero(ensureObject(o, 'status'), 'phase', 'Pending'),
  'core/v1.PersistentVolumeClaimSpec': (o) => setAbsent(o, 'volumeMode', 'Filesystem'),
  'core/v1.Pod': pod,
  'core/v1.PodSpec': podSpec,
  'core/v1.NodeSpec': nodeSpec,
  'core/v1.PodStatus': podStatus,
  'core/v1.Probe': probe,
  'core/v1.ProjectedVolumeSource': defaultMode,
  'core/v1.RBDPersistentVolumeSource': rbd,
  'core/v1.RBDVolumeSource': rbd,
  'core/v1.ReplicationController': replicationController,
  'core/v1.ScaleIOPersistentVolumeSource': scaleIo,
  'core/v1.ScaleIOVolumeSource': scaleIo,
  'core/v1.Secret': secret,
  'core/v1.SecretVolumeSource': defaultMode,
  'core/v1.Service': service,
  'core/v1.ServiceAccountTokenProjection': (o) => setAbsent(o, 'expirationSeconds', 3600),
  'core/v1.Volume': volume,
}
