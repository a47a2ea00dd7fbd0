import { isIP } from 'node:net'
import type { KubeObject } from '../object.ts'
import type { FieldError } from './field-error.ts'
import { invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { goContainer, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { failing } from './metadata.ts'
import {
  dnsSubdomain,
  labelName,
  pathSegmentName,
  portName,
  portNumber,
  subdomainName,
  wildcardSubdomain,
} from './names.ts'

/** The rules of an Ingress (`pkg/apis/networking/validation`). */
export function ingressErrors(o: KubeObject, live: KubeObject | undefined): FieldError[] {
  const spec = objectAt(o, 'spec') ?? {}
  const rules = objectsAt(spec, 'rules')
  const backend = objectAt(spec, 'defaultBackend')
  const className = spec['ingressClassName']
  const errors: FieldError[] = []
  if (rules.length === 0 && !backend) {
    errors.push(invalid('spec', goContainer(spec, 'rules'), 'either `defaultBackend` or `rules` must be specified'))
  }
  if (backend) errors.push(...backendErrors(backend, 'spec.defaultBackend'))
  errors.push(...rules.flatMap((rule, i) => ruleErrors(rule, `spec.rules[${i}]`)))
  errors.push(...objectsAt(spec, 'tls').flatMap((tls, i) => tlsErrors(tls, `spec.tls[${i}]`)))
  if (typeof className === 'string') {
    errors.push(...subdomainName(className, false).map((text) => invalid('spec.ingressClassName', className, text)))
  }
  const annotation = o.metadata.annotations?.['kubernetes.io/ingress.class']
  if (live !== undefined || annotation === undefined || typeof className !== 'string' || annotation === className) {
    return errors
  }
  const text = 'must match `ingressClassName` when both are specified'
  return [...errors, invalid('annotations.kubernetes.io/ingress.class', annotation, text)]
}

function hostErrors(host: string, field: string): FieldError[] {
  return failing(host.includes('*') ? wildcardSubdomain : dnsSubdomain, host, field)
}

function tlsErrors(tls: Json, at: string): FieldError[] {
  const secret = textAt(tls, 'secretName')
  return [
    ...textsAt(tls, 'hosts').flatMap((host, i) => hostErrors(host, `${at}.hosts[${i}]`)),
    ...(secret === '' ? [] : subdomainName(secret, false).map((text) => invalid(`${at}.secretName`, secret, text))),
  ]
}

function ruleErrors(rule: Json, at: string): FieldError[] {
  const host = textAt(rule, 'host')
  const http = objectAt(rule, 'http')
  const paths = objectsAt(http, 'paths')
  return [
    ...(isIP(host) > 0 ? [invalid(`${at}.host`, host, 'must be a DNS name, not an IP address')] : []),
    ...(host === '' ? [] : hostErrors(host, `${at}.host`)),
    ...(http && paths.length === 0 ? [required(`${at}.http.paths`)] : []),
    ...paths.flatMap((path, i) => pathErrors(path, `${at}.http.paths[${i}]`)),
  ]
}

const badSequences = ['//', '/./', '/../', '%2f', '%2F']
const badSuffixes = ['/..', '/.']

function pathErrors(path: Json, at: string): FieldError[] {
  const type = path['pathType']
  if (typeof type !== 'string') return [required(`${at}.pathType`, 'pathType must be specified')]
  const value = textAt(path, 'path')
  return [...pathValue(value, type, at), ...backendErrors(objectAt(path, 'backend') ?? {}, `${at}.backend`)]
}

function pathValue(value: string, type: string, at: string): FieldError[] {
  const relative = value.startsWith('/') ? [] : [invalid(`${at}.path`, value, 'must be an absolute path')]
  if (type === 'ImplementationSpecific') return value === '' ? [] : relative
  if (type !== 'Exact' && type !== 'Prefix') {
    return [notSupported(`${at}.pathType`, type, ['Exact', 'ImplementationSpecific', 'Prefix'])]
  }
  return [
    ...relative,
    ...badSequences
      .filter((sequence) => value.includes(sequence))
      .map((sequence) => invalid(`${at}.path`, value, `must not contain '${sequence}'`)),
    ...badSuffixes
      .filter((suffix) => value.endsWith(suffix))
      .map((suffix) => invalid(`${at}.path`, value, `cannot end with '${suffix}'`)),
  ]
}

function backendErrors(backend: Json, at: string): FieldError[] {
  const service = objectAt(backend, 'service')
  const resource = objectAt(backend, 'resource')
  if (service && resource) return [invalid(at, '', 'cannot set both resource and service backends')]
  if (resource) return typedReference(resource, `${at}.resource`)
  if (!service) return [invalid(at, '', 'resource or service backend is required')]
  const name = textAt(service, 'name')
  const errors =
    name === ''
      ? [required(`${at}.service.name`)]
      : labelName(name, false).map((text) => invalid(`${at}.service.name`, name, text))
  return [...errors, ...backendPort(objectAt(service, 'port') ?? {}, at)]
}

function backendPort(port: Json, at: string): FieldError[] {
  const name = textAt(port, 'name')
  const number = numberAt(port, 'number') ?? 0
  if (name !== '' && number !== 0) return [invalid(at, '', 'cannot set both port name & port number')]
  if (name !== '') return failing(portName, name, `${at}.service.port.name`)
  if (number === 0) return [required(at, 'port name or number is required')]
  return portNumber(number).map((text) => invalid(`${at}.service.port.number`, number, text))
}

/** A reference by group, kind and name; names only have to fit into a path. */
export function typedReference(reference: Json, at: string): FieldError[] {
  const group = reference['apiGroup']
  const segment = (key: string): FieldError[] => {
    const value = textAt(reference, key)
    if (value === '') return [required(`${at}.${key}`)]
    return pathSegmentName(value, false).map((text) => invalid(`${at}.${key}`, value, text))
  }
  return [
    ...(typeof group === 'string' ? failing(dnsSubdomain, group, `${at}.apiGroup`) : []),
    ...segment('kind'),
    ...segment('name'),
  ]
}
