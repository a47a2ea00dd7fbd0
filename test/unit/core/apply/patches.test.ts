import assert from 'node:assert/strict'
import test from 'node:test'
import { clientSidePatch, replacement, withLastApplied } from '../../../../shared/core/apply/client-side.ts'
import { keepIgnored } from '../../../../shared/core/apply/keep-ignored.ts'
import type { Pair } from '../../../../shared/core/pair.ts'
import type { FieldDrift } from '../../../../shared/model/drift.ts'
import type { JsonObject } from '../../../../shared/model/json.ts'
import type { KubeObject } from '../../../../shared/model/kubernetes.ts'

function object(data: Readonly<Record<string, string>>, more: JsonObject = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'n', ...more }, data }
}

function pairOf(desired: KubeObject, live: KubeObject): Pair & { readonly kind: 'both' } {
  const id = { group: '', kind: 'ConfigMap', namespace: 'n', name: 'a' }
  const gvk = { group: '', version: 'v1', kind: 'ConfigMap' }
  const manifest = { id, object: desired }
  const want = { id, key: 'k', gvk, kind: undefined, object: desired, digest: '', manifest, support: false }
  return {
    kind: 'both',
    going: false,
    key: 'k',
    id,
    desired: want,
    live: { object: live, uid: 'u', resourceVersion: '1', owners: [] },
  }
}

test('three ways: what left Git goes, what Git has comes, what others put there stays', () => {
  const last = withLastApplied(object({ kept: '1', dropped: '1' }))
  const live = { ...last, data: { kept: 'hand', dropped: '1', theirs: '1' } }
  const desired = object({ kept: '2', fresh: '1' })
  const operations = clientSidePatch(desired, pairOf(desired, live), [])
  const data = operations.find(({ path }) => path === '/data')
  assert.deepEqual(data, { op: 'add', path: '/data', value: { kept: '2', theirs: '1', fresh: '1' } })
  assert.deepEqual(operations.map(({ path }) => path).sort(), ['/data', '/metadata/annotations'])
})

test('three ways: what the plan shows as somebody else goes too', () => {
  const live = withLastApplied(object({ kept: '1', theirs: '1' }))
  const desired = object({ kept: '1' })
  const theirs: FieldDrift = {
    path: '/data/theirs',
    kind: 'added-foreign',
    desired: { kind: 'absent' },
    live: { kind: 'value', value: '1' },
  }
  const [data] = clientSidePatch(desired, pairOf(desired, live), [theirs])
  assert.deepEqual(data, { op: 'add', path: '/data', value: { kept: '1' } })
})

test('a replacement leaves only what Git has, and the server its own', () => {
  const live = {
    ...object({ a: '1' }, { uid: 'u', labels: { hand: 'made' }, finalizers: ['keep'] }),
    binaryData: { b: 'AA==' },
    status: { phase: 'x' },
  }
  assert.deepEqual(replacement(object({ a: '2' }), live), [
    { op: 'add', path: '/data', value: { a: '2' } },
    { op: 'remove', path: '/binaryData' },
    { op: 'remove', path: '/metadata/labels' },
  ])
})

const covers = (path: readonly (string | number)[]): boolean => ['a', 'gone', 'theirs'].includes(String(path[1]))

test('what is ignored keeps the value of the cluster, or stays away where the cluster lacks it', () => {
  const kept = keepIgnored(
    object({ a: 'git', b: 'git', gone: 'git' }),
    object({ a: 'live', b: 'live', theirs: 'live' }),
    covers,
  )
  assert.deepEqual(kept['data'], { a: 'live', b: 'git', theirs: 'live' })
})
