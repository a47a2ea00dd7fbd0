import type { KubeObject } from '../object.ts'

/** A column of a Table answer (meta/v1 TableColumnDefinition). Priority above 0 shows in wide output only. */
export interface TableColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly format: string
  readonly description: string
  readonly priority: number
}

/** How a kind is shown as a table. */
export interface TableShape {
  readonly columns: readonly TableColumn[]
  /** One row's cells, in the order of the columns. `nowMs` is what ages are counted to. */
  cells(object: KubeObject, nowMs: number): readonly unknown[]
}
