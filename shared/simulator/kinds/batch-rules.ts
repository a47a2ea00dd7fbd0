import { domainPath } from './networking.ts'
import type { KubeObject } from '../object.ts'
import {
  labelSelector,
  oneOf,
  optionalNumber,
  requiredOneOf,
  selectorMatches,
  selectorParses,
  shownLabels,
} from './checks.ts'
import { CronError, parseCron } from './cron-schedule.ts'
import type { FieldError } from './field-error.ts'
import { goQuote, invalid, notSupported, omittedValue, required, tooMany } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, goContainer, numberAt, objectAt, objectsAt, textAt, textMapAt } from './json.ts'
import { failing } from './metadata.ts'
import { byteLength, dnsLabel, qualifiedName } from './names.ts'
import { validatePodTemplate } from './pod-rules.ts'

/** Specs of the batch group (`pkg/apis/batch/validation`). */
export function jobErrors(o: KubeObject): FieldError[] {
  const spec = objectAt(o, 'spec') ?? {}
  const errors = [...generatedSelector(o, spec), ...jobSpecErrors(spec)]
  const count = numberAt(spec, 'completions') ?? 0
  const host = `${o.metadata.name ?? ''}-${count - 1}`
  if (spec['completionMode'] !== 'Indexed' || count <= 0 || dnsLabel(host).length === 0) return errors
  const text = `will not able to create pod with invalid DNS label: ${host}`
  return [...errors, invalid('metadata.name', o.metadata.name, text)]
}

function generatedSelector(o: KubeObject, spec: Json): FieldError[] {
  if (spec['manualSelector'] === true) return []
  const selector = objectAt(spec, 'selector')
  if (!selector) return []
  const labels = textMapAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels')
  const { uid = '', name = '' } = o.metadata
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  }
  const errors = Object.entries(expected).flatMap(([key, value]) => hasLabel(labels, key, value))
  if (selectorMatches(selector, expected)) return errors
  return [...errors, invalid('spec.selector', selector, '`selector` not auto-generated')]
}

function hasLabel(labels: Readonly<Record<string, string>>, key: string, value: string): FieldError[] {
  const field = 'spec.template.metadata.labels'
  const actual = labels[key]
  if (actual === undefined) return [required(`${field}[${key}]`, `must be '${value}'`)]
  return actual === value ? [] : [invalid(`${field}[${key}]`, labels, `must be '${value}'`)]
}

/** The spec of a job with its selector. */
export function jobSpecErrors(spec: Json): FieldError[] {
  const selector = objectAt(spec, 'selector')
  const template = objectAt(spec, 'template') ?? {}
  const labels = objectAt(objectAt(template, 'metadata'), 'labels')
  const matches =
    selector !== undefined && (!selectorParses(selector) || selectorMatches(selector, textMapAt({ labels }, 'labels')))
  return [
    ...templatedJobErrors(spec, 'spec'),
    ...(selector ? labelSelector(selector, 'spec.selector') : [required('spec.selector')]),
    ...(matches
      ? []
      : [
          invalid(
            'spec.template.metadata.labels',
            shownLabels(template),
            '`selector` does not match template `labels`',
          ),
        ]),
  ]
}

const counts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
]

