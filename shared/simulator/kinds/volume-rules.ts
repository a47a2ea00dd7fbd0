import {
  dnsLabelField,
  fileMode,
  noBacksteps,
  oneOf,
  relativePath,
  relativeUnreservedPath,
  requireText,
} from './checks.ts'
import { validateClaimSpec } from './claim-rules.ts'
import { fieldRef, resourceFieldRef, volumeFields } from './env-rules.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { validateAnnotations, validateLabels } from './metadata.ts'
import { parseQuantity } from '../../fields/quantity.ts'

/** In the order in which the server looks at them; the second name is the one in its messages. */
const sources: readonly (readonly [key: string, rules: SourceRules, shown?: string])[] = [
  ['emptyDir', emptyDir],
  ['hostPath', hostPath],
  [
    'gitRepo',
    (o, at) => [...requireText(o, 'repository', at), ...relativePath(textAt(o, 'directory'), `${at}.directory`)],
  ],
  ['gcePersistentDisk', (o, at) => requireText(o, 'pdName', at), 'persistentDisk'],
  ['awsElasticBlockStore', (o, at) => requireText(o, 'volumeID', at)],
  ['secret', keyed('secretName')],
  ['nfs', nfs],
  ['iscsi', (o, at) => ['targetPortal', 'iqn'].flatMap((key) => requireText(o, key, at))],
  ['glusterfs', (o, at) => ['endpoints', 'path'].flatMap((key) => requireText(o, key, at))],
  ['flocker', nothing],
  ['persistentVolumeClaim', (o, at) => requireText(o, 'claimName', at)],
  ['rbd', rbd],
  ['cinder', (o, at) => requireText(o, 'volumeID', at)],
  ['cephfs', monitors],
  ['quobyte', (o, at) => ['registry', 'volume'].flatMap((key) => requireText(o, key, at))],
  ['downwardAPI', downward],
  ['fc', nothing],
  ['flexVolume', (o, at) => requireText(o, 'driver', at)],
  ['configMap', keyed('name')],
  ['azureFile', (o, at) => ['secretName', 'shareName'].flatMap((key) => requireText(o, key, at))],
  ['vsphereVolume', (o, at) => requireText(o, 'volumePath', at)],
  ['photonPersistentDisk', (o, at) => requireText(o, 'pdID', at)],
  ['portworxVolume', (o, at) => requireText(o, 'volumeID', at)],
  ['azureDisk', (o, at) => ['diskName', 'diskURI'].flatMap((key) => requireText(o, key, at))],
  ['storageos', (o, at) => requireText(o, 'volumeName', at)],
  ['projected', projected],
  ['scaleIO', (o, at) => ['gateway', 'system', 'volumeName'].flatMap((key) => requireText(o, key, at))],
  ['csi', (o, at) => requireText(o, 'driver', at)],
  ['ephemeral', ephemeral],
  ['image', imageSource],
]

type SourceRules = (source: Json, field: string) => FieldError[]

function nothing(): FieldError[] {
  return []
}

/** The volumes of a pod spec; answers with those that are valid themselves, by name. */
export function validateVolumes(
  volumes: readonly Json[],
  podName: string,
  field: string,
): { errors: FieldError[]; valid: ReadonlyMap<string, Json> } {
  const valid = new Map<string, Json>()
  const ownClaims = new Set(
    podName === '' ? [] : volumes.filter((v) => !absent(v, 'ephemeral')).map((v) => `${podName}-${textAt(v, 'name')}`),
  )
  const errors = volumes.flatMap((volume, i) => {
    const at = `${field}[${i}]`
    const name = textAt(volume, 'name')
    const found = [
      ...sourceRules(volume, at),
      ...(name === '' ? [required(`${at}.name`)] : dnsLabelField(name, `${at}.name`)),
      ...(valid.has(name) ? [duplicate(`${at}.name`, name)] : []),
    ]
    if (found.length === 0) valid.set(name, volume)
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName')
    if (!ownClaims.has(claim)) return found
    const text = 'must not reference a PVC that gets created for an ephemeral volume'
    return [...found, invalid(`${at}.persistentVolumeClaim.claimName`, claim, text)]
  })
  return { errors, valid }
}

function sourceRules(volume: Json, at: string): FieldError[] {
  const present = sources.filter(([key]) => !absent(volume, key))
  if (present.length === 0) return [required(at, 'must specify a volume type')]
  return present.flatMap(([key, rules, shown], i) =>
    i > 0
      ? [forbidden(`${at}.${key}`, 'may not specify more than 1 volume type')]
      : rules(objectAt(volume, key) ?? {}, `${at}.${shown ?? key}`),
  )
}

