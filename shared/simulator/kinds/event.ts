import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { invalid, required } from './field-error.ts'
import { absent, numberAt, objectAt, textAt } from './json.ts'
import { failing, unchanged, validateMetadata, validateMetadataChange } from './metadata.ts'
import { byteLength, dnsSubdomain, qualifiedName, subdomainName } from './names.ts'

/** Events, which two API groups serve: what only the newer one checks holds for requests to it alone. */
const legacy = (o: KubeObject): boolean => o.apiVersion === 'v1'

const involved = (key: string) => (o: KubeObject) =>
  textAt(objectAt(o, legacy(o) ? 'involvedObject' : 'regarding'), key)
const mismatch = 'does not match event.namespace'

/** `legacyValidateEvent`. */
function commonErrors(o: KubeObject): FieldError[] {
  const namespace = o.metadata.namespace ?? ''
  const errors = absent(o, 'eventTime') ? oldStyleErrors(o, namespace) : newStyleErrors(o, namespace)
  return [...errors, ...failing(dnsSubdomain, namespace, 'namespace')]
}

function oldStyleErrors(o: KubeObject, namespace: string): FieldError[] {
  const about = involved('namespace')(o)
  const allowed = about === '' ? ['', 'default'] : [about]
  return allowed.includes(namespace) ? [] : [invalid('involvedObject.namespace', about, mismatch)]
}

function newStyleErrors(o: KubeObject, namespace: string): FieldError[] {
  const about = involved('namespace')(o)
  const field = legacy(o) ? 'reportingComponent' : 'reportingController'
  const controller = textAt(o, field)
  const message = textAt(o, legacy(o) ? 'message' : 'note')
  return [
    ...(about === '' && !['default', 'kube-system'].includes(namespace)
      ? [invalid('involvedObject.namespace', about, mismatch)]
      : []),
    ...(controller === '' ? [required(field)] : []),
    ...failing(qualifiedName, controller, field),
    ...limited(o, 'reportingInstance', 128),
    ...limited(o, 'action', 128),
    ...limited(o, 'reason', 128),
    ...(byteLength(message) > 1024 ? [invalid('message', '', 'can have at most 1024 characters')] : []),
  ]
}

function limited(o: KubeObject, field: string, limit: number): FieldError[] {
  const value = textAt(o, field)
  if (value === '') return [required(field)]
  return byteLength(value) > limit ? [invalid(field, '', `can have at most ${limit} characters`)] : []
}

function seriesErrors(o: KubeObject): FieldError[] {
  const series = objectAt(o, 'series')
  if (!series) return []
  return [
    ...((numberAt(series, 'count') ?? 0) < 2 ? [invalid('series.count', '', 'should be at least 2')] : []),
    ...(absent(series, 'lastObservedTime') ? [required('series.lastObservedTime')] : []),
  ]
}

const unset = (given: boolean, field: string): FieldError[] => (given ? [invalid(field, '', 'needs to be unset')] : [])

function strictErrors(o: KubeObject): FieldError[] {
  const type = textAt(o, 'type')
  const source = objectAt(o, 'deprecatedSource')
  return [
    ...validateMetadata(o.metadata, subdomainName),
    ...seriesErrors(o),
    ...(absent(o, 'eventTime') ? [required('eventTime')] : []),
    ...(['Normal', 'Warning'].includes(type) ? [] : [invalid('type', '', `has invalid value: ${type}`)]),
    ...unset(!absent(o, 'deprecatedFirstTimestamp'), 'firstTimestamp'),
    ...unset(!absent(o, 'deprecatedLastTimestamp'), 'lastTimestamp'),
    ...unset((numberAt(o, 'deprecatedCount') ?? 0) !== 0, 'count'),
    ...unset(textAt(source, 'component') !== '' || textAt(source, 'host') !== '', 'source'),
  ]
}

/** Fields of the newer version by the names in messages, in the order they are compared. */
const fixed: readonly (readonly [field: string, key: string])[] = [
  ['involvedObject', 'regarding'],
  ['reason', 'reason'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
]

export const event = defineKind({
  createOnUpdate: true,
  metadataOnUpdate: 'none',
  validate: (o, _context, live) => {
    if (legacy(o)) return commonErrors(o)
    return [...commonErrors(o), ...(live ? [] : strictErrors(o))]
  },
  validateChange: (next, live) => {
    if (legacy(next)) return []
    return [
      ...validateMetadataChange(next.metadata, live.metadata),
      ...(sameJson(next['series'], live['series']) ? [] : seriesErrors(next)),
      ...fixed.flatMap(([field, key]) => unchanged(field, next[key], live[key])),
    ]
  },
  fieldSelectors: {
    ...Object.fromEntries(
      ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map((key) => [
        `involvedObject.${key}`,
        involved(key),
      ]),
    ),
    reason: (o) => textAt(o, 'reason'),
    reportingComponent: (o) => textAt(o, legacy(o) ? 'reportingComponent' : 'reportingController'),
    source: (o) =>
      textAt(objectAt(o, legacy(o) ? 'source' : 'deprecatedSource'), 'component') || textAt(o, 'reportingComponent'),
    type: (o) => textAt(o, 'type'),
  },
})
