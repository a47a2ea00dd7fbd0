import assert from 'node:assert/strict'
import test from 'node:test'
import { compareRehearsals } from '../../../shared/rehearsal/compare.ts'
import { sampleRehearsal, sampleStep } from '../../support/rehearsal-sample.ts'

const id = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
const downtime = (fromMs: number, toMs: number): { readonly kind: 'downtime' } & Record<string, unknown> => ({
  kind: 'downtime',
  id,
  fromMs,
  toMs,
  ready: 0,
  needed: 1,
})

test('two rehearsals that do the same do not differ, whenever they did it', () => {
  const one = sampleRehearsal({ effects: [downtime(1000, 3000) as never] })
  const other = sampleRehearsal({
    effects: [downtime(5000, 7000) as never],
    steps: sampleRehearsal().steps.map((step) => ({ ...step, startMs: 9, endMs: 10 })),
  })
  const { steps, effects } = compareRehearsals(one, other)
  assert.deepEqual([steps, effects.one, effects.other], [[], [], []])
})

test('a step of one alone, another result, an effect of one alone: each is told with its side', () => {
  const failed = sampleStep({ result: { kind: 'failed', reason: 'no' } })
  const lost = { kind: 'endpoints-lost', id, endpoints: 2 } as const
  const one = sampleRehearsal()
  const other = sampleRehearsal({ steps: [failed], effects: [lost], passed: false })
  const { steps, effects, passed } = compareRehearsals(one, other)
  assert.deepEqual(
    steps.map(({ key, one: mine, other: theirs }) => [key, mine?.result.kind, theirs?.result.kind]),
    [
      ['Sync||ConfigMap|shop|settings', 'created', 'failed'],
      ['Sync|apps|Deployment|shop|web', 'changed', undefined],
    ],
  )
  assert.deepEqual(effects, { one: [], other: [lost] })
  assert.deepEqual(passed, { one: true, other: false })
})
