import type { KubeObject } from '../object.ts'
import { sameJson } from '../object.ts'
import { nonNegative, optionalNumber } from './checks.ts'
import { daemonSetErrors, deploymentErrors, replicaSetErrors, statefulSetErrors } from './apps-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden, invalid, required } from './field-error.ts'
import type { Json } from './json.ts'
import { ensureObject, numberAt, objectAt } from './json.ts'
import { unchanged } from './metadata.ts'
import { warningsOfTemplate } from './pod-warnings.ts'
import { labelName } from './names.ts'
import { templateGeneration } from './other-defaults.ts'
import type { FieldPath, KindStrategy } from './strategy.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}

/** What a status may not say: negative counts, or more of a part than of the whole. */
export function statusCounts(
  status: Json,
  counts: readonly string[],
  atMost: readonly (readonly [part: string, whole: string, text: string])[],
): FieldError[] {
  const at = (key: string): number => numberAt(status, key) ?? 0
  return [
    ...counts.flatMap((key) => optionalNumber(status, key, 'status')),
    ...atMost.flatMap(([part, whole, text]) =>
      at(part) > at(whole) ? [invalid(`status.${part}`, at(part), `cannot be greater than ${text}`)] : [],
    ),
  ]
}

function collisions(next: KubeObject, live: KubeObject): FieldError[] {
  const is = numberAt(objectAt(next, 'status'), 'collisionCount')
  const was = numberAt(objectAt(live, 'status'), 'collisionCount')
  if (was === undefined || (is ?? 0) >= was) return []
  return [invalid('status.collisionCount', is ?? 0, 'cannot be decremented')]
}

function selectorFixed(next: KubeObject, live: KubeObject): FieldError[] {
  return unchanged('spec.selector', specOf(next)['selector'], specOf(live)['selector'])
}

const replicaParts = ['updatedReplicas', 'readyReplicas', 'availableReplicas']

function statusOfDeployment(next: KubeObject, live: KubeObject): FieldError[] {
  const counts = [
    'observedGeneration',
    'replicas',
    ...replicaParts,
    'unavailableReplicas',
    'terminatingReplicas',
    'collisionCount',
  ]
  const most = replicaParts.map((part) => [part, 'replicas', 'status.replicas'] as const)
  const available = ['availableReplicas', 'readyReplicas', 'readyReplicas'] as const
  return [...statusCounts(objectAt(next, 'status') ?? {}, counts, [...most, available]), ...collisions(next, live)]
}

const deploymentReset: { main: FieldPath[]; status: FieldPath[] } = {
  main: [['status']],
  status: [['spec'], ['metadata', 'labels']],
}

const deployment = defineKind({
  warnings: warningsOfTemplate('spec.template'),
  status: true,
  statusKeeps: [['spec'], ['metadata', 'labels']],
  generation: ['spec'],
  generationOfAnnotations: true,
  validate: (o) => deploymentErrors(specOf(o)),
  validateChange: selectorFixed,
  validateStatus: statusOfDeployment,
  resetFields: deploymentReset,
})

function statusOfReplicaSet(next: KubeObject): FieldError[] {
  const parts = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas']
  const most = parts.map((part) => [part, 'replicas', 'status.replicas'] as const)
  const available = ['availableReplicas', 'readyReplicas', 'readyReplicas'] as const
  return statusCounts(
    objectAt(next, 'status') ?? {},
    ['replicas', ...parts, 'observedGeneration'],
    [...most, available],
  )
}

const replicaSet = defineKind({
  warnings: warningsOfTemplate('spec.template'),
  status: true,
  generation: ['spec'],
  validate: (o) => replicaSetErrors(specOf(o)),
  validateChange: selectorFixed,
  validateStatus: statusOfReplicaSet,
})

const mutable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

function statefulSetFixed(next: KubeObject, live: KubeObject): FieldError[] {
  const rest = (o: KubeObject): Json =>
    Object.fromEntries(Object.entries(specOf(o)).filter(([key]) => !mutable.includes(key)))
  if (sameJson(rest(next), rest(live))) return []
  const list = `${mutable
    .slice(0, -1)
    .map((key) => `'${key}'`)
    .join(', ')} and 'minReadySeconds'`
  return [forbidden('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)]
}

function statusOfStatefulSet(next: KubeObject, live: KubeObject): FieldError[] {
  const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas']
  const most = parts.map((part) => [part, 'replicas', 'status.replicas'] as const)
  const available = ['availableReplicas', 'readyReplicas', 'status.readyReplicas'] as const
  const counts = ['replicas', ...parts, 'observedGeneration', 'collisionCount']
  return [...statusCounts(objectAt(next, 'status') ?? {}, counts, [...most, available]), ...collisions(next, live)]
}

const statefulSet = defineKind({
  warnings: warningsOfTemplate('spec.template', false),
  name: labelName,
  status: true,
  generation: ['spec'],
  prepare: (next) => {
    const rolling = objectAt(objectAt(specOf(next), 'updateStrategy'), 'rollingUpdate')
    if (rolling) delete rolling['maxUnavailable']
  },
  validate: (o, _context, live) => statefulSetErrors(specOf(o), live !== undefined),
  validateChange: statefulSetFixed,
  validateStatus: statusOfStatefulSet,
})

const daemonSet = defineKind({
  warnings: warningsOfTemplate('spec.template', false),
  status: true,
  generation: ['spec'],
  prepare: (next, live) => {
    const before = Number(live?.metadata.annotations?.[templateGeneration] ?? 0)
    const changed = live !== undefined && !sameJson(specOf(next)['template'], specOf(live)['template'])
    const value = live === undefined ? Math.max(1, before) : before + (changed ? 1 : 0)
    ensureObject(next.metadata as Json, 'annotations')[templateGeneration] = String(value)
  },
  validate: (o) => daemonSetErrors(specOf(o)),
  changeFirst: true,
  validateChange: selectorFixed,
  validateStatus: (next, live) => [
    ...statusCounts(
      objectAt(next, 'status') ?? {},
      [
        'currentNumberScheduled',
        'numberMisscheduled',
        'desiredNumberScheduled',
        'numberReady',
        'observedGeneration',
        'updatedNumberScheduled',
        'numberAvailable',
        'numberUnavailable',
        'collisionCount',
      ],
      [],
    ),
    ...collisions(next, live),
  ],
})

const controllerRevision = defineKind({
  validate: (o, _context, live) => [
    ...nonNegative(numberAt(o, 'revision'), 'revision'),
    ...(live === undefined && (o['data'] === undefined || o['data'] === null)
      ? [required('data', 'data is mandatory')]
      : []),
  ],
  validateChange: (next, live) => unchanged('data', next['data'], live['data']),
})

export const appsKinds: Readonly<Record<string, KindStrategy>> = {
  'controllerrevisions.apps': controllerRevision,
  'daemonsets.apps': daemonSet,
  'deployments.apps': deployment,
  'replicasets.apps': replicaSet,
  'statefulsets.apps': statefulSet,
}
