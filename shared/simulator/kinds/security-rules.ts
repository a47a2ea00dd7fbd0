import { oneOf, relativePath, userId } from './checks.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, invalid, notSupported, required, tooLong } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { byteLength } from './names.ts'
import { windowsOptions } from './windows-rules.ts'

/** A pod's security context (`validatePodSpecSecurityContext`). */
export function podSecurity(context: Json, spec: Json, field: string): FieldError[] {
  const groups = Array.isArray(context['supplementalGroups']) ? context['supplementalGroups'] : []
  const both = spec['shareProcessNamespace'] === true && spec['hostPID'] === true
  const enumerated = (key: string, values: readonly string[]): FieldError[] => {
    const value = context[key]
    return typeof value === 'string' ? oneOf(value, `${field}.${key}`, values) : []
  }
  return [
    ...['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((key) => userId(numberAt(context, key), `${field}.${key}`)),
    ...groups.flatMap((group, i) => userId(Number(group), `${field}.supplementalGroups[${i}]`)),
    ...(both
      ? [invalid(`${field}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : []),
    ...sysctls(objectsAt(context, 'sysctls'), `${field}.sysctls`),
    ...enumerated('fsGroupChangePolicy', ['Always', 'OnRootMismatch']),
    ...seccomp(objectAt(context, 'seccompProfile'), `${field}.seccompProfile`),
    ...windowsOptions(objectAt(context, 'windowsOptions'), `${field}.windowsOptions`),
    ...appArmor(objectAt(context, 'appArmorProfile'), `${field}.appArmorProfile`),
    ...enumerated('supplementalGroupsPolicy', ['Merge', 'Strict']),
    ...enumerated('seLinuxChangePolicy', ['Recursive']),
  ]
}

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const sysctlName = `^(${segment}[\\./])*${segment}$`

function sysctls(list: readonly Json[], field: string): FieldError[] {
  const seen = new Set<string>()
  return list.flatMap((sysctl, i) => {
    const at = `${field}[${i}].name`
    const name = textAt(sysctl, 'name')
    const again = seen.has(name)
    seen.add(name)
    if (name === '') return [required(at)]
    if (byteLength(name) > 253 || !new RegExp(sysctlName, 'u').test(name)) {
      return [invalid(at, name, `must have at most 253 characters and match regex ${sysctlName}`)]
    }
    return again ? [duplicate(at, name)] : []
  })
}

/** A container's security context (`ValidateSecurityContext`); privileged ones are allowed, as most clusters do. */
export function securityRules(context: Json | undefined, hostUsers: boolean, field: string): FieldError[] {
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
    if (hostUsers && mount === 'Unmasked') {
      errors.push(invalid(`${field}.procMount`, mount, '`hostUsers` must be false to use `Unmasked`'))
    }
  }
  errors.push(...seccomp(objectAt(context, 'seccompProfile'), `${field}.seccompProfile`))
  return [
    ...errors,
    ...escalation(context, field),
    ...windowsOptions(objectAt(context, 'windowsOptions'), `${field}.windowsOptions`),
    ...appArmor(objectAt(context, 'appArmorProfile'), `${field}.appArmorProfile`),
  ]
}

function escalation(context: Json, field: string): FieldError[] {
  if (context['allowPrivilegeEscalation'] !== false) return []
  const shown = goView('internal/core.SecurityContext', 'core/v1.SecurityContext', context)
  const cannot = (what: string): FieldError =>
    invalid(field, shown, `cannot set \`allowPrivilegeEscalation\` to false and ${what}`)
  return [
    ...(context['privileged'] === true ? [cannot('`privileged` to true')] : []),
    ...textsAt(objectAt(context, 'capabilities'), 'add')
      .filter((name) => name === 'CAP_SYS_ADMIN')
      .map(() => cannot('`capabilities.Add` CAP_SYS_ADMIN')),
  ]
}

/** An AppArmor profile of a pod or a container. */
function appArmor(profile: Json | undefined, field: string): FieldError[] {
  if (!profile) return []
  const type = textAt(profile, 'type')
  const local = profile['localhostProfile']
  const at = `${field}.localhostProfile`
  if (type === '') return [required(`${field}.type`, 'type is required when appArmorProfile is set')]
  if (type === 'RuntimeDefault' || type === 'Unconfined') {
    if (local === undefined || local === null) return []
    return [invalid(at, local, 'can only be set when AppArmor type is Localhost')]
  }
  if (type !== 'Localhost') return oneOf(type, `${field}.type`, ['Localhost', 'RuntimeDefault', 'Unconfined'])
  if (typeof local !== 'string') return [required(at, 'must be set when AppArmor type is Localhost')]
  return [
    ...(local.trim() === local ? [] : [invalid(at, local, 'must not be padded with whitespace')]),
    ...(local === '' ? [required(at, 'must be set when AppArmor type is Localhost')] : []),
    ...(byteLength(local) > 4095 ? [tooLong(at, 4095)] : []),
  ]
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
