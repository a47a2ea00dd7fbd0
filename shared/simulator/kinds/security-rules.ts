import { oneOf, userId } from './checks.ts'
import { seccomp } from './container-rules.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { numberAt, objectAt, objectsAt, textAt } from './json.ts'
import { byteLength } from './names.ts'

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
    ...enumerated('supplementalGroupsPolicy', ['Merge', 'Strict']),
    ...enumerated('seLinuxChangePolicy', ['MountOption', 'Recursive']),
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
