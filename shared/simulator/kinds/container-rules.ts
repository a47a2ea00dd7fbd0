import { dnsLabelField, noBacksteps, oneOf, relativePath, requiredOneOf, requireText } from './checks.ts'
import { validateEnv } from './env-rules.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notFoundValue, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt } from './json.ts'
import { failing } from './metadata.ts'
import { portName, portNumber } from './names.ts'
import { lifecycleRules } from './handler-rules.ts'
import { validateResources } from './resource-rules.ts'
import { securityRules } from './security-rules.ts'

/** What the containers of one pod spec are checked against. */
export interface PodScope {
  /** Volumes that are valid themselves. */
  readonly volumes: ReadonlyMap<string, Json>
  readonly claimNames: ReadonlySet<string>
  readonly graceSeconds: number | undefined
  readonly hostUsers: boolean
  readonly os: string | undefined
  readonly restartPolicy: string
}

/** The regular containers of a pod spec (`validateContainers`). */
export function validateContainers(containers: readonly Json[], scope: PodScope, field: string): FieldError[] {
  if (containers.length === 0) return [required(field)]
  const names = new Set<string>()
  const errors = containers.flatMap((container, i) => {
    const path = `${field}[${i}]`
    const name = textAt(container, 'name')
    const repeated = names.has(name) ? [duplicate(`${path}.name`, name)] : []
    names.add(name)
    return [
      ...commonRules(container, scope, path),
      ...repeated,
      ...lifecycleRules(container, scope, path),
      ...restartRules(container, path),
    ]
  })
  return [...errors, ...hostPortConflicts(containers, field)]
}

/** Init containers; those that restart always are sidecars and may have probes. */
export function validateInitContainers(
  containers: readonly Json[],
  regular: readonly Json[],
  scope: PodScope,
  field: string,
): FieldError[] {
  const names = new Set(regular.map((container) => textAt(container, 'name')))
  return containers.flatMap((container, i) => {
    const path = `${field}[${i}]`
    const name = textAt(container, 'name')
    const repeated = names.has(name) ? [duplicate(`${path}.name`, name)] : []
    if (name !== '') names.add(name)
    return [
      ...commonRules(container, scope, path),
      ...restartRules(container, path),
      ...repeated,
      ...hostPortConflicts([container], field),
      ...(container['restartPolicy'] === 'Always' ? lifecycleRules(container, scope, path) : noHooks(container, path)),
    ]
  })
}

function noHooks(container: Json, path: string): FieldError[] {
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((key) => !absent(container, key))
    .map((key) => forbidden(`${path}.${key}`, 'may not be set for init containers without restartPolicy=Always'))
}

