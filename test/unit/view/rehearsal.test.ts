import assert from 'node:assert/strict'
import test from 'node:test'
import type { RehearsedEffect, Unknown } from '../../../shared/model/rehearsal.ts'
import { rehearsalMarkdown } from '../../../shared/view/rehearsal-markdown.ts'
import { rehearsalRows, rehearsalShown, rehearsalTimeline } from '../../../shared/view/rehearsal-rows.ts'
import { effectSentence, faultWords, rehearsalSummary, unknownSentence } from '../../../shared/view/rehearsal-words.ts'
import { sampleRehearsal, sampleStep } from '../../support/rehearsal-sample.ts'

const web = { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }
const data = { group: '', kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data' }

test('a rehearsal is summed up in one sentence', () => {
  const restart = { kind: 'pods-restarted', id: web, pods: 4 } as const
  const cases = [
    [sampleRehearsal(), 'would succeed: create 1, change 1'],
    [
      sampleRehearsal({ effects: [restart] }),
      'would succeed: create 1, change 1; 4 pods of Deployment shop/web restart',
    ],
    [sampleRehearsal({ steps: [] }), 'would succeed: nothing to do'],
    [
      sampleRehearsal({ passed: false, failures: ['the PreSync hook failed', 'more'] }),
      'would fail: the PreSync hook failed, and 1 more',
    ],
  ] as const
  for (const [rehearsal, expected] of cases) assert.equal(rehearsalSummary(rehearsal), expected)
})

test('each effect is one sentence', () => {
  const cases: readonly (readonly [RehearsedEffect, string])[] = [
    [{ kind: 'pods-restarted', id: web, pods: 1 }, '1 pod of Deployment shop/web restarts'],
    [
      { kind: 'downtime', id: web, fromMs: 1000, toMs: 4000, ready: 0, needed: 1 },
      'Deployment shop/web has no ready pod for 3 s',
    ],
    [
      {
        kind: 'downtime',
        id: web,
        fromMs: 0,
        ready: 1,
        needed: 2,
        budget: { group: 'policy', kind: 'PodDisruptionBudget', namespace: 'shop', name: 'web' },
      },
      'Deployment shop/web has only 1 ready pod for as long as it was watched, PodDisruptionBudget shop/web asks for 2',
    ],
    [{ kind: 'endpoints-lost', id: web, endpoints: 2 }, 'Deployment shop/web loses its 2 endpoints'],
    [
      { kind: 'data-lost', id: data, what: 'what is stored in its volume' },
      'PersistentVolumeClaim shop/data is deleted, and with it what is stored in its volume',
    ],
    [
      { kind: 'taken-along', id: web, objects: [data] },
      'Deployment shop/web takes 1 object along: PersistentVolumeClaim shop/data',
    ],
    [
      { kind: 'permission-lacking', verb: 'patch', resource: 'deployments', group: 'apps', namespace: 'shop' },
      'the cluster does not allow you to patch deployments.apps in shop',
    ],
  ]
  for (const [effect, expected] of cases) assert.equal(effectSentence(effect), expected)
})

test('each thing that could not be known is one sentence', () => {
  const cases: readonly (readonly [Unknown, string])[] = [
    [
      {
        kind: 'webhook',
        name: 'a.example.com',
        configuration: 'a',
        mutating: true,
        failurePolicy: 'Fail',
        objects: [web],
      },
      'the mutating webhook a.example.com was not called for Deployment shop/web',
    ],
    [
      { kind: 'controller', of: { group: 'x.io', kind: 'Order' }, objects: [web, web, web, web, web] },
      'nothing here acts on Order objects as on the real cluster: Deployment shop/web, Deployment shop/web, Deployment shop/web and 2 more',
    ],
    [{ kind: 'not-read', what: 'nodes', reason: 'forbidden' }, 'nodes could not be read: forbidden'],
    [
      { kind: 'pod-times', startMs: 3000, measuredOn: 1 },
      'how long pods really take to start: 3 s is the median of 1 live pod',
    ],
    [{ kind: 'pod-times', startMs: 2000, measuredOn: 0 }, 'how long pods really take to start: 2 s was assumed'],
  ]
  for (const [unknown, expected] of cases) assert.equal(unknownSentence(unknown), expected)
  assert.equal(faultWords({ kind: 'image', pattern: 'nginx:*' }), 'image nginx:* cannot be pulled')
})

test('rows say when a step was done and when its object was healthy', () => {
  const step = sampleStep({ key: 'Sync|apps|Deployment|shop|web', startMs: 0, endMs: 1000, healthyMs: 4000 })
  const [row] = rehearsalRows(sampleRehearsal({ steps: [step] }))
  assert.deepEqual(
    [row?.stage, row?.mark.word, row?.label, row?.at, row?.detail],
    ['wave 0', 'created', 'Deployment shop/web', '1 s', 'healthy at 4 s'],
  )
})

test('the timeline has a bar for every step that had its time, and the health of its object', () => {
  const never = sampleStep({ key: 'Sync||Secret|shop|never', result: { kind: 'not-reached', reason: 'waits' } })
  const { startMs: _s, endMs: _e, ...unreached } = never
  const marks = [
    { atMs: 0, key: '|ConfigMap|shop|settings', health: 'Healthy' },
    { atMs: 0, key: '', health: 'Healthy' },
  ] as const
  const { steps, health, totalMs } = rehearsalTimeline(
    sampleRehearsal({ steps: [...sampleRehearsal().steps, unreached], health: marks }),
  )
  assert.deepEqual(
    steps.map(({ id, stage, result }) => [id.name, stage, result]),
    [
      ['settings', 'wave 0', 'created'],
      ['web', 'wave 1', 'changed'],
    ],
  )
  assert.deepEqual(
    health.map(({ id }) => id.name),
    ['settings'],
  )
  assert.equal(totalMs, 4000)
})

test('Markdown for a pull request lets no text out of its place', () => {
  const reason = '<img src=x onerror=alert(1)> | [x](http://evil) `code`\n# title'
  const text = rehearsalMarkdown(
    sampleRehearsal({
      passed: false,
      failures: ['one', reason],
      steps: [sampleStep({ result: { kind: 'failed', reason } })],
    }),
  )
  assert.ok(!/<img/.test(text) && !/[^\\]\[x\]/.test(text) && !/^# title/m.test(text), text)
  assert.match(text, /^### ❌ Rehearsal of `shop` at `main@3f2c1ab` for `kind-dev`/)
  assert.match(text, /\| wave 0 \| failed \| ConfigMap shop\/settings \|/)
})

test('fronts get the sentences, the picture and the Markdown of one report', () => {
  const shown = rehearsalShown('id', sampleRehearsal())
  assert.deepEqual([shown.on, shown.passed, shown.planHash, shown.differences], ['embedded', true, 'p1', []])
  assert.equal(shown.unknowns.at(-1), '2 of 2 objects are of kinds on which the embedded server is proven')
})
