import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { readSigningRequest, SigningRequestError } from '../tls/signing-request.ts'
import { requiredOneOf } from './checks.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { duplicate, forbidden, invalid, notSupported, required } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, ensureObject, numberAt, objectAt, objectsAt, textAt, textsAt } from './json.ts'
import { validateMetadataChange } from './metadata.ts'
import { signerName } from './signer-name.ts'
import type { KindStrategy, PartStrategy, StrategyContext } from './strategy.ts'

/** Requests for certificates (`pkg/apis/certificates/validation`, `pkg/registry/certificates`). */

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}
const statusOf = (o: KubeObject): Json => objectAt(o, 'status') ?? {}
const conditionsOf = (o: KubeObject): readonly Json[] => objectsAt(statusOf(o), 'conditions')

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]

/** Conditions that are there or not, but never false. */
const verdicts = ['Approved', 'Denied', 'Failed']

const whole = defineKind({
  name: () => [],
  status: true,
  metadataOnUpdate: 'whole',
  prepare: (next, live, context) => {
    if (live) next['spec'] = live['spec']
    else recordUser(ensureObject(next, 'spec'), context)
  },
  validate: (o, _context, live) => requestErrors(o, live),
  validateChange: (next, live) => [
    ...changeErrors(next, live, {}),
    ...validateMetadataChange(next.metadata, live.metadata),
  ],
  resetFields: { main: [['spec'], ['status']], status: [['spec'], ['status', 'conditions']] },
  prepareStatus: (next, live, context) => {
    keepVerdicts(next, live)
    timeConditions(next, live, context)
  },
  validateStatus: (next, live) => [...requestErrors(next, live), ...changeErrors(next, live, { certificate: true })],
  fieldSelectors: { 'spec.signerName': (o) => textAt(specOf(o), 'signerName') },
})

const approval: PartStrategy = {
  prepareForUpdate(next, live, context) {
    timeConditions(next, live, context)
    const conditions = statusOf(next)['conditions']
    next['spec'] = live['spec']
    next['status'] = { ...statusOf(live) }
    if (conditions === undefined) delete (next['status'] as Json)['conditions']
    else (next['status'] as Json)['conditions'] = conditions
  },
  validateUpdate: (next, live) => [
    ...requestErrors(next, live),
    ...changeErrors(next, live, { verdicts: true }),
    ...validateMetadataChange(next.metadata, live.metadata),
  ],
  resetFields: [['spec'], ['status', 'certificate']],
}

export const signingRequest: KindStrategy = { ...whole, parts: { approval } }

/** Who asks is part of the request and cannot be claimed. */
function recordUser(spec: Json, { user, userUid, groups = [] }: StrategyContext): void {
  for (const key of ['username', 'uid', 'groups', 'extra']) delete spec[key]
  if (user !== undefined) spec['username'] = user
  if (userUid !== undefined) spec['uid'] = userUid
  if (groups.length > 0) spec['groups'] = [...groups]
}

function requestErrors(o: KubeObject, live: KubeObject | undefined): FieldError[] {
  const spec = specOf(o)
  const given = textsAt(spec, 'usages')
  const seconds = numberAt(spec, 'expirationSeconds')
  const signer = textAt(spec, 'signerName')
  return [
    ...signatureErrors(textAt(spec, 'request')),
    ...(given.length === 0 ? [required('spec.usages')] : []),
    ...given.flatMap((usage, i) => (usages.includes(usage) ? [] : [notSupported(`spec.usages[${i}]`, usage, usages)])),
    ...given.flatMap((usage, i) => (given.indexOf(usage) < i ? [duplicate(`spec.usages[${i}]`, usage)] : [])),
    ...(signer === 'kubernetes.io/legacy-unknown'
      ? [invalid('spec.signerName', signer, 'the legacy signerName is not allowed via this API version')]
      : signerName(signer, 'spec.signerName')),
    ...(seconds !== undefined && seconds < 600
      ? [invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)')]
      : []),
    ...conditionErrors(conditionsOf(o)),
    ...certificateErrors(textAt(statusOf(o), 'certificate'), live && textAt(statusOf(live), 'certificate')),
  ]
}

