import assert from 'node:assert/strict'
import test from 'node:test'
import { readCredentials } from '../../../extension/credentials.ts'
import type { Known } from '../../../extension/model.ts'
import { plainText } from '../../../extension/plain-text.ts'
import { readPanelTarget } from '../../../extension/panel/panel-target.ts'
import { filterWords, fitsFilter, shownNodes } from '../../../extension/views/tree-nodes.ts'
import type { SentSnapshot } from '../../../shared/agent/contract.ts'
import type { ApplicationSnapshot, ResourceStatus } from '../../../shared/model/status.ts'

function resource(kind: string, name: string, state: ResourceStatus['drift']['state'] = 'synced'): ResourceStatus {
  const id = { group: '', kind, namespace: 'shop', name }
  const drift = { id, apiVersion: 'v1', state, fields: [], notes: [], evidence: 'proof' } as const
  return { id, version: 'v1', sync: state === 'synced' ? 'Synced' : 'OutOfSync', requiresPruning: false, drift }
}

function sent(resources: readonly ResourceStatus[]): SentSnapshot {
  const application = { name: 'shop', destination: { namespace: 'shop' } } as ApplicationSnapshot['application']
  const rest = { context: 'embedded', sync: 'Synced', health: { status: 'Healthy' }, tree: [] } as const
  const snapshot = { application, ...rest, resources, conditions: [], history: [], sourceType: '', observedAt: '' }
  return { snapshot, local: true }
}

test('few resources are one list, many are shown by kind, and what needs a look comes first', () => {
  const few = sent([resource('Service', 'a'), resource('ConfigMap', 'b')])
  assert.deepEqual(
    shownNodes(few).map(({ kind }) => kind),
    ['resource', 'resource'],
  )
  const many = sent([
    ...Array.from({ length: 400 }, (_, index) => resource('ConfigMap', `c${index}`)),
    resource('ConfigMap', 'drifted', 'changed'),
    resource('Service', 's'),
  ])
  const shown = shownNodes(many)
  assert.deepEqual(
    shown.map((node) => (node.kind === 'kind' ? [node.label, node.children.length, node.drifted] : [])),
    [
      ['ConfigMap 1–150', 150, 1],
      ['ConfigMap 151–300', 150, 0],
      ['ConfigMap 301–401', 101, 0],
      ['Service', 1, 0],
    ],
  )
  const [first] = shown
  assert.equal(first?.children[0]?.row.label, 'ConfigMap drifted')
  // The same snapshot has the same nodes, so that what is open stays open.
  assert.equal(shownNodes(many), shown)
})

function checkFilter(text: string, expected: boolean): void {
  test(`the filter "${text}" ${expected ? 'keeps' : 'hides'} the shop`, () => {
    const head = { name: 'shop', project: 'default', context: 'kind-dev', file: '', line: 1 }
    const known: Known = { head, sent: sent([resource('ConfigMap', 'settings')]) }
    assert.equal(fitsFilter(known, filterWords(text)), expected)
  })
}

checkFilter('', true)
checkFilter('sho', true)
checkFilter('Synced healthy', true)
checkFilter('kind-dev', true)
checkFilter('configmap', true)
checkFilter('settings', true)
checkFilter('shop degraded', false)
checkFilter('board', false)

test('what a panel kept of itself is not taken at its word', () => {
  assert.deepEqual(readPanelTarget({ application: 'shop', tab: 'diff', key: '|Service|shop|shop', more: 1 }), {
    application: 'shop',
    tab: 'diff',
    key: '|Service|shop|shop',
  })
  assert.deepEqual(readPanelTarget({ application: 'shop', tab: 'elsewhere', key: 7 }), { application: 'shop' })
  for (const wrong of [undefined, null, 'shop', {}, { application: '' }, { application: 'a'.repeat(300) }])
    assert.equal(readPanelTarget(wrong), undefined)
})

test('a log line cannot move the cursor, colour the terminal or ask it anything', () => {
  assert.equal(plainText('\u001B[31mred\u001B[0m \u001B]0;title\u0007\u001B[6n\tdone'), 'red ]0;title[6n\tdone')
})

test('credentials that cannot be read count for nothing', () => {
  const whole = { url: 'https://git.example', username: 'ada', secret: 's', sshKey: '' }
  assert.deepEqual(readCredentials(JSON.stringify([whole, { url: 'x' }, 7])), [whole])
  for (const text of [undefined, '', '{}', '[']) assert.deepEqual(readCredentials(text), [])
})
