import assert from 'node:assert/strict'
import test from 'node:test'
import { aggregateOf, aggregateProblems } from '../../../../shared/core/health/aggregate.ts'
import type { HealthCode } from '../../../../shared/model/health.ts'
import type { KubeObject } from '../../../../shared/model/kubernetes.ts'

function object(text: string | undefined): KubeObject {
  const annotations = text === undefined ? {} : { 'argocd.argoproj.io/health-aggregate-overrides': text }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations } }
}

const CASES: readonly (readonly [
  text: string | undefined,
  status: HealthCode,
  counts: HealthCode | undefined,
  problems: number,
])[] = [
  [undefined, 'Suspended', undefined, 0],
  ['', 'Suspended', undefined, 0],
  ['Suspended=Healthy', 'Suspended', 'Healthy', 0],
  ['Suspended=Healthy', 'Degraded', undefined, 0],
  ['Suspended=Healthy,Progressing=Degraded', 'Progressing', 'Degraded', 0],
  [' Suspended = Healthy , Progressing = Degraded ', 'Progressing', 'Degraded', 0],
  ['Suspended', 'Suspended', undefined, 1],
  ['Suspended=Healthy=Extra', 'Suspended', undefined, 1],
  ['=Healthy', 'Suspended', undefined, 1],
  ['Suspended=', 'Suspended', undefined, 1],
  ['Suspended=Fine,Degraded=Healthy', 'Degraded', 'Healthy', 1],
]

for (const [text, status, counts, problems] of CASES) {
  test(`${JSON.stringify(text)} lets ${status} count as ${counts ?? 'itself'}`, () => {
    assert.equal(aggregateOf(object(text), status), counts)
    assert.equal(aggregateProblems(object(text)).length, problems)
  })
}
