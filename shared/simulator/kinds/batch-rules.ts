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
import { invalid, notSupported, required, tooLong } from './field-error.ts'
import type { Json } from './json.ts'
import { absent, numberAt, objectAt, textAt, textMapAt } from './json.ts'
import { byteLength, dnsLabel } from './names.ts'
import { failurePolicy, successPolicy } from './job-policy-rules.ts'
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
  if (typeof manager === 'string') {
    errors.push(...domainPath(manager, `${field}.managedBy`))
    if (byteLength(manager) > 63) errors.push(tooLong(`${field}.managedBy`, 63))
  }
  return [
    ...errors,
    ...completionMode(spec, field),
    ...failurePolicy(spec, field),
    ...successPolicy(spec, field),
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
    return [...errors, ...failedIndexes(spec, parallelism, field)]
  }
  if (mode !== '' && mode !== 'NonIndexed') return errors
  for (const key of ['backoffLimitPerIndex', 'maxFailedIndexes']) {
    if (!absent(spec, key)) errors.push(invalid(`${field}.${key}`, spec[key], 'requires indexed completion mode'))
  }
  return errors
}

/** How many indexes may fail, and what many completions ask for. */
function failedIndexes(spec: Json, parallelism: number, field: string): FieldError[] {
  const completions = numberAt(spec, 'completions')
  const most = numberAt(spec, 'maxFailedIndexes')
  const at = `${field}.maxFailedIndexes`
  const errors: FieldError[] = []
  if (completions !== undefined && most !== undefined && most > completions) {
    errors.push(invalid(at, most, 'must be less than or equal to completions'))
  }
  if (most !== undefined && most > 100_000) errors.push(invalid(at, most, 'must be less than or equal to 100000'))
  if (completions === undefined || completions <= 100_000 || absent(spec, 'backoffLimitPerIndex')) return errors
  const text =
    'must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index'
  if (most === undefined) errors.push(required(at, 'must be specified when completions is above 100000'))
  if (parallelism > 10_000) errors.push(invalid(`${field}.parallelism`, parallelism, text))
  if (most !== undefined && most > 10_000) errors.push(invalid(at, most, text))
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
