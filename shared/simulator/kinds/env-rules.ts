import type { FieldError } from './field-error.ts'
import { invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, objectAt, objectsAt, textAt } from './json.ts'
import { failing } from './metadata.ts'
import { dnsLabelField, noBacksteps } from './checks.ts'
import { configKey, qualifiedName, relaxedEnvName, subdomainName } from './names.ts'
import { parseQuantity } from '../../fields/quantity.ts'

/** Environment of a container: `env` and `envFrom`. */
export function validateEnv(container: Json, path: string): FieldError[] {
  return [
    ...objectsAt(container, 'env').flatMap((variable, i) => variableRules(variable, `${path}.env[${i}]`)),
    ...objectsAt(container, 'envFrom').flatMap((source, i) => sourceRules(source, `${path}.envFrom`, i)),
  ]
}

function variableRules(variable: Json, path: string): FieldError[] {
  const name = textAt(variable, 'name')
  const from = objectAt(variable, 'valueFrom')
  return [
    ...(name === '' ? [required(`${path}.name`)] : failing(relaxedEnvName, name, `${path}.name`)),
    ...(from ? valueFromRules(from, textAt(variable, 'value'), `${path}.valueFrom`) : []),
  ]
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const

function valueFromRules(from: Json, value: string, field: string): FieldError[] {
  const present = sources.filter((source) => !absent(from, source))
  const errors = present.flatMap((source) => oneSource(source, objectAt(from, source) ?? {}, `${field}.${source}`))
  if (present.length === 0) {
    const text =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    return [...errors, invalid(field, '', text)]
  }
  if (value !== '') return [...errors, invalid(field, '', 'may not be specified when `value` is not empty')]
  if (present.length === 1) return errors
  return [...errors, invalid(field, '', 'may not have more than one field specified at a time')]
}

function oneSource(source: (typeof sources)[number], reference: Json, field: string): FieldError[] {
  switch (source) {
    case 'fieldRef':
      return fieldRef(reference, envFields, field)
    case 'resourceFieldRef':
      return resourceFieldRef(reference, field, false)
    case 'fileKeyRef':
      return fileKey(reference, field)
    default:
      return keyRef(reference, field)
  }
}

function keyRef(reference: Json, field: string): FieldError[] {
  const name = textAt(reference, 'name')
  const key = textAt(reference, 'key')
  return [
    ...subdomainName(name, false).map((text) => invalid(`${field}.name`, name, text)),
    ...(key === '' ? [required(`${field}.key`)] : failing(configKey, key, `${field}.key`)),
  ]
}

function fileKey(reference: Json, field: string): FieldError[] {
  const key = textAt(reference, 'key')
  const volume = textAt(reference, 'volumeName')
  const path = textAt(reference, 'path')
  return [
    ...(key === '' ? [required(`${field}.key`)] : failing(relaxedEnvName, key, `${field}.key`)),
    ...(volume === '' ? [required(`${field}.volumeName`)] : dnsLabelField(volume, `${field}.volumeName`)),
    ...(path === '' ? [required(`${field}.path`)] : noBacksteps(path, `${field}.path`)),
  ]
}

function sourceRules(source: Json, list: string, index: number): FieldError[] {
  const at = `${list}[${index}]`
  const prefix = textAt(source, 'prefix')
  const errors = prefix === '' ? [] : failing(relaxedEnvName, prefix, `${at}.prefix`)
  const present = ['configMapRef', 'secretRef'].filter((key) => !absent(source, key))
  for (const key of present) {
    const name = textAt(objectAt(source, key), 'name')
    if (name === '') errors.push(required(`${at}.${key}.name`))
    else errors.push(...subdomainName(name, true).map((text) => invalid(`${at}.${key}.name`, name, text)))
  }
  if (present.length === 0) errors.push(invalid(list, '', 'must specify one of: `configMapRef` or `secretRef`'))
  if (present.length > 1) errors.push(invalid(list, '', 'may not have more than one field specified at a time'))
  return errors
}

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

/** Fields of a pod that a downward API volume may show. */
export const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]

const downwardFields = new Set([
  ...envFields,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])

/** An `ObjectFieldSelector`; `allowed` are the paths that its place takes. */
export function fieldRef(reference: Json, allowed: readonly string[], field: string): FieldError[] {
  if (textAt(reference, 'apiVersion') === '') return [required(`${field}.apiVersion`)]
  const path = textAt(reference, 'fieldPath')
  if (path === '') return [required(`${field}.fieldPath`)]
  const version = textAt(reference, 'apiVersion')
  if (version !== 'v1') {
    return [invalid(`${field}.fieldPath`, path, `error converting fieldPath: unsupported pod version: ${version}`)]
  }
  const subscript = /^(?<base>[^[\]]+)\['(?<key>.*)'\]$/u.exec(path)?.groups
  if (subscript) return subscripted(path, subscript['base'] ?? '', subscript['key'] ?? '', field)
  if (!downwardFields.has(path) && path !== 'spec.host') {
    const text = `error converting fieldPath: field label not supported: ${path}`
    return [invalid(`${field}.fieldPath`, path, text)]
  }
  const known = path === 'spec.host' ? 'spec.nodeName' : path
  return allowed.includes(known) ? [] : [notSupported(`${field}.fieldPath`, known, allowed)]
}

function subscripted(path: string, base: string, key: string, field: string): FieldError[] {
  if (base === 'metadata.annotations') return failing(qualifiedName, key.toLowerCase(), field)
  if (base === 'metadata.labels') return failing(qualifiedName, key, field)
  const text = `error converting fieldPath: field label does not support subscript: ${path}`
  return [invalid(`${field}.fieldPath`, path, text)]
}

const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]
const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']
const divisors: readonly (readonly [RegExp, readonly string[], string])[] = [
  [/\.cpu$/u, ['1m', '1'], "only divisor's values 1m and 1 are supported with the cpu resource"],
  [/\.memory$/u, sizes, `only divisor's values ${sizes.join(', ')} are supported with the memory resource`],
  [
    /\.ephemeral-storage$/u,
    sizes,
    `only divisor's values ${sizes.join(', ')} are supported with the local ephemeral storage resource`,
  ],
  [/\.hugepages-/u, sizes, `only divisor's values ${sizes.join(', ')} are supported with the hugepages resource`],
]

/** A `ResourceFieldSelector`; in a volume the container must be named. */
export function resourceFieldRef(reference: Json, field: string, volume: boolean): FieldError[] {
  const resource = textAt(reference, 'resource')
  const errors: FieldError[] = []
  if (volume && textAt(reference, 'containerName') === '') errors.push(required(`${field}.containerName`))
  else if (resource === '') errors.push(required(`${field}.resource`))
  else if (!resourceFields.includes(resource) && !/^(?:requests|limits)\.hugepages-/u.test(resource)) {
    errors.push(notSupported(`${field}.resource`, resource, resourceFields))
  }
  const divisor = textAt(reference, 'divisor')
  if (divisor === '' || parseQuantity(divisor).unscaled === 0n) return errors
  const rule = divisors.find(([pattern]) => pattern.test(resource))
  if (rule && !rule[1].includes(divisor)) errors.push(invalid(`${field}.divisor`, resource, rule[2]))
  return errors
}
