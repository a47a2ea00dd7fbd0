import { textAt, valueAt } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { age, ageCell, itemsAt, labelsText, numberAt, orNone, shape, templateColumns } from './cells.ts'
import { humanDuration } from './duration.ts'
import { podTable } from './pods.ts'
import type { TableShape } from './table-shape.ts'

function desired(object: KubeObject): number {
  return numberAt(object, 'spec', 'replicas')
}

function status(object: KubeObject, field: string): number {
  return numberAt(object, 'status', field)
}

function jobStatus(job: KubeObject): string {
  const has = (type: string): boolean =>
    itemsAt(job, 'status', 'conditions').some(
      (condition) => condition['type'] === type && condition['status'] === 'True',
    )
  if (has('Complete')) return 'Complete'
  if (has('Failed')) return 'Failed'
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating'
  if (has('Suspended')) return 'Suspended'
  return has('FailureTarget') ? 'FailureTarget' : has('SuccessCriteriaMet') ? 'SuccessCriteriaMet' : 'Running'
}

function completions(job: KubeObject): string {
  const wanted = valueAt(job, 'spec', 'completions')
  const done = status(job, 'succeeded')
  if (typeof wanted === 'number') return `${done}/${wanted}`
  const parallel = numberAt(job, 'spec', 'parallelism')
  return parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`
}

function jobDuration(job: KubeObject, nowMs: number): string {
  const start = Date.parse(textAt(job, 'status', 'startTime'))
  if (Number.isNaN(start)) return ''
  const end = Date.parse(textAt(job, 'status', 'completionTime'))
  return humanDuration((Number.isNaN(end) ? nowMs : end) - start)
}

function daemonCells(field: string): (object: KubeObject) => number {
  return (object) => status(object, field)
}

/** Columns of what runs (kubernetes pkg/printers/internalversion/printers.go). */
export const workloadTables: Readonly<Record<string, TableShape>> = {
  '/pods': podTable,
  'apps/deployments': shape(
    ['Ready', (o) => `${status(o, 'readyReplicas')}/${desired(o)}`],
    ['Up-to-date', (o) => status(o, 'updatedReplicas')],
    ['Available', (o) => status(o, 'availableReplicas')],
    age,
    ...templateColumns,
  ),
  'apps/replicasets': shape(
    ['Desired', desired, 'integer'],
    ['Current', (o) => status(o, 'replicas'), 'integer'],
    ['Ready', (o) => status(o, 'readyReplicas'), 'integer'],
    age,
    ...templateColumns,
  ),
  '/replicationcontrollers': shape(
    ['Desired', desired, 'integer'],
    ['Current', (o) => status(o, 'replicas'), 'integer'],
    ['Ready', (o) => status(o, 'readyReplicas'), 'integer'],
    age,
    ...templateColumns.slice(0, 2),
    ['Selector', (o) => labelsText(valueAt(o, 'spec', 'selector')), 'wide'],
  ),
  'apps/statefulsets': shape(
    ['Ready', (o) => `${status(o, 'readyReplicas')}/${desired(o)}`],
    age,
    ...templateColumns.slice(0, 2),
  ),
  'apps/daemonsets': shape(
    ['Desired', daemonCells('desiredNumberScheduled'), 'integer'],
    ['Current', daemonCells('currentNumberScheduled'), 'integer'],
    ['Ready', daemonCells('numberReady'), 'integer'],
    ['Up-to-date', daemonCells('updatedNumberScheduled'), 'integer'],
    ['Available', daemonCells('numberAvailable'), 'integer'],
    ['Node Selector', (o) => nodeSelector(o)],
    age,
    ...templateColumns,
  ),
  '/podtemplates': shape(
    [
      'Containers',
      (o) =>
        itemsAt(o, 'template', 'spec', 'containers')
          .map((c) => textAt(c, 'name'))
          .join(','),
    ],
    [
      'Images',
      (o) =>
        itemsAt(o, 'template', 'spec', 'containers')
          .map((c) => textAt(c, 'image'))
          .join(','),
    ],
    ['Pod Labels', (o) => labelsText(valueAt(o, 'template', 'metadata', 'labels'))],
  ),
  'apps/controllerrevisions': shape(
    ['Controller', (o) => controllerOf(o)],
    ['Revision', (o) => numberAt(o, 'revision')],
    age,
  ),
  'batch/jobs': shape(
    ['Status', jobStatus],
    ['Completions', completions],
    ['Duration', jobDuration],
    age,
    ...templateColumns,
  ),
  'batch/cronjobs': shape(
    ['Schedule', (o) => textAt(o, 'spec', 'schedule')],
    ['Timezone', (o) => orNone(textAt(o, 'spec', 'timeZone'))],
    ['Suspend', (o) => (valueAt(o, 'spec', 'suspend') === true ? 'True' : 'False'), 'boolean'],
    ['Active', (o) => itemsAt(o, 'status', 'active').length, 'integer'],
    [
      'Last Schedule',
      (o, now) =>
        textAt(o, 'status', 'lastScheduleTime') === ''
          ? '<none>'
          : ageCell(textAt(o, 'status', 'lastScheduleTime'), now),
    ],
    age,
    [
      'Containers',
      (o) =>
        itemsAt(o, ...jobPod, 'containers')
          .map((c) => textAt(c, 'name'))
          .join(','),
      'wide',
    ],
    [
      'Images',
      (o) =>
        itemsAt(o, ...jobPod, 'containers')
          .map((c) => textAt(c, 'image'))
          .join(','),
      'wide',
    ],
    ['Selector', () => '<none>', 'wide'],
  ),
}

const jobPod = ['spec', 'jobTemplate', 'spec', 'template', 'spec'] as const

function nodeSelector(daemonSet: KubeObject): string {
  const selector = valueAt(daemonSet, 'spec', 'template', 'spec', 'nodeSelector')
  return orNone(
    Object.entries((selector ?? {}) as Record<string, string>)
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join(','),
  )
}

function controllerOf(revision: KubeObject): string {
  const owner = revision.metadata.ownerReferences?.find(({ controller }) => controller === true)
  if (owner === undefined) return '<none>'
  const group = owner.apiVersion.includes('/') ? `.${owner.apiVersion.split('/')[0]}` : ''
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`
}
