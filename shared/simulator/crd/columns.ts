import { isObject } from '../object.ts'
import type { KubeObject } from '../object.ts'
import { ageCell, nameColumn } from '../printers/cells.ts'
import type { TableColumn, TableShape } from '../printers/table-shape.ts'
import { compileJsonPath } from './json-path.ts'
import type { JsonPath } from './json-path.ts'

interface CustomColumn {
  readonly column: TableColumn
  readonly path: JsonPath | undefined
}

const types = ['string', 'integer', 'number', 'boolean', 'date'] as const

/** What kube-apiserver shows of a kind whose definition names no columns. */
const creationColumn: CustomColumn = {
  column: {
    name: 'Age',
    type: 'date',
    format: '',
    description:
      'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata',
    priority: 0,
  },
  path: compileJsonPath('.metadata.creationTimestamp'),
}

/** The name, and the columns of a version's `additionalPrinterColumns` (apiextensions, `registry/customresource/tableconvertor`). */
export function customTable(additionalPrinterColumns: unknown): TableShape {
  const given = Array.isArray(additionalPrinterColumns) ? additionalPrinterColumns.filter(isObject) : []
  const custom = given.length === 0 ? [creationColumn] : given.map(columnOf)
  return {
    columns: [nameColumn, ...custom.map(({ column }) => column)],
    cells: (object, nowMs) => [object.metadata.name ?? '', ...custom.map((column) => cellOf(column, object, nowMs))],
  }
}

function columnOf(json: Record<string, unknown>): CustomColumn {
  const { name, type, format, description, priority, jsonPath } = json
  return {
    column: {
      name: text(name),
      type: types.find((known) => known === type) ?? 'string',
      format: text(format),
      description: text(description) || 'Custom resource definition column (in JSONPath format): ' + text(jsonPath),
      priority: typeof priority === 'number' ? priority : 0,
    },
    path: compileJsonPath(text(jsonPath)),
  }
}

function cellOf({ column, path }: CustomColumn, object: KubeObject, nowMs: number): unknown {
  const found = path?.(object)
  if (found === undefined || found.length === 0) return null
  const [value] = found
  switch (column.type) {
    case 'string':
      return printed(value)
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    case 'number':
      return typeof value === 'number' ? value : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? ageCell(value, nowMs) : null
  }
}

/** A value as a JSONPath template prints it: text bare, everything else as JSON. */
function printed(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
