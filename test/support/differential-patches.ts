import { chance, pickFrom } from './differential-random.ts'
import { edited } from './differential-step.ts'
import type { Edit, Json, Step } from './differential-step.ts'
import { query, someEdits, someMetadata, whole } from './differential-values.ts'
import type { Subject } from './differential-values.ts'
import type { Random } from './random.ts'

export function jsonPatch(random: Random, subject: Subject): Step {
  const operations = someEdits(random, subject.sample, 1 + random.below(2)).map(({ at, set }): Json => {
    const path = `/${at.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1')).join('/')}`
    if (set === undefined) return { op: 'remove', path }
    return { op: pickFrom(random, ['add', 'add', 'replace', 'test']), path, value: set }
  })
  const odd: readonly Json[] = [
    { op: 'copy', from: '/metadata/labels', path: '/metadata/annotations' },
    { op: 'move', from: '/metadata/annotations', path: '/metadata/labels' },
    { op: 'add', path: '/metadata/labels/new', value: 'x' },
    { op: 'remove', path: '/metadata/nothing' },
    { op: 'test', path: '/metadata/name', value: subject.name },
    { op: 'test', path: '/kind', value: 'Odd' },
    { op: 'odd', path: '/x' },
    { op: 'replace', path: 'x', value: 1 },
    { op: 'add', path: '/metadata/finalizers', value: [] },
    { op: 'replace', path: '', value: {} },
  ]
  if (chance(random, 0.3)) operations.push(pickFrom(random, odd))
  return { method: 'PATCH', path: subject.path + query(random), type: 'application/json-patch+json', body: operations }
}

export function mergePatch(random: Random, subject: Subject): Step {
  const body = patchOf(random, subject)
  return { method: 'PATCH', path: subject.path + query(random), type: 'application/merge-patch+json', body }
}

const directives: readonly Json[] = [
  { metadata: { labels: { $patch: 'replace', only: 'one' } } },
  { metadata: { labels: { a: null } } },
  { metadata: { $setElementOrder: 1 } },
  { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/hold'] } },
  {
    metadata: {
      finalizers: ['example.com/b', 'example.com/a'],
      '$setElementOrder/finalizers': ['example.com/a', 'example.com/b'],
    },
  },
  {
    spec: {
      template: {
        spec: {
          containers: [
            { name: 'web', image: 'smp:1' },
            { name: 'new', image: 'new:1' },
          ],
        },
      },
    },
  },
  { spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } } },
  {
    spec: {
      template: {
        spec: {
          '$setElementOrder/containers': [{ name: 'side' }, { name: 'web' }],
          containers: [{ name: 'web', image: 'o:1' }],
        },
      },
    },
  },
  { spec: { template: { spec: { $retainKeys: ['containers'], containers: [{ name: 'web', image: 'r:1' }] } } } },
  { spec: { template: { spec: { containers: [{ image: 'no-name' }] } } } },
  { spec: { template: { spec: { volumes: [{ name: 'c', $retainKeys: ['name', 'emptyDir'], emptyDir: {} }] } } } },
  { spec: { ports: [{ port: 80, targetPort: 9 }] } },
  { spec: { ports: [{ port: 53, $patch: 'delete' }] } },
  { spec: { ports: [{ $patch: 'replace' }, { port: 1, name: 'a' }] } },
  { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
  { data: { $patch: 'replace', z: 'z' } },
  { data: { $patch: 'delete' } },
  { $patch: 'odd' },
]

export function strategicPatch(random: Random, subject: Subject): Step {
  const body = chance(random, 0.5) ? pickFrom(random, directives) : patchOf(random, subject)
  return { method: 'PATCH', path: subject.path + query(random), type: 'application/strategic-merge-patch+json', body }
}

export function patchOf(random: Random, subject: Subject): Json {
  const start: Json = chance(random, 0.4) ? { metadata: someMetadata(random, true) } : {}
  // A list cannot be entered in a merge patch: the way ends where the first index would be.
  const edits = someEdits(random, subject.sample, 1).filter(({ at }) => at.every((part) => typeof part === 'string'))
  const wrong = chance(random, 0.05) ? pickFrom<Json>(random, [[], 'text', null, 5]) : undefined
  return wrong ?? edits.reduce<Json>((value, { at, set }) => edited(value, { at, set: set ?? null }), start)
}

export function statusWrite(random: Random, subject: Subject): Step {
  const { sample, path } = subject
  const status = sample.status ?? { phase: 'Active' }
  const edit: Edit = { at: ['status'], set: status }
  const at = `${path}/status${query(random)}`
  if (chance(random, 0.3))
    return { method: 'PUT', path: at, live: { of: path, edits: [edit, ...someEdits(random, sample, 1)] } }
  if (chance(random, 0.4)) {
    const url = `${path}/status${query(random, ['fieldManager=ctl', 'force=true'])}`
    return { method: 'PATCH', path: url, type: 'application/apply-patch+yaml', body: whole(subject, { status }) }
  }
  if (chance(random, 0.1)) return { method: 'GET', path: `${path}/status` }
  const type = pickFrom(random, ['application/merge-patch+json', 'application/strategic-merge-patch+json'])
  return { method: 'PATCH', path: at, type, body: { status, metadata: { labels: { by: 'status' } } } }
}

export function scaleWrite(random: Random, subject: Subject): Step {
  const path = `${subject.path}/scale`
  const replicas = pickFrom<Json>(random, [0, 1, 3, 9, -1, 'x', null])
  if (chance(random, 0.2)) return { method: 'GET', path }
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: subject.name, namespace: '{{ns}}' },
    spec: { replicas },
  }
  if (chance(random, 0.3)) return { method: 'PUT', path: path + query(random), body: scale }
  if (chance(random, 0.3)) {
    const url = path + query(random, [`fieldManager=${pickFrom(random, ['m1', 'scaler'])}`, 'force=true'])
    return { method: 'PATCH', path: url, type: 'application/apply-patch+yaml', body: scale }
  }
  const type = pickFrom(random, ['application/merge-patch+json', 'application/strategic-merge-patch+json'])
  return { method: 'PATCH', path: path + query(random), type, body: { spec: { replicas } } }
}

export function remove(random: Random, { path, sample }: Subject): Step {
  const options: readonly Json[] = [
    { propagationPolicy: pickFrom(random, ['Orphan', 'Background', 'Foreground', 'Odd']) },
    { preconditions: { uid: `{{uid:${path}}}`, resourceVersion: `{{rv:${path}}}` } },
    { preconditions: { uid: 'other' } },
    { preconditions: { resourceVersion: '1' } },
    { gracePeriodSeconds: pickFrom<Json>(random, [0, 5, -1]) },
    { orphanDependents: true },
    { orphanDependents: true, propagationPolicy: 'Orphan' },
    { dryRun: ['All'] },
    { dryRun: ['Some'] },
    { kind: 'Odd', apiVersion: 'v1' },
    { bogus: 1 },
  ]
  const to = chance(random, 0.1)
    ? `${sample.collection}?labelSelector=${pickFrom(random, ['a%3Db', 'none%3Dsuch', 'a%20in%20('])}`
    : path
  if (chance(random, 0.4)) return { method: 'DELETE', path: to }
  if (chance(random, 0.2))
    return {
      method: 'DELETE',
      path: `${path}?propagationPolicy=${pickFrom(random, ['Orphan', 'Odd'])}&gracePeriodSeconds=1`,
    }
  const body = pickFrom(random, options)
  return {
    method: 'DELETE',
    path: to,
    body: chance(random, 0.5) ? { kind: 'DeleteOptions', apiVersion: 'v1', ...(body as object) } : body,
  }
}
