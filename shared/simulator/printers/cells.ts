import { isObject, textAt, valueAt } from '../object.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import type { TableColumn, TableShape } from './table-shape.ts'
import { humanDuration } from './duration.ts'

export const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description:
    'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names',
  priority: 0,
}

/** What one column shows of an object. */
export type Cell = (object: KubeObject, nowMs: number) => unknown

/** A column in short: its name, what it shows, and what is not plain `string` or not always shown. */
export type ColumnSpec = readonly [name: string, cell: Cell, traits?: 'wide' | 'integer' | 'boolean' | 'date' | 'name']

/** A table of these columns after the name. */
export function shape(...specs: readonly ColumnSpec[]): TableShape {
  const columns = specs.map(([name, , traits]): TableColumn => ({
    name,
    type: traits === undefined || traits === 'wide' || traits === 'name' ? 'string' : traits,
    format: traits === 'name' ? 'name' : '',
    description: '',
    priority: traits === 'wide' ? 1 : 0,
  }))
  return {
    columns: [nameColumn, ...columns],
    cells: (object, nowMs) => [object.metadata.name ?? '', ...specs.map(([, cell]) => cell(object, nowMs))],
  }
}

/** How long ago a moment was, in kubectl's words; `<unknown>` where it is not known. */
export function ageCell(timestamp: unknown, nowMs: number): string {
  if (typeof timestamp !== 'string') return '<unknown>'
  const then = Date.parse(timestamp)
  return Number.isNaN(then) ? '<invalid>' : humanDuration(nowMs - then)
}

export const age: ColumnSpec = ['Age', (object, nowMs) => ageCell(object.metadata.creationTimestamp, nowMs)]
export const createdAt: ColumnSpec = [
  'Created At',
  (object) => object.metadata.creationTimestamp ?? '<unknown>',
  'date',
]

/** The number at a path, 0 where there is none. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number {
  const found = valueAt(value, ...path)
  return typeof found === 'number' ? found : 0
}

/** The objects of a list at a path. */
export function itemsAt(value: unknown, ...path: readonly (string | number)[]): readonly JsonObject[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found.filter(isObject) : []
}

export function orNone(text: string): string {
  return text === '' ? '<none>' : text
}

/** `a=b,c=d` in order of keys. */
export function labelsText(labels: unknown): string {
  const entries = Object.entries(isObject(labels) ? labels : {}).map(([key, value]) => `${key}=${String(value)}`)
  return orNone(entries.sort().join(','))
}

/** A LabelSelector as kubectl writes it. */
export function selectorCell(selector: unknown): string {
  if (!isObject(selector)) return '<none>'
  const labels = Object.entries(isObject(selector['matchLabels']) ? selector['matchLabels'] : {})
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
  const expressions = itemsAt(selector, 'matchExpressions').map((expression) => {
    const key = textAt(expression, 'key')
    const values = Array.isArray(expression['values']) ? expression['values'].join(',') : ''
    switch (expression['operator']) {
      case 'In':
        return `${key} in (${values})`
      case 'NotIn':
        return `${key} notin (${values})`
      case 'Exists':
        return key
      default:
        return `!${key}`
    }
  })
  return orNone([...labels, ...expressions].join(','))
}

const containers: Cell = (object) =>
  itemsAt(object, 'spec', 'template', 'spec', 'containers')
    .map((c) => textAt(c, 'name'))
    .join(',')
const images: Cell = (object) =>
  itemsAt(object, 'spec', 'template', 'spec', 'containers')
    .map((c) => textAt(c, 'image'))
    .join(',')

/** The wide columns of everything that makes pods. */
export const templateColumns: readonly ColumnSpec[] = [
  ['Containers', containers, 'wide'],
  ['Images', images, 'wide'],
  ['Selector', templateSelector, 'wide'],
]

/** A Deployment that selects nothing shows nothing; the other kinds say so. */
function templateSelector(object: KubeObject): string {
  const text = selectorCell(valueAt(object, 'spec', 'selector'))
  return object.kind === 'Deployment' && text === '<none>' ? '' : text
}
