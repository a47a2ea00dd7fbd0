import { badRequest } from './differential-bad-input.ts'
import { kindSamples } from './differential-kinds.ts'
import type { KindSample } from './differential-kinds.ts'
import { jsonPatch, mergePatch, remove, scaleWrite, statusWrite, strategicPatch } from './differential-patches.ts'
import { chance, pickFrom } from './differential-random.ts'
import { readRequest } from './differential-reads.ts'
import type { Edit, Json, Step } from './differential-step.ts'
import { keepOf, query, someEdits, someMetadata, spoiled, thinned, touched, whole } from './differential-values.ts'
import type { Body, Subject } from './differential-values.ts'
import type { Random } from './random.ts'

const weighted: readonly KindSample[] = kindSamples.flatMap((sample) =>
  Array.from({ length: sample.weight ?? 1 }, () => sample),
)

/** One conversation of `length` requests about a few objects. The same seed gives the same. */
export function conversation(random: Random, length: number): readonly Step[] {
  const samples = Array.from({ length: 1 + random.below(2) }, () => pickFrom(random, weighted))
  const subjects = samples.flatMap((sample) =>
    ['one', 'two'].map((name) => {
      const full = sample.clusterScoped === true ? `{{ns}}-${name}` : name
      return { sample, name: full, path: `${sample.collection}/${full}` }
    }),
  )
  return Array.from({ length }, () => oneStep(random, subjects))
}

const makers: readonly (readonly [number, (random: Random, subject: Subject) => Step])[] = [
  [16, create],
  [28, apply],
  [12, replaceLive],
  [4, replaceWhole],
  [9, jsonPatch],
  [10, mergePatch],
  [10, strategicPatch],
  [6, statusWrite],
  [5, scaleWrite],
  [6, remove],
  [12, readRequest],
  [5, badRequest],
]
const total = makers.reduce((sum, [weight]) => sum + weight, 0)

function oneStep(random: Random, subjects: readonly Subject[]): Step {
  // The first object is spoken of most, so that conversations get somewhere.
  const subject = chance(random, 0.6) ? (subjects[0] ?? pickFrom(random, subjects)) : pickFrom(random, subjects)
  let point = random.below(total)
  for (const [weight, make] of makers) {
    if (point < weight) return make(random, subject)
    point -= weight
  }
  return create(random, subject)
}

function create(random: Random, subject: Subject): Step {
  const content = touched(random, subject.sample, chance(random, 0.5) ? 0 : 1 + random.below(2))
  const body = whole(subject, content, someMetadata(random))
  return { method: 'POST', path: subject.sample.collection + query(random), body: spoiled(random, body) }
}

function apply(random: Random, subject: Subject): Step {
  const manager = pickFrom(random, ['m1', 'm2', 'm3'])
  const options = [`fieldManager=${manager}`]
  if (chance(random, 0.4)) options.push('force=true')
  const content = thinned(random, touched(random, subject.sample, random.below(3)), keepOf(subject.sample))
  const body = whole(subject, content as Body, someMetadata(random))
  const extra: Body = chance(random, 0.03)
    ? { managedFields: [] }
    : chance(random, 0.03)
      ? { uid: '{{uid:' + subject.path + '}}' }
      : {}
  const full =
    Object.keys(extra).length === 0 ? body : { ...body, metadata: { ...(body['metadata'] as Body), ...extra } }
  return {
    method: 'PATCH',
    path: subject.path + query(random, chance(random, 0.02) ? [] : options),
    type: 'application/apply-patch+yaml',
    body: spoiled(random, full),
  }
}

function replaceLive(random: Random, subject: Subject): Step {
  const edits: Edit[] = someEdits(random, subject.sample, 1 + random.below(2))
  if (chance(random, 0.2)) edits.push(pickFrom(random, liveEdits(subject)))
  return { method: 'PUT', path: subject.path + query(random), live: { of: subject.path, edits } }
}

function liveEdits(subject: Subject): readonly Edit[] {
  return [
    { at: ['metadata', 'resourceVersion'] },
    { at: ['metadata', 'resourceVersion'], set: '1' },
    { at: ['metadata', 'resourceVersion'], set: 'x' },
    { at: ['metadata', 'uid'] },
    { at: ['metadata', 'uid'], set: 'other' },
    { at: ['metadata', 'managedFields'] },
    { at: ['metadata', 'managedFields'], set: [] },
    { at: ['metadata', 'managedFields'], set: [{}] },
    { at: ['metadata', 'labels'], set: { a: 'b' } },
    { at: ['metadata', 'finalizers'], set: ['example.com/hold'] },
    { at: ['metadata', 'finalizers'] },
    { at: ['metadata', 'name'], set: 'renamed' },
    { at: ['metadata', 'namespace'], set: 'elsewhere' },
    { at: ['metadata', 'generation'], set: 7 },
    { at: ['metadata', 'creationTimestamp'], set: null },
    { at: ['metadata', 'ownerReferences'], set: [owner(subject)] },
    { at: ['kind'], set: 'Odd' },
    { at: ['apiVersion'], set: 'v9' },
    { at: ['apiVersion'] },
    { at: ['status'] },
    { at: ['spec'] },
  ]
}

function owner(subject: Subject): Json {
  return {
    apiVersion: subject.sample.apiVersion,
    kind: subject.sample.kind,
    name: subject.name,
    uid: `{{uid:${subject.path}}}`,
    controller: true,
  }
}

function replaceWhole(random: Random, subject: Subject): Step {
  const metadata = chance(random, 0.3) ? { resourceVersion: `{{rv:${subject.path}}}` } : {}
  const body = whole(subject, touched(random, subject.sample, random.below(2)), metadata)
  return { method: 'PUT', path: subject.path + query(random), body: spoiled(random, body) }
}
