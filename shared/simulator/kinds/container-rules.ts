import { dnsLabelField, oneOf, relativePath, requiredOneOf, requireText, userId } from './checks.ts'
import { validateEnv } from './env-rules.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notFoundValue, notSupported, required } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt } from './json.ts'
import { failing } from './metadata.ts'
import { portName, portNumber } from './names.ts'
import { lifecycleRules } from './handler-rules.ts'
import { validateResources } from './resource-rules.ts'

/** What the containers of one pod spec are checked against. */
export interface PodScope {
  /** Volumes that are valid themselves. */
  readonly volumes: ReadonlyMap<string, Json>
  readonly claimNames: ReadonlySet<string>
  readonly graceSeconds: number | undefined
  readonly hostUsers: boolean
  readonly os: string | undefined
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

function commonRules(container: Json, scope: PodScope, path: string): FieldError[] {
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
    ...securityRules(objectAt(container, 'securityContext'), scope, `${path}.securityContext`),
  ]
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
  return errors
}

function validateDevices(container: Json, scope: PodScope, path: string): FieldError[] {
  const paths = new Set<string>()
  return objectsAt(container, 'volumeDevices').flatMap((device, i) => {
    const at = `${path}.volumeDevices[${i}]`
    const name = textAt(device, 'name')
    const devicePath = textAt(device, 'devicePath')
    const volume = scope.volumes.get(name)
    const errors = requireText(device, 'name', at)
    if (volume && absent(volume, 'persistentVolumeClaim') && absent(volume, 'ephemeral')) {
      const text = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
      errors.push(invalid(`${at}.name`, name, text))
    }
    if (!volume) errors.push(notFoundValue(`${at}.name`, name))
    errors.push(...requireText(device, 'devicePath', at))
    if (paths.has(devicePath)) errors.push(invalid(`${at}.devicePath`, devicePath, 'must be unique'))
    paths.add(devicePath)
    return errors
  })
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

function securityRules(context: Json | undefined, scope: PodScope, field: string): FieldError[] {
  if (!context) return []
  const errors = [
    ...userId(numberAt(context, 'runAsUser'), `${field}.runAsUser`),
    ...userId(numberAt(context, 'runAsGroup'), `${field}.runAsGroup`),
  ]
  const mount = context['procMount']
  if (typeof mount === 'string') {
    if (mount !== 'Default' && mount !== 'Unmasked') {
      errors.push(notSupported(`${field}.procMount`, mount, ['Default', 'Unmasked']))
    }
    if (scope.hostUsers && mount === 'Unmasked') {
      errors.push(invalid(`${field}.procMount`, mount, '`hostUsers` must be false to use `Unmasked`'))
    }
  }
  errors.push(...seccomp(objectAt(context, 'seccompProfile'), `${field}.seccompProfile`))
  if (context['allowPrivilegeEscalation'] === false && context['privileged'] === true) {
    const text = 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true'
    errors.push(invalid(field, goView('internal/core.SecurityContext', 'core/v1.SecurityContext', context), text))
  }
  return errors
}

/** A seccomp profile of a pod or a container. */
export function seccomp(profile: Json | undefined, field: string): FieldError[] {
  if (!profile) return []
  const type = textAt(profile, 'type')
  const errors =
    type === ''
      ? [required(`${field}.type`, 'type is required when seccompProfile is set')]
      : oneOf(type, `${field}.type`, ['Localhost', 'RuntimeDefault', 'Unconfined'])
  const local = profile['localhostProfile']
  if (type === 'Localhost') {
    if (typeof local === 'string') return [...errors, ...relativePath(local, `${field}.localhostProfile`)]
    return [...errors, required(`${field}.localhostProfile`, 'must be set when seccomp type is Localhost')]
  }
  if (local === undefined || local === null) return errors
  const shown = { Type: type, LocalhostProfile: local }
  return [...errors, invalid(`${field}.localhostProfile`, shown, 'can only be set when seccomp type is Localhost')]
}