/** What every container is asked, of whatever kind (`validateContainerCommon`). */
export function commonRules(container: Json, scope: PodScope, path: string): FieldError[] {
  const name = textAt(container, 'name')
  return [
    ...(name === '' ? [required(`${path}.name`)] : dnsLabelField(name, `${path}.name`)),
    ...requireText(container, 'image', path),
    ...requiredOneOf(textAt(container, 'terminationMessagePolicy'), `${path}.terminationMessagePolicy`, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(objectsAt(container, 'ports'), `${path}.ports`),
    ...validateEnv(container, path),
    ...validateMounts(container, scope, path),
    ...validateDevices(container, scope, path),
    ...requiredOneOf(textAt(container, 'imagePullPolicy'), `${path}.imagePullPolicy`, [
      'Always',
      'IfNotPresent',
      'Never',
    ]),
    ...validateResources(objectAt(container, 'resources'), scope.claimNames, `${path}.resources`),
    ...resizeRules(objectsAt(container, 'resizePolicy'), scope, `${path}.resizePolicy`),
    ...securityRules(objectAt(container, 'securityContext'), scope.hostUsers, `${path}.securityContext`),
  ]
}

function resizeRules(policies: readonly Json[], scope: PodScope, field: string): FieldError[] {
  const seen = new Set<string>()
  return policies.flatMap((policy, i) => {
    const name = textAt(policy, 'resourceName')
    const restart = textAt(policy, 'restartPolicy')
    const again = seen.has(name) ? [duplicate(`${field}[${i}]`, name)] : []
    seen.add(name)
    const never = scope.restartPolicy === 'Never' && restart !== 'NotRequired'
    return [
      ...again,
      ...requiredOneOf(name, field, ['cpu', 'memory']),
      ...requiredOneOf(restart, field, ['NotRequired', 'RestartContainer']),
      ...(never ? [invalid(field, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'")] : []),
    ]
  })
}

const protocols = ['SCTP', 'TCP', 'UDP']

function validatePorts(ports: readonly Json[], field: string): FieldError[] {
  const names = new Set<string>()
  return ports.flatMap((port, i) => {
    const path = `${field}[${i}]`
    const name = textAt(port, 'name')
    const bad = name === '' ? [] : failing(portName, name, `${path}.name`)
    if (name !== '' && bad.length === 0 && names.has(name)) bad.push(duplicate(`${path}.name`, name))
    names.add(name)
    const number = numberAt(port, 'containerPort') ?? 0
    const host = numberAt(port, 'hostPort') ?? 0
    return [
      ...bad,
      ...(number === 0
        ? [required(`${path}.containerPort`)]
        : portNumber(number).map((text) => invalid(`${path}.containerPort`, number, text))),
      ...(host === 0 ? [] : portNumber(host).map((text) => invalid(`${path}.hostPort`, host, text))),
      ...requiredOneOf(textAt(port, 'protocol'), `${path}.protocol`, protocols),
    ]
  })
}

function hostPortConflicts(containers: readonly Json[], field: string): FieldError[] {
  const seen = new Set<string>()
  return containers.flatMap((container, c) =>
    objectsAt(container, 'ports').flatMap((port, p) => {
      const host = numberAt(port, 'hostPort') ?? 0
      if (host === 0) return []
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${host}`
      if (seen.has(key)) return [duplicate(`${field}[${c}].ports[${p}].hostPort`, key)]
      seen.add(key)
      return []
    }),
  )
}

function validateMounts(container: Json, scope: PodScope, path: string): FieldError[] {
  const devices = objectsAt(container, 'volumeDevices')
  const paths = new Set<string>()
  return objectsAt(container, 'volumeMounts').flatMap((mount, i) => {
    const at = `${path}.volumeMounts[${i}]`
    const name = textAt(mount, 'name')
    const mountPath = textAt(mount, 'mountPath')
    const errors = requireText(mount, 'name', at)
    if (!scope.volumes.has(name)) errors.push(notFoundValue(`${at}.name`, name))
    errors.push(...requireText(mount, 'mountPath', at))
    if (paths.has(mountPath)) errors.push(invalid(`${at}.mountPath`, mountPath, 'must be unique'))
    paths.add(mountPath)
    if (devices.some((device) => device['name'] === name)) {
      errors.push(invalid(`${at}.name`, name, 'must not already exist in volumeDevices'))
    }
    if (devices.some((device) => device['devicePath'] === mountPath)) {
      errors.push(invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'))
    }
    return [...errors, ...mountDetails(mount, container, `${path}.volumeMounts`, at)]
  })
}

function mountDetails(mount: Json, container: Json, list: string, at: string): FieldError[] {
  const errors: FieldError[] = []
  const subPath = textAt(mount, 'subPath')
  const expression = textAt(mount, 'subPathExpr')
  if (subPath !== '') errors.push(...relativePath(subPath, `${list}.subPath`))
  if (expression !== '') {
    if (subPath !== '') {
      errors.push(invalid(`${at}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive'))
    }
    errors.push(...relativePath(expression, `${list}.subPathExpr`))
  }
  const propagation = mount['mountPropagation']
  if (typeof propagation === 'string') {
    errors.push(...oneOf(propagation, `${list}.mountPropagation`, ['Bidirectional', 'HostToContainer', 'None']))
    if (propagation === 'Bidirectional' && objectAt(container, 'securityContext')?.['privileged'] !== true) {
      const text = 'Bidirectional mount propagation is available only to privileged containers'
      errors.push(forbidden(`${list}.mountPropagation`, text))
    }
  }
  return [...errors, ...recursiveReadOnly(mount, `${list}.recursiveReadOnly`)]
}

function recursiveReadOnly(mount: Json, field: string): FieldError[] {
  const value = mount['recursiveReadOnly']
  if (typeof value !== 'string' || value === 'Disabled') return []
  if (value !== 'Enabled' && value !== 'IfPossible') return oneOf(value, field, ['Disabled', 'Enabled', 'IfPossible'])
  const propagation = mount['mountPropagation'] ?? 'None'
  return [
    ...(mount['readOnly'] === true ? [] : [forbidden(field, 'may only be specified when readOnly is true')]),
    ...(propagation === 'None'
      ? []
      : [forbidden(field, 'may only be specified when mountPropagation is None or not specified')]),
  ]
}

function validateDevices(container: Json, scope: PodScope, path: string): FieldError[] {
  const mounts = objectsAt(container, 'volumeMounts')
  const paths = new Set<string>()
  const names = new Set<string>()
  return objectsAt(container, 'volumeDevices').flatMap((device, i) => {
    const at = `${path}.volumeDevices[${i}]`
    const name = textAt(device, 'name')
    const devicePath = textAt(device, 'devicePath')
    const volume = scope.volumes.get(name)
    const errors = requireText(device, 'name', at)
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, 'must be unique'))
    if (volume && absent(volume, 'persistentVolumeClaim') && absent(volume, 'ephemeral')) {
      const text = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      errors.push(invalid(`${at}.name`, name, text))
    }
    if (!volume) errors.push(notFoundValue(`${at}.name`, name))
    errors.push(...requireText(device, 'devicePath', at))
    if (paths.has(devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, 'must be unique'))
    const back = noBacksteps(devicePath, '').length > 0
    if (back) errors.push(invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')"))
    else paths.add(devicePath)
    if (name !== '') names.add(name)
    return [...errors, ...deviceOverlap(name, devicePath, mounts, at)]
  })
}

function deviceOverlap(name: string, path: string, mounts: readonly Json[], at: string): FieldError[] {
  const named = mounts.some((mount) => mount['name'] === name)
  const placed = mounts.some((mount) => mount['mountPath'] === path)
  return [
    ...(named ? [invalid(`${at}.name`, name, 'must not already exist in volumeMounts')] : []),
    ...(placed ? [invalid(`${at}.devicePath`, path, 'must not already exist as a path in volumeMounts')] : []),
  ]
}

function restartRules(container: Json, path: string): FieldError[] {
  const policy = container['restartPolicy']
  const rules = objectsAt(container, 'restartPolicyRules')
  const errors: FieldError[] = []
  if (typeof policy !== 'string') {
    if (rules.length > 0) {
      errors.push(required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used'))
    }
  } else errors.push(...oneOf(policy, `${path}.restartPolicy`, ['Always', 'Never', 'OnFailure']))
  rules.forEach((rule, i) => {
    const at = `${path}.restartPolicyRules[${i}]`
    errors.push(...oneOf(textAt(rule, 'action'), `${at}.action`, ['Restart', 'RestartAllContainers']))
    const codes = objectAt(rule, 'exitCodes')
    if (!codes) errors.push(required(`${at}.exitCodes`, 'must be specified'))
    else errors.push(...oneOf(textAt(codes, 'operator'), `${at}.exitCodes.operator`, ['In', 'NotIn']))
  })
  return errors
}