function signatureErrors(request: string): FieldError[] {
  try {
    readSigningRequest(Buffer.from(request, 'base64').toString('latin1'))
    return []
  } catch (error) {
    if (!SigningRequestError.is(error)) throw error
    return [invalid('spec.request', request, error.message)]
  }
}

function conditionErrors(conditions: readonly Json[]): FieldError[] {
  const seen = new Set<string>()
  return conditions.flatMap((condition, i) => {
    const at = `status.conditions[${i}]`
    const type = textAt(condition, 'type')
    const values = verdicts.includes(type) ? ['True'] : ['False', 'True', 'Unknown']
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined
    const errors = [
      ...(type === '' ? [required(`${at}.type`)] : []),
      ...requiredOneOf(textAt(condition, 'status'), `${at}.status`, values),
      ...(other !== undefined && seen.has(other)
        ? [invalid('status.conditions', type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(seen.has(type) ? [duplicate(`${at}.type`, type)] : []),
    ]
    seen.add(type)
    return errors
  })
}

function certificateErrors(certificate: string, before: string | undefined): FieldError[] {
  if (certificate === '' || certificate === before) return []
  const text = Buffer.from(certificate, 'base64').toString('latin1')
  const types = [...text.matchAll(/-----BEGIN ([^-]+)-----/gu)].map(([, type = '']) => type)
  const odd = types.find((type) => type !== 'CERTIFICATE')
  const problem =
    types.length === 0
      ? 'must contain at least one CERTIFICATE PEM block'
      : odd !== undefined && `only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(odd)}`
  return problem === false ? [] : [invalid('status.certificate', '<certificate data>', problem)]
}

const ofType = (o: KubeObject, type: string): readonly Json[] =>
  conditionsOf(o).filter((condition) => textAt(condition, 'type') === type)

/** What a write may not change, by what its endpoint is for. */
function changeErrors(
  next: KubeObject,
  live: KubeObject,
  may: { readonly verdicts?: boolean; readonly certificate?: boolean },
): FieldError[] {
  const removed = verdicts
    .filter((type) => ofType(next, type).length < ofType(live, type).length)
    .map((type) => forbidden('status.conditions', `updates may not remove a condition of type "${type}"`))
  const added = ['Approved', 'Denied']
    .filter((type) => may.verdicts !== true && ofType(next, type).length > ofType(live, type).length)
    .map((type) => forbidden('status.conditions', `updates may not add a condition of type "${type}"`))
  const is = textAt(statusOf(next), 'certificate')
  const was = textAt(statusOf(live), 'certificate')
  const errors = [...removed, ...added]
  if (is === was) return errors
  if (may.certificate !== true) {
    return [...errors, forbidden('status.certificate', 'updates may not set certificate content')]
  }
  if (was === '') return errors
  return [...errors, forbidden('status.certificate', 'updates may not modify existing certificate content')]
}

/** Approvals and denials are left as they are, where as many are given. */
function keepVerdicts(next: KubeObject, live: KubeObject): void {
  for (const type of ['Approved', 'Denied']) {
    const old = ofType(live, type)
    const given = ofType(next, type)
    if (old.length !== given.length || sameJson(old, given)) continue
    const kept = conditionsOf(next).map((c) => (given.includes(c) ? (old[given.indexOf(c)] ?? c) : c))
    ensureObject(next, 'status')['conditions'] = kept
  }
}

function timeConditions(next: KubeObject, live: KubeObject, { now }: StrategyContext): void {
  const status = objectAt(next, 'status')
  if (!status || absent(status, 'conditions')) return
  status['conditions'] = conditionsOf(next).map((condition) => {
    const before = conditionsOf(live).find((old) =>
      ['type', 'status'].every((key) => textAt(old, key) === textAt(condition, key)),
    )
    const { lastUpdateTime, lastTransitionTime } = condition
    return {
      ...condition,
      lastUpdateTime: lastUpdateTime ?? now,
      lastTransitionTime: lastTransitionTime ?? before?.['lastTransitionTime'] ?? now,
    }
  })
}
