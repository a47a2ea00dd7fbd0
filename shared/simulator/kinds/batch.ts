import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { templateView } from './apps-rules.ts'
import { cronJobErrors, jobErrors, jobSpecErrors } from './batch-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { goView } from './go-view.ts'
import { invalid } from './field-error.ts'
import type { Json } from './json.ts'
import { ensureObject, goContainer, numberAt, objectAt, objectsAt, sortKeys } from './json.ts'
import { unchanged } from './metadata.ts'
import { warningsOfTemplate } from './pod-warnings.ts'
import type { KindStrategy } from './strategy.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

const job = defineKind({
  status: true,
  generation: ['spec'],
  deletePolicy: 'Orphan',
  metadataOnUpdate: 'late',
  prepare: (next, live) => {
    if (live === undefined && specOf(next)['manualSelector'] !== true) generateSelector(next)
  },
  validate: (o) => jobErrors(o),
  warnings: warningsOfTemplate('spec.template'),
  validateChange: jobChangeErrors,
  fieldSelectors: {
    'status.successful': (o) => String(numberAt(objectAt(o, 'status'), 'succeeded') ?? 0),
  },
})

/** A job owns its pods by labels made of its uid; the older labels stay for those who read them. */
function generateSelector(o: KubeObject): void {
  const spec = specOf(o)
  const { uid = '', name = '' } = o.metadata
  const labels = ensureObject(ensureObject(ensureObject(spec, 'template'), 'metadata'), 'labels')
  for (const key of ['job-name', 'batch.kubernetes.io/job-name']) labels[key] ??= name
  for (const key of ['controller-uid', 'batch.kubernetes.io/controller-uid']) labels[key] ??= uid
  sortKeys(labels)
  const matched = ensureObject(ensureObject(spec, 'selector'), 'matchLabels')
  matched['batch.kubernetes.io/controller-uid'] ??= uid
}

function jobChangeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const spec = specOf(next)
  const before = specOf(live)
  const fixed = (key: string): FieldError[] => unchanged(`spec.${key}`, spec[key], before[key])
  return [
    ...jobSpecErrors(spec),
    ...completions(spec, before),
    ...fixed('selector'),
    ...templateFixed(spec, before, live),
    ...fixed('completionMode'),
    ...unchanged(
      'spec.podFailurePolicy',
      spec['podFailurePolicy'],
      before['podFailurePolicy'],
      failurePolicyView(objectAt(spec, 'podFailurePolicy')),
    ),
    ...['backoffLimitPerIndex', 'managedBy', 'successPolicy'].flatMap(fixed),
  ]
}

/** A policy as Go prints its internal struct. */
function failurePolicyView(policy: Json | undefined): Json | null {
  if (!policy) return null
  const absentRules = policy['rules'] === undefined || policy['rules'] === null
  return {
    Rules: absentRules
      ? null
      : objectsAt(policy, 'rules').map((rule) => {
          const codes = objectAt(rule, 'onExitCodes')
          return {
            Action: rule['action'] ?? '',
            OnExitCodes: codes
              ? {
                  ContainerName: codes['containerName'] ?? null,
                  Operator: codes['operator'] ?? '',
                  Values: goContainer(codes, 'values'),
                }
              : null,
            OnPodConditions:
              rule['onPodConditions'] === undefined || rule['onPodConditions'] === null
                ? null
                : objectsAt(rule, 'onPodConditions').map(({ type, status }) => ({ Type: type, Status: status })),
          }
        }),
  }
}

function completions(spec: Json, before: Json): FieldError[] {
  if (spec['completionMode'] !== 'Indexed') {
    return unchanged('spec.completions', spec['completions'], before['completions'])
  }
  const count = numberAt(spec, 'completions')
  if (count === undefined || count === numberAt(before, 'completions') || count === numberAt(spec, 'parallelism'))
    return []
  return [invalid('spec.completions', count, 'can only be modified in tandem with spec.parallelism')]
}

/** The template is fixed, but while a job is suspended and has no pods its scheduling and resources may change. */
function templateFixed(spec: Json, before: Json, live: KubeObject): FieldError[] {
  const status = objectAt(live, 'status')
  const active = numberAt(status, 'active') ?? 0
  const suspended = objectsAt(status, 'conditions').some((c) => c['type'] === 'Suspended' && c['status'] === 'True')
  const open = before['suspend'] === true && (suspended || status?.['startTime'] === undefined) && active === 0
  const template = objectAt(spec, 'template') ?? {}
  const old = objectAt(before, 'template') ?? {}
  if (sameJson(open ? withoutScheduling(template) : template, open ? withoutScheduling(old) : old)) return []
  if (!open) return [invalid('spec.template', templateView(template), 'field is immutable')]
  const shown = goView('internal/core.PodSpec', 'core/v1.PodSpec', template['spec'])
  return [invalid('spec.template.spec', shown, 'field is immutable')]
}

const schedulingFields = ['affinity', 'nodeSelector', 'tolerations', 'schedulingGates']

function withoutScheduling(template: Json): Json {
  const spec = objectAt(template, 'spec') ?? {}
  const containers = (key: string): Json[] =>
    objectsAt(spec, key).map((container) => ({ ...container, resources: null }))
  const kept = Object.fromEntries(Object.entries(spec).filter(([key]) => !schedulingFields.includes(key)))
  return { ...kept, containers: containers('containers'), initContainers: containers('initContainers') }
}

const cronJob = defineKind({
  status: true,
  generation: ['spec'],
  validate: (o, _context, live) => cronJobErrors(o, live),
  warnings: warningsOfTemplate('spec.jobTemplate.spec.template'),
})

export const batchKinds: Readonly<Record<string, KindStrategy>> = {
  'cronjobs.batch': cronJob,
  'jobs.batch': job,
}