function templatedJobErrors(spec: Json, field: string): FieldError[] {
  const template = objectAt(spec, 'template') ?? {}
  const errors = counts.flatMap((key) => optionalNumber(spec, key, field))
  if (!absent(spec, 'maxFailedIndexes') && absent(spec, 'backoffLimitPerIndex')) {
    errors.push(required(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'))
  }
  const manager = spec['managedBy']
  if (typeof manager === 'string') errors.push(...domainPath(manager, `${field}.managedBy`))
  return [
    ...errors,
    ...completionMode(spec, field),
    ...failurePolicy(spec, field),
    ...replacementPolicy(spec, field),
    ...validatePodTemplate(template, `${field}.template`),
    ...restartPolicy(spec, template, field),
  ]
}

function completionMode(spec: Json, field: string): FieldError[] {
  const mode = textAt(spec, 'completionMode')
  const errors: FieldError[] = []
  if (mode !== '') errors.push(...oneOf(mode, `${field}.completionMode`, ['NonIndexed', 'Indexed']))
  const parallelism = numberAt(spec, 'parallelism') ?? 0
  if (mode === 'Indexed') {
    if (absent(spec, 'completions')) errors.push(required(`${field}.completions`, 'when completion mode is Indexed'))
    if (parallelism > 100_000) {
      const text = 'must be less than or equal to 100000 when completion mode is Indexed'
      errors.push(invalid(`${field}.parallelism`, parallelism, text))
    }
    return errors
  }
  for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    if (!absent(spec, key)) errors.push(invalid(`${field}.${key}`, spec[key], 'requires indexed completion mode'))
  }
  return errors
}

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const goList = (values: readonly string[]): string => `[${values.map(goQuote).join(' ')}]`

function failurePolicy(spec: Json, field: string): FieldError[] {
  const policy = objectAt(spec, 'podFailurePolicy')
  if (!policy) return []
  const at = `${field}.podFailurePolicy.rules`
  const rules = objectsAt(policy, 'rules')
  const errors = rules.length > 20 ? [tooMany(at, rules.length, 20)] : []
  return [...errors, ...rules.flatMap((rule, i) => failureRule(rule, spec, `${at}[${i}]`))]
}

function failureRule(rule: Json, spec: Json, at: string): FieldError[] {
  const action = textAt(rule, 'action')
  const errors: FieldError[] = []
  if (action === '') errors.push(required(`${at}.action`, `valid values: ${goList(actions)}`))
  else if (action === 'FailIndex' && absent(spec, 'backoffLimitPerIndex')) {
    errors.push(invalid(`${at}.action`, action, 'requires the backoffLimitPerIndex to be set'))
  } else errors.push(...oneOf(action, `${at}.action`, actions))
  const codes = objectAt(rule, 'onExitCodes')
  const conditions = objectsAt(rule, 'onPodConditions')
  if (codes) errors.push(...exitCodes(codes, `${at}.onExitCodes`))
  conditions.forEach((condition, i) => {
    const path = `${at}.onPodConditions[${i}]`
    errors.push(...failing(qualifiedName, textAt(condition, 'type'), `${path}.type`))
    errors.push(...oneOf(textAt(condition, 'status'), `${path}.status`, ['False', 'True', 'Unknown']))
  })
  const both = codes !== undefined && conditions.length > 0
  if (both || (!codes && conditions.length === 0)) {
    const text = both
      ? 'specifying both OnExitCodes and OnPodConditions is not supported'
      : 'specifying one of OnExitCodes and OnPodConditions is required'
    errors.push(invalid(at, omittedValue, text))
  }
  return errors
}

function exitCodes(codes: Json, at: string): FieldError[] {
  const values = Array.isArray(codes['values']) ? codes['values'] : []
  const operator = textAt(codes, 'operator')
  const errors =
    operator === ''
      ? [required(`${at}.operator`, `valid values: ${goList(['In', 'NotIn'])}`)]
      : oneOf(operator, `${at}.operator`, ['In', 'NotIn'])
  if (values.length === 0)
    errors.push(invalid(`${at}.values`, goContainer(codes, 'values'), 'at least one value is required'))
  return errors
}

function replacementPolicy(spec: Json, field: string): FieldError[] {
  const policy = spec['podReplacementPolicy']
  if (typeof policy !== 'string') return []
  const valid = absent(spec, 'podFailurePolicy') ? ['Failed', 'TerminatingOrFailed'] : ['Failed']
  return oneOf(policy, `${field}.podReplacementPolicy`, valid)
}

function restartPolicy(spec: Json, template: Json, field: string): FieldError[] {
  const at = `${field}.template.spec.restartPolicy`
  const policy = textAt(objectAt(template, 'spec'), 'restartPolicy')
  if (policy === 'Always' || policy === '') return [required(at, 'valid values: "OnFailure", "Never"')]
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(at, policy, ['OnFailure', 'Never'])]
  if (absent(spec, 'podFailurePolicy') || policy === 'Never') return []
  return [invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified')]
}

export function cronJobErrors(o: KubeObject, live: KubeObject | undefined): FieldError[] {
  const spec = objectAt(o, 'spec') ?? {}
  const template = objectAt(objectAt(spec, 'jobTemplate'), 'spec') ?? {}
  const at = 'spec.jobTemplate.spec'
  const name = o.metadata.name ?? ''
  const before = objectAt(live, 'spec')
  const sameZone = before !== undefined && before['timeZone'] === spec['timeZone']
  return [
    ...scheduleErrors(textAt(spec, 'schedule'), textAt(before, 'schedule').includes('TZ'), spec['timeZone']),
    ...optionalNumber(spec, 'startingDeadlineSeconds', 'spec'),
    ...(sameZone ? [] : timeZone(spec['timeZone'])),
    ...requiredOneOf(textAt(spec, 'concurrencyPolicy'), 'spec.concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
    ...templatedJobErrors(template, at),
    ...(absent(template, 'selector')
      ? []
      : [invalid(`${at}.selector`, template['selector'], '`selector` will be auto-generated')]),
    ...(template['manualSelector'] === true ? [notSupported(`${at}.manualSelector`, true, ['nil', 'false'])] : []),
    ...optionalNumber(spec, 'successfulJobsHistoryLimit', 'spec'),
    ...optionalNumber(spec, 'failedJobsHistoryLimit', 'spec'),
    ...(live === undefined && byteLength(name) > 52
      ? [invalid('metadata.name', name, 'must be no more than 52 characters')]
      : []),
  ]
}

function scheduleErrors(schedule: string, zoneAllowed: boolean, zone: unknown): FieldError[] {
  const field = 'spec.schedule'
  if (schedule === '') return [required(field)]
  const errors: FieldError[] = []
  try {
    parseCron(schedule)
  } catch (error) {
    if (!CronError.is(error)) throw error
    errors.push(invalid(field, schedule, error.message))
  }
  if (!schedule.includes('TZ')) return errors
  if (!zoneAllowed) {
    return [...errors, invalid(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
  }
  if (typeof zone !== 'string') return errors
  return [...errors, invalid(field, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')]
}

function timeZone(zone: unknown): FieldError[] {
  if (typeof zone !== 'string') return []
  const field = 'spec.timeZone'
  if (zone === '') return [invalid(field, zone, 'timeZone must be nil or non-empty string')]
  const badPart = zone
    .split('/')
    .some((part) => !/^[A-Za-z\d.\-_+]{1,14}$/u.test(part) || /^(?:\.{1,2}$|-)/u.test(part))
  if (badPart) return [invalid(field, zone, `unknown time zone ${zone}`)]
  if (zone.toLowerCase() === 'local') {
    const text = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'
    return [invalid(field, zone, text)]
  }
  return knownZone(zone) ? [] : [invalid(field, zone, `unknown time zone ${zone}`)]
}

function knownZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== ''
  } catch {
    return false
  }
}