function emptyDir(o: Json, at: string): FieldError[] {
  const limit = textAt(o, 'sizeLimit')
  if (limit === '' || parseQuantity(limit).unscaled >= 0n) return []
  return [forbidden(`${at}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
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

function hostPath(o: Json, at: string): FieldError[] {
  const path = textAt(o, 'path')
  if (path === '') return [required(`${at}.path`)]
  return [...noBacksteps(path, `${at}.path`), ...oneOf(textAt(o, 'type'), `${at}.type`, hostPathTypes)]
}

function nfs(o: Json, at: string): FieldError[] {
  const path = textAt(o, 'path')
  const relative = path.startsWith('/') ? [] : [invalid(`${at}.path`, path, 'must be an absolute path')]
  return [...requireText(o, 'server', at), ...requireText(o, 'path', at), ...relative]
}

function monitors(o: Json, at: string): FieldError[] {
  return textsAt(o, 'monitors').length === 0 ? [required(`${at}.monitors`)] : []
}

function rbd(o: Json, at: string): FieldError[] {
  return [...monitors(o, at), ...requireText(o, 'image', at)]
}

function imageSource(o: Json, at: string): FieldError[] {
  return [
    ...requireText(o, 'reference', at),
    ...oneOf(textAt(o, 'pullPolicy'), `${at}.pullPolicy`, ['Always', 'IfNotPresent', 'Never']),
  ]
}

/** A volume of files from a Secret or a ConfigMap, whose name stands in `nameKey`. */
function keyed(nameKey: string): SourceRules {
  return (o, at) => [
    ...requireText(o, nameKey, at),
    ...fileMode(numberAt(o, 'defaultMode'), `${at}.defaultMode`),
    ...keysToPaths(o, at),
  ]
}

function keysToPaths(o: Json, at: string): FieldError[] {
  return objectsAt(o, 'items').flatMap((item, i) => {
    const path = `${at}.items[${i}]`
    return [
      ...requireText(item, 'key', path),
      ...requireText(item, 'path', path),
      ...relativeUnreservedPath(textAt(item, 'path'), `${path}.path`),
      ...fileMode(numberAt(item, 'mode'), `${path}.mode`),
    ]
  })
}

function downward(o: Json, at: string): FieldError[] {
  return [
    ...fileMode(numberAt(o, 'defaultMode'), `${at}.defaultMode`),
    ...objectsAt(o, 'items').flatMap((item) => downwardFile(item, at)),
  ]
}

function downwardFile(file: Json, at: string): FieldError[] {
  const errors = [...requireText(file, 'path', at), ...relativeUnreservedPath(textAt(file, 'path'), `${at}.path`)]
  const byField = objectAt(file, 'fieldRef')
  const byResource = objectAt(file, 'resourceFieldRef')
  if (byField) {
    errors.push(...fieldRef(byField, volumeFields, `${at}.fieldRef`))
    if (byResource) {
      errors.push(invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
    }
  } else if (byResource) errors.push(...resourceFieldRef(byResource, `${at}.resourceFieldRef`, true))
  else errors.push(required(at, 'one of fieldRef and resourceFieldRef is required'))
  return [...errors, ...fileMode(numberAt(file, 'mode'), `${at}.mode`)]
}

const projections: readonly (readonly [key: string, rules: SourceRules])[] = [
  ['secret', projectedKeys],
  ['configMap', projectedKeys],
  ['downwardAPI', (o, at) => objectsAt(o, 'items').flatMap((item) => downwardFile(item, at))],
  ['serviceAccountToken', tokenProjection],
  ['clusterTrustBundle', (o, at) => requireText(o, 'path', at)],
  ['podCertificate', nothing],
]

function projected(o: Json, at: string): FieldError[] {
  const list = objectsAt(o, 'sources').flatMap((source, i) => {
    const path = `${at}.sources[${i}]`
    const present = projections.filter(([key]) => !absent(source, key))
    if (present.length === 0)
      return [required(path, `${path.slice(path.lastIndexOf('.') + 1)} must specify a volume type`)]
    return present.flatMap(([key, rules], p) =>
      p > 0
        ? [forbidden(`${path}.${key}`, 'may not specify more than 1 volume type per source')]
        : rules(objectAt(source, key) ?? {}, `${path}.${key}`),
    )
  })
  return [...fileMode(numberAt(o, 'defaultMode'), `${at}.defaultMode`), ...list]
}

function projectedKeys(o: Json, at: string): FieldError[] {
  return [...requireText(o, 'name', at), ...keysToPaths(o, at)]
}

function tokenProjection(o: Json, at: string): FieldError[] {
  const seconds = numberAt(o, 'expirationSeconds')
  const errors: FieldError[] = []
  if (seconds !== undefined && seconds < 600) {
    errors.push(invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes'))
  }
  if (seconds !== undefined && seconds > 2 ** 32) {
    errors.push(invalid(`${at}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds'))
  }
  const path = textAt(o, 'path')
  return [...errors, ...(path === '' ? [required(`${at}.path`)] : relativeUnreservedPath(path, `${at}.path`))]
}

function ephemeral(o: Json, at: string): FieldError[] {
  const template = objectAt(o, 'volumeClaimTemplate')
  const path = `${at}.volumeClaimTemplate`
  if (!template) return [required(path)]
  const metadata = objectAt(template, 'metadata') ?? {}
  return [
    ...validateAnnotations(
      metadata['annotations'] as Record<string, string> | undefined,
      `${path}.metadata.annotations`,
    ),
    ...validateLabels(metadata['labels'], `${path}.metadata.labels`),
    ...validateClaimSpec(objectAt(template, 'spec') ?? {}, `${path}.spec`),
  ]
}
