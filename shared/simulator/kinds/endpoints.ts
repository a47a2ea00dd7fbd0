import type { KubeObject } from '../object.ts'
import { oneOf } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { numberAt, objectsAt, textAt } from './json.ts'
import { failing } from './metadata.ts'
import { dnsLabel, portNumber, qualifiedName, subdomainName } from './names.ts'
import { endpointIp, validIp } from './network-checks.ts'
import { ipWarnings } from './network-warnings.ts'
import { sameMeaning } from './same.ts'

/** Endpoints of a service, as older clients keep them (`ValidateEndpoints`). */
export const endpoints = defineKind({
  createOnUpdate: true,
  metadataOnUpdate: 'both',
  validate: endpointsErrors,
  warnings: endpointsWarnings,
})

const addressLists = ['addresses', 'notReadyAddresses']

function endpointsWarnings(o: KubeObject): string[] {
  if (o.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return []
  return objectsAt(o, 'subsets').flatMap((subset, s) =>
    addressLists.flatMap((list) =>
      objectsAt(subset, list).flatMap((address, i) =>
        ipWarnings(textAt(address, 'ip'), `subsets[${s}].${list}[${i}].ip`),
      ),
    ),
  )
}

function endpointsErrors(o: KubeObject, _context: unknown, live: KubeObject | undefined): FieldError[] {
  const errors = objectsAt(o, 'subsets').flatMap((subset, s) => subsetErrors(subset, `subsets[${s}]`))
  // What stands since before a rule is let be.
  const kept = errors.length > 0 && live !== undefined && sameMeaning(o['subsets'], live['subsets'])
  return kept ? [] : errors
}

function subsetErrors(subset: Json, at: string): FieldError[] {
  const ports = objectsAt(subset, 'ports')
  const empty = addressLists.every((list) => objectsAt(subset, list).length === 0)
  return [
    ...(empty ? [required(at, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...addressLists.flatMap((list) =>
      objectsAt(subset, list).flatMap((address, i) => addressErrors(address, `${at}.${list}[${i}]`)),
    ),
    ...ports.flatMap((port, i) => portErrors(port, ports.length > 1, `${at}.ports[${i}]`)),
  ]
}

function addressErrors(address: Json, at: string): FieldError[] {
  const ip = textAt(address, 'ip')
  const host = textAt(address, 'hostname')
  const node = typeof address['nodeName'] === 'string' ? address['nodeName'] : undefined
  return [
    ...validIp(ip, `${at}.ip`),
    ...(host === '' ? [] : failing(dnsLabel, host, `${at}.hostname`)),
    ...(node === undefined ? [] : subdomainName(node, false).map((text) => invalid(`${at}.nodeName`, node, text))),
    ...endpointIp(ip, `${at}.ip`),
  ]
}

function portErrors(port: Json, nameNeeded: boolean, at: string): FieldError[] {
  const name = textAt(port, 'name')
  const number = numberAt(port, 'port') ?? 0
  const application = port['appProtocol']
  return [
    ...(name === '' && nameNeeded ? [required(`${at}.name`)] : []),
    ...(name === '' ? [] : failing(dnsLabel, name, `${at}.name`)),
    ...portNumber(number).map((text) => invalid(`${at}.port`, number, text)),
    ...(textAt(port, 'protocol') === ''
      ? [required(`${at}.protocol`)]
      : oneOf(textAt(port, 'protocol'), `${at}.protocol`, ['SCTP', 'TCP', 'UDP'])),
    ...(typeof application === 'string' ? failing(qualifiedName, application, `${at}.appProtocol`) : []),
  ]
}
