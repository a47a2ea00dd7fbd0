import assert from 'node:assert/strict'
import test from 'node:test'
import { listItems, tallies, type ListChoice } from '../../../desktop/renderer/application-list.ts'
import { fuzzyFind } from '../../../desktop/renderer/fuzzy.ts'
import { rowsInView } from '../../../desktop/renderer/virtual-window.ts'
import { readRoute, writeRoute } from '../../../shared/ui/route.ts'
import { summariesOf } from '../../support/ui/fixtures.ts'
import { quickest } from '../../support/ui/quickest.ts'

const ALL: ListChoice = { filter: '', sort: 'name', group: 'none', closed: new Set() }

test('a filter takes words, states, projects, clusters and labels, all of them', () => {
  const all = summariesOf(40)
  check('shop', 10)
  check('state:outofsync', 20)
  check('state:missing', 10)
  check('cluster:prod shop', 4)
  check('project:team-3 state:synced', 4)
  check('label:team=web', 0)
  check('nothing-is-called-this', 0)
  function check(filter: string, count: number): void {
    assert.equal(listItems(all, { ...ALL, filter }).length, count, filter)
  }
})

test('by state, what is broken comes first and what is not compared yet last', () => {
  const all = summariesOf(8)
  const [one, other] = all
  assert.ok(one !== undefined && other !== undefined)
  const sick = { ...one, name: 'sick', health: { status: 'Degraded' as const } }
  const fresh = { ...other, name: 'fresh', observedAt: '' }
  const names = listItems([fresh, ...all, sick], { ...ALL, sort: 'state' }).map((item) =>
    item.kind === 'application' ? item.summary.name : '',
  )
  assert.equal(names[0], 'sick')
  assert.equal(names.at(-1), 'fresh')
})

test('a folded group keeps its line with its counts', () => {
  const items = listItems(summariesOf(24), { ...ALL, group: 'cluster', closed: new Set(['embedded']) })
  const groups = items.flatMap((item) => (item.kind === 'group' ? [[item.name, item.count, item.out, item.open]] : []))
  assert.deepEqual(groups, [
    ['embedded', 8, 4, false],
    ['kind-dev', 8, 4, true],
    ['prod-eu', 8, 4, true],
  ])
  assert.equal(items.length, 3 + 16)
})

test('each state is counted once for each application that is in it', () => {
  assert.deepEqual(
    tallies(summariesOf(4)).map(({ word, count }) => `${word} ${count}`),
    ['OutOfSync 2', 'Missing 1', 'Synced 2', 'Healthy 3'],
  )
})

test('a thousand applications are filtered, sorted and grouped within a frame', () => {
  const all = summariesOf(1000)
  const ms = quickest(() => listItems(all, { ...ALL, filter: 'shop', sort: 'state', group: 'project' }))
  assert.ok(ms < 16, `${ms} ms`)
})

test('only the rows in view and some around them are drawn', () => {
  assert.deepEqual(rowsInView(0, 400, 40, 1000), { from: 0, to: 20 })
  assert.deepEqual(rowsInView(4000, 400, 40, 1000), { from: 90, to: 120 })
  assert.deepEqual(rowsInView(4000, 400, 40, 3), { from: 3, to: 3 })
  assert.deepEqual(rowsInView(0, 0, 40, 0), { from: 0, to: 0 })
})

test('what was typed finds what begins with it before what only holds its letters', () => {
  const all = ['Clusters', 'Contexts', 'Open shop', 'Refresh all applications']
  const find = (typed: string): readonly string[] => fuzzyFind(all, typed, (text) => text, 9)
  assert.deepEqual(find(''), all)
  assert.equal(find('sh')[0], 'Open shop')
  assert.equal(find('con')[0], 'Contexts')
  assert.deepEqual(find('xyz'), [])
})

test('a link leads back to where it was written, and a broken one to the list', () => {
  const route = { page: 'applications', name: 'a b/ü?#', tab: 'diff', key: 'apps|Deployment|n|x' } as const
  assert.deepEqual(readRoute(writeRoute(route)), route)
  checkRoute('#/clusters/new', 'clusters new graph')
  checkRoute('', 'applications  graph')
  checkRoute('#/nowhere/%E0%A4%A', 'applications %E0%A4%A graph')
  checkRoute('#/applications/shop/nothing', 'applications shop graph')
})

function checkRoute(hash: string, expected: string): void {
  const { page, name, tab } = readRoute(hash)
  assert.equal(`${page} ${name} ${tab}`, expected, hash)
}
