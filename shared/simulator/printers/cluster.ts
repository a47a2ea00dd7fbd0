import { isObject, textAt, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { age, ageCell, createdAt, itemsAt, numberAt, orNone, shape } from './cells.ts'
import type { TableShape } from './table-shape.ts'

function keys(value: unknown): number {
  return isObject(value) ? Object.keys(value).length : 0
}

function accessModes(modes: unknown): string {
  const short: Readonly<Record<string, string>> = {
    ReadWriteOnce: 'RWO',
    ReadOnlyMany: 'ROX',
    ReadWriteMany: 'RWX',
    ReadWriteOncePod: 'RWOP',
  }
  return Array.isArray(modes) ? modes.map((mode) => short[String(mode)] ?? String(mode)).join(',') : ''
}

function claimStatus(claim: KubeObject): string {
  return claim.metadata.deletionTimestamp === undefined ? textAt(claim, 'status', 'phase') : 'Terminating'
}

function nodeStatus(node: KubeObject): string {
  const ready = itemsAt(node, 'status', 'conditions').find((condition) => condition['type'] === 'Ready')
  const word = ready === undefined ? 'Unknown' : ready['status'] === 'True' ? 'Ready' : 'NotReady'
  return valueAt(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word
}

function nodeRoles(node: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.keys(node.metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix))
    .map((label) => label.slice(prefix.length))
  return orNone(roles.sort().join(','))
}

function nodeAddress(node: KubeObject, type: string): string {
  return orNone(
    textAt(
      itemsAt(node, 'status', 'addresses').find((address) => address['type'] === type),
      'address',
    ),
  )
}

function subjects(binding: KubeObject, kind: string): string {
  return itemsAt(binding, 'subjects')
    .filter((subject) => subject['kind'] === kind)
    .map((subject) =>
      kind === 'ServiceAccount'
        ? `${textAt(subject, 'namespace')}/${textAt(subject, 'name')}`
        : textAt(subject, 'name'),
    )
    .join(', ')
}

const bindingTable = shape(
  ['Role', (o) => `${textAt(o, 'roleRef', 'kind')}/${textAt(o, 'roleRef', 'name')}`],
  age,
  ['Users', (o) => subjects(o, 'User'), 'wide'],
  ['Groups', (o) => subjects(o, 'Group'), 'wide'],
  ['ServiceAccounts', (o) => subjects(o, 'ServiceAccount'), 'wide'],
)

function involved(event: KubeObject): string {
  const kind = textAt(event, 'involvedObject', 'kind') || textAt(event, 'regarding', 'kind')
  const name = textAt(event, 'involvedObject', 'name') || textAt(event, 'regarding', 'name')
  return `${kind.toLowerCase()}/${name}`
}

function lastSeen(event: KubeObject, nowMs: number): string {
  const when =
    textAt(event, 'series', 'lastObservedTime') ||
    textAt(event, 'lastTimestamp') ||
    textAt(event, 'deprecatedLastTimestamp') ||
    textAt(event, 'eventTime')
  return when === '' ? '<unknown>' : ageCell(when, nowMs)
}

/** Events have no name column of their own in front. */
const eventTable: TableShape = (() => {
  const inner = shape(
    ['Last Seen', lastSeen],
    ['Type', (o) => textAt(o, 'type')],
    ['Reason', (o) => textAt(o, 'reason')],
    ['Object', involved],
    ['Subobject', (o) => textAt(o, 'involvedObject', 'fieldPath'), 'wide'],
    [
      'Source',
      (o) => textAt(o, 'source', 'component') || textAt(o, 'reportingComponent') || textAt(o, 'reportingController'),
      'wide',
    ],
    ['Message', (o) => (textAt(o, 'message') || textAt(o, 'note')).trim()],
    [
      'First Seen',
      (o, now) => (textAt(o, 'firstTimestamp') === '' ? lastSeen(o, now) : ageCell(textAt(o, 'firstTimestamp'), now)),
      'wide',
    ],
    ['Count', (o) => numberAt(o, 'count') || numberAt(o, 'deprecatedCount') || 1, 'wide'],
    ['Name', (o) => o.metadata.name ?? '', 'wide'],
  )
  const columns = inner.columns
    .slice(1)
    .map((column) => (column.name === 'Name' ? { ...column, format: 'name' } : column))
  return { columns, cells: (object, nowMs) => inner.cells(object, nowMs).slice(1) }
})()

/** Columns of configuration, storage, identity and the cluster itself. */
export const clusterTables: Readonly<Record<string, TableShape>> = {
  '/configmaps': shape(['Data', (o) => keys(o['data']) + keys(o['binaryData'])], age),
  '/secrets': shape(['Type', (o) => textAt(o, 'type')], ['Data', (o) => keys(o['data'])], age),
  '/serviceaccounts': shape(age),
  '/namespaces': shape(['Status', (o) => textAt(o, 'status', 'phase')], age),
  '/nodes': shape(
    ['Status', nodeStatus],
    ['Roles', nodeRoles],
    age,
    ['Version', (o) => textAt(o, 'status', 'nodeInfo', 'kubeletVersion')],
    ['Internal-IP', (o) => nodeAddress(o, 'InternalIP'), 'wide'],
    ['External-IP', (o) => nodeAddress(o, 'ExternalIP'), 'wide'],
    ['OS-Image', (o) => textAt(o, 'status', 'nodeInfo', 'osImage') || '<unknown>', 'wide'],
    ['Kernel-Version', (o) => textAt(o, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>', 'wide'],
    ['Container-Runtime', (o) => textAt(o, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>', 'wide'],
  ),
  '/persistentvolumeclaims': shape(
    ['Status', claimStatus],
    ['Volume', (o) => textAt(o, 'spec', 'volumeName')],
    [
      'Capacity',
      (o) => (textAt(o, 'spec', 'volumeName') === '' ? '' : textAt(o, 'status', 'capacity', 'storage') || '0'),
    ],
    [
      'Access Modes',
      (o) => (textAt(o, 'spec', 'volumeName') === '' ? '' : accessModes(valueAt(o, 'status', 'accessModes'))),
    ],
    ['StorageClass', (o) => textAt(o, 'spec', 'storageClassName')],
    ['VolumeAttributesClass', (o) => textAt(o, 'spec', 'volumeAttributesClassName') || '<unset>'],
    age,
    ['VolumeMode', (o) => textAt(o, 'spec', 'volumeMode') || '<unset>', 'wide'],
  ),
  '/persistentvolumes': shape(
    ['Capacity', (o) => textAt(o, 'spec', 'capacity', 'storage')],
    ['Access Modes', (o) => accessModes(valueAt(o, 'spec', 'accessModes'))],
    ['Reclaim Policy', (o) => textAt(o, 'spec', 'persistentVolumeReclaimPolicy')],
    ['Status', claimStatus],
    [
      'Claim',
      (o) =>
        isObject(valueAt(o, 'spec', 'claimRef'))
          ? `${textAt(o, 'spec', 'claimRef', 'namespace')}/${textAt(o, 'spec', 'claimRef', 'name')}`
          : '',
    ],
    ['StorageClass', (o) => textAt(o, 'spec', 'storageClassName')],
    ['VolumeAttributesClass', (o) => textAt(o, 'spec', 'volumeAttributesClassName') || '<unset>'],
    ['Reason', (o) => textAt(o, 'status', 'reason')],
    age,
    ['VolumeMode', (o) => textAt(o, 'spec', 'volumeMode') || '<unset>', 'wide'],
  ),
  '/events': eventTable,
  'events.k8s.io/events': eventTable,
  'rbac.authorization.k8s.io/roles': shape(createdAt),
  'rbac.authorization.k8s.io/clusterroles': shape(createdAt),
  'rbac.authorization.k8s.io/rolebindings': bindingTable,
  'rbac.authorization.k8s.io/clusterrolebindings': bindingTable,
  'apiextensions.k8s.io/customresourcedefinitions': shape(createdAt),
  'coordination.k8s.io/leases': shape(['Holder', (o) => textAt(o, 'spec', 'holderIdentity')], age),
  'scheduling.k8s.io/priorityclasses': shape(
    ['Value', (o) => numberAt(o, 'value'), 'integer'],
    ['Global-Default', (o) => o['globalDefault'] === true, 'boolean'],
    age,
    ['PreemptionPolicy', (o) => textAt(o, 'preemptionPolicy')],
  ),
  'storage.k8s.io/storageclasses': shape(
    ['Provisioner', (o) => textAt(o, 'provisioner')],
    ['ReclaimPolicy', (o) => textAt(o, 'reclaimPolicy') || 'Delete'],
    ['VolumeBindingMode', (o) => textAt(o, 'volumeBindingMode') || 'Immediate'],
    ['AllowVolumeExpansion', (o) => o['allowVolumeExpansion'] === true],
    age,
  ),
}
