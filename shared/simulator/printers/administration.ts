import { isObject, textAt, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { age, createdAt, itemsAt, numberAt, orNone, shape } from './cells.ts'
import type { TableShape } from './table-shape.ts'

const flag =
  (...path: readonly string[]) =>
  (object: KubeObject): boolean =>
    valueAt(object, ...path) === true

function paramKind(object: KubeObject): string {
  const kind = valueAt(object, 'spec', 'paramKind')
  return isObject(kind) ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>'
}

function paramRef(object: KubeObject): string {
  const ref = valueAt(object, 'spec', 'paramRef')
  if (!isObject(ref)) return '<unset>'
  const named = textAt(ref, 'name')
  if (named === '') return '*'
  const namespace = textAt(ref, 'namespace')
  return namespace === '' ? `*/${named}` : `${namespace}/${named}`
}

function requestState(object: KubeObject): string {
  const types = itemsAt(object, 'status', 'conditions').map((condition) => textAt(condition, 'type'))
  const decided = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending'
  const failed = types.includes('Failed') ? ',Failed' : ''
  return `${decided}${failed}${textAt(object, 'status', 'certificate') === '' ? '' : ',Issued'}`
}

function available(service: KubeObject): string {
  const condition = itemsAt(service, 'status', 'conditions').find(({ type }) => type === 'Available')
  if (condition === undefined) return 'Unknown'
  const status = textAt(condition, 'status')
  return status === 'True' ? status : `${status} (${textAt(condition, 'reason')})`
}

function parent(address: KubeObject): string {
  const ref = valueAt(address, 'spec', 'parentRef')
  if (!isObject(ref)) return ''
  const parts = ['group', 'resource', 'namespace', 'name'].map((key) => textAt(ref, key))
  return parts
    .filter((part) => part !== '')
    .join('/')
    .toLowerCase()
}

function queuing(object: KubeObject, field: string): number | string {
  const value = valueAt(object, 'spec', 'limited', 'limitResponse', 'queuing', field)
  return typeof value === 'number' ? value : '<none>'
}

function claimState(claim: KubeObject): string {
  const allocated = isObject(valueAt(claim, 'status', 'allocation'))
  const states = [
    ...(claim.metadata.deletionTimestamp === undefined ? [] : ['deleted']),
    allocated ? 'allocated' : 'pending',
    ...(itemsAt(claim, 'status', 'reservedFor').length > 0 ? ['reserved'] : []),
  ]
  return states.join(',')
}

const webhooks = shape(['Webhooks', (o) => itemsAt(o, 'webhooks').length, 'integer'], age)
const bindings = shape(['PolicyName', (o) => textAt(o, 'spec', 'policyName')], ['ParamRef', paramRef], age)

/** Columns of what administrators look at (kubernetes pkg/printers/internalversion/printers.go). */
export const administrationTables: Readonly<Record<string, TableShape>> = {
  '/componentstatuses': shape(
    ['Status', (o) => (textAt(itemsAt(o, 'conditions')[0], 'status') === 'True' ? 'Healthy' : 'Unhealthy')],
    ['Message', (o) => textAt(itemsAt(o, 'conditions')[0], 'message')],
    ['Error', (o) => textAt(itemsAt(o, 'conditions')[0], 'error')],
  ),
  'apiregistration.k8s.io/apiservices': shape(
    [
      'Service',
      (o) => {
        const service = valueAt(o, 'spec', 'service')
        return isObject(service) ? `${textAt(service, 'namespace')}/${textAt(service, 'name')}` : 'Local'
      },
    ],
    ['Available', available],
    age,
  ),
  'certificates.k8s.io/certificatesigningrequests': shape(
    age,
    ['SignerName', (o) => textAt(o, 'spec', 'signerName')],
    ['Requestor', (o) => textAt(o, 'spec', 'username')],
    [
      'RequestedDuration',
      (o) => (numberAt(o, 'spec', 'expirationSeconds') > 0 ? `${numberAt(o, 'spec', 'expirationSeconds')}s` : '<none>'),
    ],
    ['Condition', requestState],
  ),
  'networking.k8s.io/ipaddresses': shape(['ParentRef', parent]),
  'networking.k8s.io/servicecidrs': shape(
    ['CIDRs', (o) => ((valueAt(o, 'spec', 'cidrs') as readonly string[] | undefined) ?? []).join(',')],
    age,
  ),
  'storage.k8s.io/csidrivers': shape(
    ['AttachRequired', (o) => valueAt(o, 'spec', 'attachRequired') !== false, 'boolean'],
    ['PodInfoOnMount', flag('spec', 'podInfoOnMount'), 'boolean'],
    ['StorageCapacity', flag('spec', 'storageCapacity'), 'boolean'],
    [
      'TokenRequests',
      (o) =>
        itemsAt(o, 'spec', 'tokenRequests')
          .map((request) => textAt(request, 'audience'))
          .join(',') || '<unset>',
    ],
    ['RequiresRepublish', flag('spec', 'requiresRepublish'), 'boolean'],
    [
      'Modes',
      (o) => orNone(((valueAt(o, 'spec', 'volumeLifecycleModes') as readonly string[] | undefined) ?? []).join(',')),
    ],
    age,
  ),
  'storage.k8s.io/csinodes': shape(['Drivers', (o) => itemsAt(o, 'spec', 'drivers').length, 'integer'], age),
  'storage.k8s.io/csistoragecapacities': shape(createdAt),
  'storage.k8s.io/volumeattachments': shape(
    ['Attacher', (o) => textAt(o, 'spec', 'attacher'), 'name'],
    ['PV', (o) => textAt(o, 'spec', 'source', 'persistentVolumeName')],
    ['Node', (o) => textAt(o, 'spec', 'nodeName')],
    ['Attached', flag('status', 'attached'), 'boolean'],
    age,
  ),
  'storage.k8s.io/volumeattributesclasses': shape(['DriverName', (o) => textAt(o, 'driverName')], age),
  'admissionregistration.k8s.io/mutatingadmissionpolicies': shape(
    ['Mutations', (o) => itemsAt(o, 'spec', 'mutations').length, 'integer'],
    ['ParamKind', paramKind],
    age,
  ),
  'admissionregistration.k8s.io/validatingadmissionpolicies': shape(
    ['Validations', (o) => itemsAt(o, 'spec', 'validations').length, 'integer'],
    ['ParamKind', paramKind],
    age,
  ),
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': bindings,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': bindings,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooks,
  'node.k8s.io/runtimeclasses': shape(['Handler', (o) => textAt(o, 'handler')], age),
  'resource.k8s.io/resourceclaims': shape(['State', claimState], age),
  'resource.k8s.io/resourceslices': shape(
    ['Node', (o) => textAt(o, 'spec', 'nodeName') || '<unset>'],
    ['Driver', (o) => textAt(o, 'spec', 'driver')],
    ['Pool', (o) => textAt(o, 'spec', 'pool', 'name')],
    age,
  ),
  'flowcontrol.apiserver.k8s.io/flowschemas': shape(
    ['PriorityLevel', (o) => textAt(o, 'spec', 'priorityLevelConfiguration', 'name')],
    ['MatchingPrecedence', (o) => numberAt(o, 'spec', 'matchingPrecedence')],
    ['DistinguisherMethod', (o) => orNone(textAt(o, 'spec', 'distinguisherMethod', 'type'))],
    age,
    [
      'MissingPL',
      (o) => {
        const dangling = itemsAt(o, 'status', 'conditions').find(({ type }) => type === 'Dangling')
        return dangling === undefined ? '?' : textAt(dangling, 'status')
      },
    ],
  ),
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': shape(
    ['Type', (o) => textAt(o, 'spec', 'type')],
    ['NominalConcurrencyShares', (o) => valueAt(o, 'spec', 'limited', 'nominalConcurrencyShares') ?? '<none>'],
    ['Queues', (o) => queuing(o, 'queues')],
    ['HandSize', (o) => queuing(o, 'handSize')],
    ['QueueLengthLimit', (o) => queuing(o, 'queueLengthLimit')],
    age,
  ),
}
