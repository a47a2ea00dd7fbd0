import { administrationTables } from './administration.ts'
import { age, shape } from './cells.ts'
import { clusterTables } from './cluster.ts'
import { networkingTables } from './networking.ts'
import { scalingTables } from './scaling.ts'
import type { TableShape } from './table-shape.ts'
import { workloadTables } from './workloads.ts'

const tables: Readonly<Record<string, TableShape>> = {
  ...workloadTables,
  ...networkingTables,
  ...scalingTables,
  ...clusterTables,
  ...administrationTables,
}

const common = shape(age)

/** The columns of a built-in resource (kubernetes pkg/printers/internalversion/printers.go). */
export function builtInTable(group: string, resource: string): TableShape {
  const name = `${group}/${resource}`
  return (Object.hasOwn(tables, name) ? tables[name] : undefined) ?? common
}
