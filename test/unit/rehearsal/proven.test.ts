import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'node:test'
import { parseApiVersion, type ResourceId } from '../../../shared/model/kubernetes.ts'
import { PROVEN_KINDS, provenOf } from '../../../shared/rehearsal/proven.ts'
import { kindSamples } from '../../support/differential-kinds.ts'

const vectors = path.resolve(import.meta.dirname, '../../../../shared/apiserver-vectors/vectors')

test('a kind counts as proven exactly when conversations about it were compared with a real server', (t) => {
  if (!existsSync(vectors)) return t.skip('skipped: no recorded conversations beside the project')
  const sampled = kindSamples.map(({ apiVersion, kind }) => `${parseApiVersion(apiVersion).group}|${kind}`)
  const recorded = ['lifecycle.json', 'custom-resources.json'].flatMap((file) =>
    [
      ...readFileSync(path.join(vectors, file), 'utf8').matchAll(/"kind":\s*"(Namespace|CustomResourceDefinition)"/g),
    ].map(([, kind]) => (kind === 'Namespace' ? '|Namespace' : `apiextensions.k8s.io|${kind}`)),
  )
  const builtIn = [...sampled, ...recorded].filter((key) => !key.includes('example.com'))
  const table = [...PROVEN_KINDS].flatMap(([group, kinds]) => kinds.map((kind) => `${group}|${kind}`))
  assert.deepEqual([...new Set(builtIn)].sort(), table.sort())
})

test('the share of proven objects names the kinds that are not', () => {
  assert.deepEqual(
    provenOf([id('', 'ConfigMap'), id('shop.example.com', 'Order'), id('apiregistration.k8s.io', 'APIService')]),
    { proven: 2, total: 3, unproven: [{ group: 'apiregistration.k8s.io', kind: 'APIService' }] },
  )
})

function id(group: string, kind: string): ResourceId {
  return { group, kind, namespace: 'a', name: 'b' }
}
