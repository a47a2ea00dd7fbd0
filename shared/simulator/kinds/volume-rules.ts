import { dnsLabelField, oneOf, requireText } from './checks.ts'
import { validateClaimSpec } from './claim-rules.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, goQuote, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, objectAt, textAt } from './json.ts'
import { validateAnnotations, validateLabels } from './metadata.ts'
import { subdomainName } from './names.ts'
import { parseQuantity } from '../../fields/quantity.ts'
import { downward, keyed, projected } from './volume-files.ts'
import { iscsi, iscsiNameErrors } from './volume-iscsi.ts'
import type { SourceRules } from './volume-sources.ts'
import {
  azureDisk,
  azureFile,
  cephfs,
  cinder,
  cloudDisk,
  csi,
  fibreChannel,
  flexVolume,
  flocker,
  gitRepo,
  glusterfs,
  hostPath,
  needing,
  nfs,
  quobyte,
  rbd,
  storageOs,
} from './volume-sources.ts'

/** One kind of volume: its key, its rules, and the names it has in messages where the server writes others. */
interface Source {
  readonly key: string
  readonly rules: SourceRules
  readonly shown?: string
  /** Its name where another source came first. */
  readonly second?: string
}

/** In the order in which the server looks at them (`validateVolumeSource`). */
const sources: readonly Source[] = [
  { key: 'emptyDir', rules: emptyDir },
  { key: 'hostPath', rules: hostPath },
  { key: 'gitRepo', rules: gitRepo },
  { key: 'gcePersistentDisk', rules: cloudDisk('pdName'), shown: 'persistentDisk' },
  { key: 'awsElasticBlockStore', rules: cloudDisk('volumeID') },
  { key: 'secret', rules: keyed('secretName') },
  { key: 'nfs', rules: nfs },
  { key: 'iscsi', rules: iscsi },
  { key: 'glusterfs', rules: glusterfs },
  { key: 'flocker', rules: flocker },
  { key: 'persistentVolumeClaim', rules: needing('claimName') },
  { key: 'rbd', rules: rbd },
  { key: 'cinder', rules: cinder },
  { key: 'cephfs', rules: cephfs, second: 'cephFS' },
  { key: 'quobyte', rules: quobyte },
  { key: 'downwardAPI', rules: downward, second: 'downwarAPI' },
  { key: 'fc', rules: fibreChannel },
  { key: 'flexVolume', rules: flexVolume },
  { key: 'configMap', rules: keyed('name') },
  { key: 'azureFile', rules: azureFile },
  { key: 'vsphereVolume', rules: needing('volumePath') },
  { key: 'photonPersistentDisk', rules: needing('pdID') },
  { key: 'portworxVolume', rules: needing('volumeID') },
  { key: 'azureDisk', rules: azureDisk },
  { key: 'storageos', rules: storageOs },
  { key: 'projected', rules: projected },
  { key: 'scaleIO', rules: needing('gateway', 'system', 'volumeName') },
  { key: 'csi', rules: csi },
  { key: 'ephemeral', rules: ephemeral },
  { key: 'image', rules: imageSource },
]

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
      ...sourceRules(volume, at, podName),
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

function sourceRules(volume: Json, at: string, podName: string): FieldError[] {
  const present = sources.filter(({ key }) => !absent(volume, key))
  if (present.length === 0) return [required(at, 'must specify a volume type')]
  const context = { persistent: false, name: textAt(volume, 'name') }
  return present.flatMap(({ key, rules, shown, second }, i) => [
    ...(i > 0
      ? [forbidden(`${at}.${second ?? key}`, 'may not specify more than 1 volume type')]
      : rules(objectAt(volume, key) ?? {}, `${at}.${shown ?? key}`, context)),
    ...(key === 'iscsi' ? iscsiNameErrors(volume, at) : []),
    ...(key === 'ephemeral' && i === 0 ? claimNameErrors(podName, context.name, at) : []),
  ])
}

/** The name of the claim that comes with a volume of the pod. */
function claimNameErrors(podName: string, name: string, at: string): FieldError[] {
  if (podName === '' || name === '') return []
  const claim = `${podName}-${name}`
  return subdomainName(claim, false).map((text) => invalid(`${at}.name`, name, `PVC name ${goQuote(claim)}: ${text}`))
}

function emptyDir(o: Json, at: string): FieldError[] {
  const limit = textAt(o, 'sizeLimit')
  if (limit === '' || parseQuantity(limit).unscaled >= 0n) return []
  return [forbidden(`${at}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
}

function imageSource(o: Json, at: string): FieldError[] {
  return [
    ...requireText(o, 'reference', at),
    ...oneOf(textAt(o, 'pullPolicy'), `${at}.pullPolicy`, ['Always', 'IfNotPresent', 'Never']),
  ]
}

/** What the metadata of a claim's template may not say, in the order of Go's struct and under its names. */
const notForTemplates = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
]

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
    ...notForTemplates
      .filter((key) => !absent(metadata, key) && metadata[key] !== '' && metadata[key] !== 0)
      .map((key) => forbidden(`${path}.metadata.${key === 'uid' ? 'uID' : key}`, 'cannot be set')),
    ...validateClaimSpec(objectAt(template, 'spec') ?? {}, `${path}.spec`),
  ]
}
