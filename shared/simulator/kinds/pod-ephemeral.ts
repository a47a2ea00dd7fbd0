import type { KubeObject } from '../object.ts'
import type { FieldError } from './field-error.ts'
import { forbidden } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { objectAt, objectsAt, textAt } from './json.ts'
import { validateMetadataChange } from './metadata.ts'
import { sameMeaning } from './same.ts'
import type { PartStrategy } from './strategy.ts'
import { jsonDiff } from './unified-diff.ts'

const list = 'ephemeralContainers'
const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}
const guestsOf = (o: KubeObject): readonly Json[] => objectsAt(specOf(o), list)

/** Metadata that the write leaves as it is (`ResetObjectMetaForStatus`). */
const keptMetadata = [
  'deletionTimestamp',
  'generation',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const

/** `pods/ephemeralcontainers`: containers to look at a running pod may be added, and never changed or removed. */
export function ephemeralPart(podErrors: (o: KubeObject) => FieldError[]): PartStrategy {
  return {
    prepareForUpdate(next, live) {
      const guests = specOf(next)[list]
      next['spec'] = { ...specOf(live), ...(guests === undefined ? {} : { [list]: guests }) }
      if (guests === undefined) delete (next['spec'] as Json)[list]
      next['status'] = live['status']
      for (const key of keptMetadata) {
        delete next.metadata[key]
        if (live.metadata[key] !== undefined) Object.assign(next.metadata, { [key]: live.metadata[key] })
      }
      if (!sameMeaning(next['spec'], live['spec'])) next.metadata.generation = (live.metadata.generation ?? 0) + 1
    },
    validateUpdate: (next, live) => [
      ...validateMetadataChange(next.metadata, live.metadata),
      ...podErrors(next),
      ...changes(next, live),
    ],
    // The server writes down as owned what it then leaves out.
    resetFields: [],
  }
}

const view = (guest: Json): Json => goView('internal/core.EphemeralContainer', 'core/v1.EphemeralContainer', guest)

function changes(next: KubeObject, live: KubeObject): FieldError[] {
  const field = `spec.${list}`
  return guestsOf(live).flatMap((old) => {
    const name = textAt(old, 'name')
    const same = guestsOf(next).findLast((guest) => textAt(guest, 'name') === name)
    const which = `existing ephemeral containers ${JSON.stringify(name)}`
    if (!same) return [forbidden(field, `${which} may not be removed\n`)]
    if (sameMeaning(same, old)) return []
    return [forbidden(field, `${which} may not be changed\n${jsonDiff(view(old), view(same))}`)]
  })
}
