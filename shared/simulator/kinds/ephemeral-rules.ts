import type { PodScope } from './container-rules.ts'
import { commonRules } from './container-rules.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notFoundValue } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, objectsAt, textAt } from './json.ts'

/** What a container that only looks on may not have, in the order of Go's struct. */
const notForGuests = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
]

/** Containers that are put into a running pod to look at it (`validateEphemeralContainers`). */
export function validateEphemeralContainers(
  guests: readonly Json[],
  others: readonly Json[],
  scope: PodScope,
  field: string,
): FieldError[] {
  const regular = new Set(others.map((container) => textAt(container, 'name')))
  const names = new Set(regular)
  return guests.flatMap((guest, i) => {
    const at = `${field}[${i}]`
    const name = textAt(guest, 'name')
    const image = textAt(guest, 'image')
    const target = textAt(guest, 'targetContainerName')
    const again = names.has(name) ? [duplicate(`${at}.name`, name)] : []
    names.add(name)
    return [
      ...commonRules(guest, scope, at),
      ...(image === image.trim()
        ? []
        : [invalid(`${at}.image`, image, 'must not have leading or trailing whitespace')]),
      ...again,
      ...(target === '' || regular.has(target) ? [] : [notFoundValue(`${at}.targetContainerName`, target)]),
      ...notForGuests
        .filter((key) => isGiven(guest, key))
        .map((key) => forbidden(`${at}.${key}`, 'cannot be set for an Ephemeral Container')),
      ...subPaths(objectsAt(guest, 'volumeMounts'), `${at}.volumeMounts`),
    ]
  })
}

function isGiven(guest: Json, key: string): boolean {
  if (absent(guest, key)) return false
  return key !== 'resources' || Object.keys(guest[key] as Json).length > 0
}

function subPaths(mounts: readonly Json[], field: string): FieldError[] {
  return mounts.flatMap((mount, i) =>
    ['subPath', 'subPathExpr']
      .filter((key) => textAt(mount, key) !== '')
      .map((key) => forbidden(`${field}[${i}].${key}`, 'cannot be set for an Ephemeral Container')),
  )
}
