import { oneOf, optionalNumber, portNumberOrName, requireText } from './checks.ts'
import type { PodScope } from './container-rules.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import { headerName } from './names.ts'

/** Hooks and probes of a container. */
export function lifecycleRules(container: Json, scope: PodScope, path: string): FieldError[] {
  const lifecycle = objectAt(container, 'lifecycle')
  const hooks = ['postStart', 'preStop'].flatMap((hook) => {
    const handler = objectAt(lifecycle, hook)
    return handler ? handlerRules(handler, scope, `${path}.lifecycle.${hook}`) : []
  })
  const signal = textAt(lifecycle, 'stopSignal')
  const stop =
    signal !== '' && scope.os === undefined
      ? [forbidden(`${path}.lifecycle.stopSignal`, 'may not be set for containers with empty `spec.os.name`')]
      : []
  return [...hooks, ...stop, ...probes(container, scope, path)]
}

function probes(container: Json, scope: PodScope, path: string): FieldError[] {
  return ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((kind) => {
    const probe = objectAt(container, kind)
    if (!probe) return []
    const at = `${path}.${kind}`
    const numbers = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold']
    const errors = [...handlerRules(probe, scope, at), ...numbers.flatMap((key) => optionalNumber(probe, key, at))]
    const grace = numberAt(probe, 'terminationGracePeriodSeconds')
    if (grace !== undefined && grace <= 0) {
      errors.push(invalid(`${at}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'))
    }
    if (kind === 'readinessProbe') {
      if (grace === undefined) return errors
      const text = 'must not be set for readinessProbes'
      return [...errors, invalid(`${at}.terminationGracePeriodSeconds`, grace, text)]
    }
    const successes = numberAt(probe, 'successThreshold') ?? 0
    return successes === 1 ? errors : [...errors, invalid(`${at}.successThreshold`, successes, 'must be 1')]
  })
}

const handlerKinds = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const

function handlerRules(handler: Json, scope: PodScope, field: string): FieldError[] {
  const present = handlerKinds.filter((kind) => !absent(handler, kind))
  if (present.length === 0) return [required(field, 'must specify a handler type')]
  return present.flatMap((kind, i) => {
    const at = `${field}.${kind}`
    if (i > 0) return [forbidden(at, 'may not specify more than 1 handler type')]
    return oneHandler(kind, objectAt(handler, kind) ?? {}, scope, at)
  })
}

function oneHandler(kind: (typeof handlerKinds)[number], action: Json, scope: PodScope, at: string): FieldError[] {
  switch (kind) {
    case 'exec':
      return textsAt(action, 'command').length === 0 ? [required(`${at}.command`)] : []
    case 'httpGet':
      return [
        ...requireText(action, 'path', at),
        ...portNumberOrName(action['port'], `${at}.port`),
        ...oneOf(textAt(action, 'scheme'), `${at}.scheme`, ['HTTP', 'HTTPS']),
        ...objectsAt(action, 'httpHeaders').flatMap((header) =>
          failing(headerName, textAt(header, 'name'), `${at}.httpHeaders`),
        ),
      ]
    case 'tcpSocket':
    case 'grpc':
      return portNumberOrName(action['port'], `${at}.port`)
    default: {
      const seconds = numberAt(action, 'seconds') ?? 0
      const limit = scope.graceSeconds ?? 0
      if (seconds >= 0 && seconds <= limit) return []
      const text = `must be non-negative and less than terminationGracePeriodSeconds (${limit}). Must not be set to 0`
      return [invalid(at, seconds, text.replace('. Must not be set to 0', ''))]
    }
  }
}
