import { chance, pickFrom } from './differential-random.ts'
import type { KindSample } from './differential-kinds.ts'
import { edited } from './differential-step.ts'
import type { Edit, Json } from './differential-step.ts'
import type { Random } from './random.ts'

export type Body = { readonly [key: string]: Json }

/** An object that a conversation may be about, there or not. */
export interface Subject {
  readonly sample: KindSample
  readonly name: string
  /** Its path, `{{ns}}` unfilled. */
  readonly path: string
}

export function query(random: Random, always: readonly string[] = []): string {
  const options = [...always]
  if (!options.some((option) => option.startsWith('fieldManager')) && chance(random, 0.8)) {
    options.push(`fieldManager=${pickFrom(random, ['m1', 'm2', 'm3', 'hand'])}`)
  }
  if (chance(random, 0.08)) options.push(`dryRun=${chance(random, 0.9) ? 'All' : 'Some'}`)
  if (chance(random, 0.2)) {
    options.push(`fieldValidation=${pickFrom(random, ['Strict', 'Strict', 'Warn', 'Ignore', 'Odd'])}`)
  }
  return options.length === 0 ? '' : `?${options.join('&')}`
}

export function whole({ sample, name }: Subject, content: Body, metadata: Body = {}): Body {
  return { apiVersion: sample.apiVersion, kind: sample.kind, metadata: { name, ...metadata }, ...content }
}

export function someMetadata(random: Random, loose = false): Body {
  const metadata: Record<string, Json> = {}
  if (chance(random, 0.4))
    metadata['labels'] = pickFrom<Json>(random, [
      { a: 'b' },
      { a: 'c', team: 'x' },
      { 'bad key': 'x' },
      { a: 'not valid!' },
      {},
    ])
  if (chance(random, 0.2))
    metadata['annotations'] = pickFrom<Json>(random, [
      { note: 'n' },
      { note: 'm', 'example.com/x': '{"a":1}' },
      { 'bad key': 'x' },
      { n: 5 },
    ])
  if (chance(random, 0.06))
    metadata['finalizers'] = pickFrom<Json>(random, [
      ['example.com/hold'],
      ['example.com/a', 'example.com/b'],
      ['bad'],
      ['foregroundDeletion', 'orphan'],
    ])
  if (loose && chance(random, 0.1)) metadata['resourceVersion'] = pickFrom(random, ['1', 'x', ''])
  if (loose && chance(random, 0.1))
    return {
      ...metadata,
      ...(pickFrom<Json>(random, [
        { name: 'other' },
        { uid: 'x' },
        { managedFields: null },
        { labels: null },
        { bogus: 1 },
      ]) as Body),
    }
  return metadata
}

/** The kind's object with some of its values set. */
export function touched(random: Random, sample: KindSample, count: number): Body {
  return someEdits(random, sample, count).reduce<Json>((value, edit) => edited(value, edit), sample.base) as Body
}

export function someEdits(random: Random, sample: KindSample, count: number): Edit[] {
  const paths = Object.entries(sample.values)
  return Array.from({ length: count }, () => {
    const [path, options] = pickFrom(random, paths)
    const at = path
      .split('.')
      .reduce<(string | number)[]>((parts, part) => [...parts, /^\d+$/u.test(part) ? Number(part) : part], [])

    return chance(random, 0.12) ? { at } : { at, set: pickFrom(random, options) }
  })
}

/** What an apply must say to be worth anything, mostly. */
export function keepOf(sample: KindSample): ReadonlySet<string> {
  return new Set([
    'selector',
    'template',
    'containers',
    'name',
    'image',
    'size',
    'port',
    'schedule',
    'jobTemplate',
    'serviceName',
    'accessModes',
    'resources',
    'labels',
    ...Object.keys(sample.base),
  ])
}

/** The value with some fields left out. */
export function thinned(random: Random, value: Json, keep: ReadonlySet<string>): Json {
  if (Array.isArray(value)) {
    const kept = value.filter(() => !chance(random, 0.15))
    return kept.map((item) => thinned(random, item as Json, keep))
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !chance(random, keep.has(key) ? 0.02 : 0.3))
      .map(([key, item]) => [key, thinned(random, item, keep)]),
  )
}

/** Now and then, a body that is wrong in its outer form. */
export function spoiled(random: Random, body: Body): Json {
  if (!chance(random, 0.05)) return body
  const { apiVersion: _version, ...noVersion } = body
  const { kind: _kind, ...noKind } = body
  const { metadata: _metadata, ...noMetadata } = body
  return pickFrom<Json>(random, [
    noVersion,
    noKind,
    // A Service without a name fails at an address that was allocated meanwhile, and names it.
    body['kind'] === 'Service' ? noKind : noMetadata,
    { ...body, kind: 'Odd' },
    { ...body, apiVersion: 'odd/v1' },
    { ...body, apiVersion: 'a/b/c' },
    { ...body, bogus: { x: 1 } },
    { ...body, metadata: { ...(body['metadata'] as Body), name: 'Bad_Name' } },
    { ...body, metadata: { ...(body['metadata'] as Body), name: body['kind'] === 'Service' ? 'Bad.Name' : '' } },
    { ...body, metadata: { ...(body['metadata'] as Body), namespace: 'elsewhere' } },
    { ...body, metadata: { ...(body['metadata'] as Body), bogus: 1 } },
    { ...body, metadata: { ...(body['metadata'] as Body), resourceVersion: '5' } },
    { ...body, metadata: { ...(body['metadata'] as Body), ownerReferences: [{ kind: 'X', name: 'y' }] } },
    [],
    'text',
  ])
}
