import type { TableShape } from './table-shape.ts'
import { ageCell, ageColumn, nameColumn } from './cells.ts'

/** The columns of a built-in resource (kubernetes pkg/printers/internalversion/printers.go). */
export function builtInTable(_group: string, _resource: string): TableShape {
  return {
    columns: [nameColumn, ageColumn],
    cells: (object, now) => [object.metadata.name ?? '', ageCell(object.metadata.creationTimestamp, now)],
  }
}
