import { dnsLabelField, noBacksteps, numberInRange, oneOf, relativePath, requireText } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { invalid, notSupported, required, tooLong } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, textAt, textMapAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import { byteLength, dnsSubdomain, inRange, labelName } from './names.ts'

/** Where a source of storage stands: in a pod's volume, or in a persistent volume. */
export interface SourceContext {
  readonly persistent: boolean
  /** The name of the volume, or of the persistent volume. */
  readonly name: string
}

/** What one source of storage asks of its fields (`validate...VolumeSource` of core validation), in the server's order. */
export type SourceRules = (source: Json, field: string, context: SourceContext) => FieldError[]

/** Every one of the keys must be there. */
export function needing(...keys: readonly string[]): SourceRules {
  return (o, at) => keys.flatMap((key) => requireText(o, key, at))
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

export const hostPath: SourceRules = (o, at) => {
  const path = textAt(o, 'path')
  if (path === '') return [required(`${at}.path`)]
  return [...noBacksteps(path, `${at}.path`), ...oneOf(textAt(o, 'type'), `${at}.type`, hostPathTypes)]
}

export const nfs: SourceRules = (o, at) => {
  const path = textAt(o, 'path')
  const relative = path.startsWith('/') ? [] : [invalid(`${at}.path`, path, 'must be an absolute path')]
  return [...requireText(o, 'server', at), ...requireText(o, 'path', at), ...relative]
}

export const gitRepo: SourceRules = (o, at) => [
  ...requireText(o, 'repository', at),
  ...relativePath(textAt(o, 'directory'), `${at}.directory`),
]

/** A disk of a cloud, named under `key`; partitions are said to start at 1, though 0 is taken. */
export function cloudDisk(key: string): SourceRules {
  return (o, at) => {
    const partition = numberAt(o, 'partition') ?? 0
    const wrong = partition < 0 || partition > 255 ? inRange(partition, 1, 255) : []
    return [...requireText(o, key, at), ...wrong.map((text) => invalid(`${at}.partition`, partition, text))]
  }
}

export const glusterfs: SourceRules = (o, at, { persistent }) => {
  const errors = needing('endpoints', 'path')(o, at, { persistent, name: '' })
  const namespace = o['endpointsNamespace']
  if (!persistent || typeof namespace !== 'string') return errors
  const path = `${at}.endpointsNamespace`
  if (namespace !== '') return [...errors, ...labelName(namespace, false).map((text) => invalid(path, namespace, text))]
  return [...errors, invalid(path, '', 'if the endpointnamespace is set, it must be a valid namespace name')]
}

export const flocker: SourceRules = (o, at) => {
  const name = textAt(o, 'datasetName')
  const uuid = textAt(o, 'datasetUUID')
  return [
    ...(name === '' && uuid === '' ? [required(at, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && uuid !== ''
      ? [invalid(at, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : []),
    ...(name.includes('/') ? [invalid(`${at}.datasetName`, name, "must not contain '/'")] : []),
  ]
}

const noMonitors = (o: Json, at: string): FieldError[] =>
  textsAt(o, 'monitors').length === 0 ? [required(`${at}.monitors`)] : []

export const cephfs: SourceRules = (o, at) => noMonitors(o, at)
export const rbd: SourceRules = (o, at) => [...noMonitors(o, at), ...requireText(o, 'image', at)]

export const quobyte: SourceRules = (o, at) => {
  const registry = textAt(o, 'registry')
  const text = 'must be a host:port pair or multiple pairs separated by commas'
  const errors: FieldError[] = []
  if (registry === '') errors.push(required(`${at}.registry`, text))
  else if (byteLength(textAt(o, 'tenant')) >= 65)
    errors.push(required(`${at}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'))
  else {
    for (const pair of registry.split(','))
      if (!/^(?:\[[^\]]*\]|[^:[\]]*):[^:]*$/u.test(pair)) errors.push(invalid(`${at}.registry`, registry, text))
  }
  return [...errors, ...requireText(o, 'volume', at)]
}

export const fibreChannel: SourceRules = (o, at) => {
  const targets = textsAt(o, 'targetWWNs')
  const wwids = textsAt(o, 'wwids')
  const lun = numberAt(o, 'lun')
  const errors: FieldError[] = []
  if (targets.length === 0 && wwids.length === 0)
    errors.push(required(`${at}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both'))
  if (targets.length > 0 && wwids.length > 0)
    errors.push(invalid(`${at}.targetWWNs`, targets, 'targetWWNs and wwids can not be specified simultaneously'))
  if (targets.length === 0) return errors
  if (lun === undefined) return [...errors, required(`${at}.lun`, 'lun is required if targetWWNs is specified')]
  return [...errors, ...numberInRange(lun, 0, 255, `${at}.lun`)]
}

export const flexVolume: SourceRules = (o, at) => [
  ...requireText(o, 'driver', at),
  ...Object.keys(textMapAt(o, 'options'))
    .filter((key) => /\.(?:kubernetes|k8s)\.io$/u.test(`.${(key.split('/')[0] ?? key).toLowerCase()}`))
    .map((key) => invalid(`${at}.options[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved')),
]

export const azureFile: SourceRules = (o, at, { persistent }) => [
  ...['secretName', 'shareName'].flatMap((key) => requireText(o, key, at)),
  ...(persistent && o['secretNamespace'] === '' ? [required(`${at}.secretNamespace`)] : []),
]

export const azureDisk: SourceRules = (o, at) => {
  const uri = textAt(o, 'diskURI')
  const caching = textAt(o, 'cachingMode')
  const kind = textAt(o, 'kind')
  const managed = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
  const blob = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'
  return [
    ...['diskName', 'diskURI'].flatMap((key) => requireText(o, key, at)),
    ...(absent(o, 'cachingMode') ? [] : oneOf(caching, `${at}.cachingMode`, ['None', 'ReadOnly', 'ReadWrite'])),
    ...(absent(o, 'kind') ? [] : oneOf(kind, `${at}.kind`, ['Dedicated', 'Managed', 'Shared'])),
    ...(kind === 'Managed' && !uri.startsWith('/subscriptions/')
      ? [notSupported(`${at}.diskURI`, uri, [managed])]
      : []),
    ...(!absent(o, 'kind') && kind !== 'Managed' && !uri.startsWith('https://')
      ? [notSupported(`${at}.diskURI`, uri, [blob])]
      : []),
  ]
}

/** A reference to a Secret whose fields are only asked to be there; persistent volumes say its namespace as well. */
function plainSecret(o: Json, at: string, persistent: boolean): FieldError[] {
  const secret = objectAt(o, 'secretRef')
  if (!secret) return []
  return ['name', ...(persistent ? ['namespace'] : [])].flatMap((key) => requireText(secret, key, `${at}.secretRef`))
}

export const cinder: SourceRules = (o, at, { persistent }) => [
  ...requireText(o, 'volumeID', at),
  ...plainSecret(o, at, persistent),
]

export const storageOs: SourceRules = (o, at, { persistent }) => {
  const name = textAt(o, 'volumeName')
  const namespace = textAt(o, 'volumeNamespace')
  return [
    ...(name === '' ? [required(`${at}.volumeName`)] : dnsLabelField(name, `${at}.volumeName`)),
    ...(namespace === '' ? [] : dnsLabelField(namespace, `${at}.volumeNamespace`)),
    ...plainSecret(o, at, persistent),
  ]
}

export const localDisk: SourceRules = (o, at) => {
  const path = textAt(o, 'path')
  return path === '' ? [required(`${at}.path`)] : noBacksteps(path, `${at}.path`)
}

/** The name of a CSI driver. */
export function driverName(value: string, field: string): FieldError[] {
  if (value === '') return [required(field)]
  const long = byteLength(value) > 63 ? [tooLong(field, 63)] : []
  return [...long, ...dnsSubdomain(value.toLowerCase()).map((text) => invalid(field, value, text))]
}

export const csi: SourceRules = (o, at, { persistent }) => {
  const errors = driverName(textAt(o, 'driver'), `${at}.driver`)
  if (persistent) {
    const secrets = ['controllerPublish', 'controllerExpand', 'nodePublish', 'nodeExpand']
    return [
      ...errors,
      ...requireText(o, 'volumeHandle', at),
      ...secrets.flatMap((what) => secretOf(objectAt(o, `${what}SecretRef`), `${at}.${what}SecretRef`)),
    ]
  }
  const secret = objectAt(o, 'nodePublishSecretRef')
  if (!secret) return errors
  const name = textAt(secret, 'name')
  if (name === '') return [...errors, required(`${at}.nodePublishSecretRef.name`)]
  return [...errors, ...failing(dnsSubdomain, name, `${at}.name`)]
}

function secretOf(secret: Json | undefined, at: string): FieldError[] {
  if (!secret) return []
  const name = textAt(secret, 'name')
  const namespace = textAt(secret, 'namespace')
  return [
    ...(name === '' ? [required(`${at}.name`)] : failing(dnsSubdomain, name, `${at}.name`)),
    ...(namespace === '' ? [required(`${at}.namespace`)] : dnsLabelField(namespace, `${at}.namespace`)),
  ]
}
