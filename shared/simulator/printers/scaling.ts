import { isObject, textAt, valueAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import { age, itemsAt, numberAt, shape } from './cells.ts'
import type { TableShape } from './table-shape.ts'

function scalarText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? `${value}` : ''
}

function orNotApplicable(value: unknown): string {
  return scalarText(value) || 'N/A'
}

function metricCell(hpa: KubeObject): string {
  const metrics = itemsAt(hpa, 'spec', 'metrics')
  if (metrics.length === 0) return '<none>'
  const shown = metrics.slice(0, 2).map((metric, i) => metricText(metric, itemsAt(hpa, 'status', 'currentMetrics')[i]))
  return metrics.length > 2 ? `${shown.join(', ')} + ${metrics.length - 2} more...` : shown.join(', ')
}

function metricText(metric: JsonObject, current: JsonObject | undefined): string {
  const type = textAt(metric, 'type')
  const field = type.charAt(0).toLowerCase() + type.slice(1)
  const source = isObject(metric[field]) ? metric[field] : {}
  const now = isObject(current?.[field]) ? current[field] : {}
  const name = type === 'Resource' || type === 'ContainerResource' ? `${textAt(source, 'name')}: ` : ''
  const target = isObject(source['target']) ? source['target'] : {}
  const actual = isObject(now['current']) ? now['current'] : {}
  if (target['averageUtilization'] !== undefined) {
    const used = actual['averageUtilization']
    return `${name}${used === undefined ? '<unknown>' : `${scalarText(used)}%`}/${scalarText(target['averageUtilization'])}%`
  }
  const key = target['averageValue'] === undefined ? 'value' : 'averageValue'
  const average = key === 'averageValue' && name === '' ? ' (avg)' : ''
  return `${name}${textAt(actual, key) || '<unknown>'}/${textAt(target, key)}${average}`
}

function quotaCell(field: 'requests' | 'limits'): (quota: KubeObject) => string {
  return (quota) => {
    const hard = valueAt(quota, 'status', 'hard')
    const entries = Object.keys(isObject(hard) ? hard : {}).filter(
      (name) => name.startsWith('limits.') === (field === 'limits'),
    )
    return entries
      .sort()
      .map((name) => `${name}: ${textAt(quota, 'status', 'used', name) || '0'}/${textAt(hard, name)}`)
      .join(', ')
  }
}

/** Columns of what bounds and scales the rest. */
export const scalingTables: Readonly<Record<string, TableShape>> = {
  'autoscaling/horizontalpodautoscalers': shape(
    [
      'Reference',
      (o) => `${textAt(o, 'spec', 'scaleTargetRef', 'kind')}/${textAt(o, 'spec', 'scaleTargetRef', 'name')}`,
    ],
    ['Targets', metricCell],
    [
      'MinPods',
      (o) => String(valueAt(o, 'spec', 'minReplicas') === undefined ? '<unset>' : numberAt(o, 'spec', 'minReplicas')),
    ],
    ['MaxPods', (o) => numberAt(o, 'spec', 'maxReplicas')],
    ['Replicas', (o) => numberAt(o, 'status', 'currentReplicas')],
    age,
  ),
  'policy/poddisruptionbudgets': shape(
    ['Min Available', (o) => orNotApplicable(valueAt(o, 'spec', 'minAvailable'))],
    ['Max Unavailable', (o) => orNotApplicable(valueAt(o, 'spec', 'maxUnavailable'))],
    ['Allowed Disruptions', (o) => numberAt(o, 'status', 'disruptionsAllowed'), 'integer'],
    age,
  ),
  '/resourcequotas': shape(['Request', quotaCell('requests')], ['Limit', quotaCell('limits')], age),
  '/limitranges': shape(['Created At', (o) => o.metadata.creationTimestamp ?? '<unknown>', 'date']),
}
