import type { KubeObject } from '../object.ts'
import { compareQuantities, parseQuantity } from '../../fields/quantity.ts'
import { privateCopy, sameJson } from '../object.ts'
import { sameAmount, validateClaimSpec } from './claim-rules.ts'
import { defineKind } from './define.ts'
import type { FieldError } from './field-error.ts'
import { forbidden } from './field-error.ts'
import { goView } from './go-view.ts'
import type { Json } from './json.ts'
import { absent, copyAsGiven, ensureObject, goContainer, objectAt, textAt, textMapAt } from './json.ts'
import { unchanged } from './metadata.ts'
import { persistentVolume } from './persistent-volume.ts'
import type { KindStrategy } from './strategy.ts'
import { jsonDiff } from './unified-diff.ts'

const specOf = (o: KubeObject): Json => objectAt(o, 'spec') ?? {}
const storageOf = (o: KubeObject): string => textMapAt(objectAt(specOf(o), 'resources'), 'requests')['storage'] ?? '0'

const claim = defineKind({
  status: true,
  metadataOnUpdate: 'both',
  prepare: (next, live) => {
    dropOddSource(specOf(next), live && specOf(live))
    normalizeSources(specOf(next))
  },
  validate: (o) => validateClaimSpec(specOf(o), 'spec'),
  validateChange: claimChangeErrors,
})

/** The older field takes claims and snapshots only; anything else is ignored, as it always was. */
function dropOddSource(spec: Json, before: Json | undefined): void {
  const reference = objectAt(spec, 'dataSourceRef')
  if (reference && textAt(reference, 'namespace') !== '' && absent(before, 'dataSourceRef'))
    delete spec['dataSourceRef']
  const used = !absent(before, 'dataSource') || !absent(before, 'dataSourceRef')
  const source = objectAt(spec, 'dataSource')
  if (used || !source || objectAt(spec, 'dataSourceRef')) return
  const kind = `${textAt(source, 'apiGroup')}/${textAt(source, 'kind')}`
  const known = ['/PersistentVolumeClaim', 'snapshot.storage.k8s.io/VolumeSnapshot']
  if (!known.includes(kind)) delete spec['dataSource']
}

/** `dataSource` and `dataSourceRef` stand for each other where one of them is unset. */
function normalizeSources(spec: Json): void {
  const source = objectAt(spec, 'dataSource')
  const reference = objectAt(spec, 'dataSourceRef')
  if (source && !reference) spec['dataSourceRef'] = { ...source }
  if (!source && reference && textAt(reference, 'namespace') === '') {
    const { namespace: _, ...rest } = reference
    spec['dataSource'] = rest
  }
}

function claimChangeErrors(next: KubeObject, live: KubeObject): FieldError[] {
  const bound = textAt(objectAt(next, 'status'), 'phase') === 'Bound'
  const is = copyAsGiven(specOf(next))
  const was = privateCopy(specOf(live))
  if (textAt(was, 'volumeName') === '' && !absent(is, 'volumeName')) was['volumeName'] = is['volumeName']
  if (absent(was, 'storageClassName') && !absent(is, 'storageClassName')) delete is['storageClassName']
  if (bound) {
    const resources = objectAt(is, 'resources')
    if (resources && goContainer(resources, 'requests') !== null) {
      ensureObject(resources, 'requests')['storage'] = storageOf(live)
    }
    if (absent(was, 'volumeAttributesClassName')) delete is['volumeAttributesClassName']
    else is['volumeAttributesClassName'] = was['volumeAttributesClassName']
  }
  const errors: FieldError[] = []
  if (!sameClaimSpec(is, was)) {
    const text =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    errors.push(forbidden('spec', `${text}\n${jsonDiff(claimView(was), claimView(is))}`))
  }
  if (compareQuantities(parseQuantity(storageOf(next)), parseQuantity(storageOf(live))) < 0) {
    const capacity = textMapAt(objectAt(live, 'status'), 'capacity')['storage'] ?? '0'
    if (compareQuantities(parseQuantity(storageOf(next)), parseQuantity(capacity)) <= 0) {
      errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'))
    }
  }
  return [...errors, ...unchanged('volumeMode', specOf(next)['volumeMode'], specOf(live)['volumeMode'])]
}

function sameClaimSpec(a: Json, b: Json): boolean {
  return sameAmount(storageIn(a), storageIn(b)) && sameJson(withoutStorage(a), withoutStorage(b))
}

const storageIn = (spec: Json): string | undefined => textMapAt(objectAt(spec, 'resources'), 'requests')['storage']

function withoutStorage(spec: Json): Json {
  const copy = privateCopy(spec)
  const requests = objectAt(objectAt(copy, 'resources'), 'requests')
  if (requests) delete requests['storage']
  return copy
}

const claimView = (spec: Json): Json =>
  goView('internal/core.PersistentVolumeClaimSpec', 'core/v1.PersistentVolumeClaimSpec', spec)

export const volumeKinds: Readonly<Record<string, KindStrategy>> = {
  persistentvolumeclaims: claim,
  persistentvolumes: persistentVolume,
}
