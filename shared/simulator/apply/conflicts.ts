import type { Owner } from '../../fields/managed-fields.ts'
import { quoted } from '../../fields/go-format.ts'
import { FieldSet } from '../../fields/field-set.ts'
import type { Path } from '../../fields/path.ts'
import { pathText } from '../../fields/path.ts'
import { compareText } from '../../fields/value.ts'
import { StatusError } from '../errors.ts'

/** A path that an apply would change although another manager owns it. */
export interface Conflict {
  readonly ownerId: string
  readonly owner: Owner
  readonly path: Path
}

/** An apply that was not forced met other owners. */
export class ConflictsError extends Error {
  readonly reason = 'conflicts'
  readonly conflicts: readonly Conflict[]

  constructor(conflicts: readonly Conflict[]) {
    super(`${conflicts.length} conflicts`)
    this.name = 'ConflictsError'
    this.conflicts = conflicts
  }

  static is(error: unknown): error is ConflictsError {
    return error instanceof ConflictsError
  }
}

/** The conflicts of each owner, owners in order. */
export function listConflicts(
  sets: ReadonlyMap<string, { readonly owner: Owner; readonly set: FieldSet }>,
): Conflict[] {
  const conflicts: Conflict[] = []
  for (const ownerId of [...sets.keys()].sort(compareText)) {
    const entry = sets.get(ownerId)
    entry?.set.forEach((path) => conflicts.push({ ownerId, owner: entry.owner, path }))
  }
  return conflicts
}

export function pathsOf(conflicts: readonly Conflict[]): FieldSet {
  return FieldSet.of(...conflicts.map((conflict) => conflict.path))
}

/** The 409 that kube-apiserver answers (apimachinery, managedfields/internal/conflict.go). */
export function conflictStatus(conflicts: readonly Conflict[]): StatusError {
  return new StatusError(409, 'Conflict', conflictMessage(conflicts), {
    details: {
      causes: conflicts.map(({ owner, path }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${ownerText(owner)}`,
        field: pathText(path),
      })),
    },
  })
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${ownerText(first.owner)}: ${pathText(first.path)}`
  }
  const lines: string[] = []
  let current: string | undefined
  for (const conflict of conflicts) {
    if (conflict.ownerId !== current) lines.push(`conflicts with ${ownerText(conflict.owner)}:`)
    current = conflict.ownerId
    lines.push(`- ${pathText(conflict.path)}`)
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}

function ownerText(owner: Owner): string {
  const subresource = owner.subresource === '' ? '' : ` with subresource ${quoted(owner.subresource)}`
  const version = owner.operation === 'Update' ? ` using ${owner.apiVersion}` : ''
  return `${quoted(owner.manager)}${subresource}${version}`
}
