import assert from 'node:assert/strict'
import test from 'node:test'
import { buildGraph, stateCounts, type GraphNode } from '../../../shared/ui/graph/graph-model.ts'
import { between, layoutGraph, neighbour, NODE_HEIGHT, NODE_WIDTH } from '../../../shared/ui/graph/graph-layout.ts'
import { snapshotOf, snapshotWith } from '../../support/ui/fixtures.ts'
import { quickest } from '../../support/ui/quickest.ts'

const ALL = { search: '', state: '', toggled: new Set<string>() }

test('an application leads to its objects, and they to what they own', () => {
  assert.deepEqual(titles(buildGraph(snapshotOf('guestbook'), ALL)).slice(0, 4), [
    'Application guestbook',
    ' Service guestbook',
    '  EndpointSlice',
    ' Deployment guestbook',
  ])
})

test('objects come by wave, each wave with its words', () => {
  const layout = layoutGraph(buildGraph(snapshotOf('waves'), ALL))
  assert.deepEqual(
    layout.bands.map(({ label }) => label),
    ['wave 0', 'wave 1', 'wave 2'],
  )
  assert.ok(layout.bands.every(({ y }) => layout.nodes.every((node) => node.depth !== 1 || apart(node.y, y))))
})

test('more than eight alike are one node with their count, until it is opened', () => {
  const snapshot = snapshotWith(400)
  const closed = buildGraph(snapshot, ALL)
  const group = closed.children.find(({ kind }) => kind === 'group')
  assert.ok(group !== undefined && group.count > 8 && !group.open)
  const open = buildGraph(snapshot, { ...ALL, toggled: new Set([group.id]) })
  assert.equal(open.children.find(({ id }) => id === group.id)?.open, true)
  assert.ok(layoutGraph(open).nodes.length > layoutGraph(closed).nodes.length + 8)
})

test('a search keeps what matches, with what leads to it', () => {
  const found = buildGraph(snapshotOf('shop'), { ...ALL, search: 'pod' })
  assert.deepEqual(
    found.children.map(({ type }) => type),
    ['Deployment'],
  )
  assert.equal(buildGraph(snapshotOf('shop'), { ...ALL, search: 'nothing is called this' }).children.length, 0)
})

test('a state keeps its objects, and is counted', () => {
  const shop = snapshotOf('shop')
  const drifted = stateCounts(shop).find(({ word }) => word === 'OutOfSync')
  assert.equal(drifted?.count, 2)
  const kept = buildGraph(shop, { ...ALL, state: 'OutOfSync' })
  assert.deepEqual(
    kept.children.map(({ mark }) => mark.word),
    ['OutOfSync', 'OutOfSync'],
  )
})

test('no two nodes overlap, and every edge ends at a node', () => {
  const layout = layoutGraph(buildGraph(snapshotWith(500), { ...ALL, toggled: new Set(groups(snapshotWith(500))) }))
  assert.ok(layout.nodes.length > 400)
  const seen = new Map<number, number>()
  for (const { x, y } of layout.nodes.toSorted((a, b) => a.y - b.y)) {
    assert.ok(y - (seen.get(x) ?? -NODE_HEIGHT) >= NODE_HEIGHT, `two nodes at ${x}, ${y}`)
    seen.set(x, y)
  }
  assert.equal(layout.edges.length, layout.nodes.length - 1)
  assert.ok(layout.nodes.every(({ x, y }) => x + NODE_WIDTH <= layout.width && y + NODE_HEIGHT <= layout.height))
})

test('what lies between two heights has every node and edge that is seen there', () => {
  const layout = layoutGraph(buildGraph(snapshotWith(500), { ...ALL, toggled: new Set(groups(snapshotWith(500))) }))
  const part = between(layout, 1000, 2000)
  const seen = layout.nodes.filter(({ y }) => y + NODE_HEIGHT > 1000 && y < 2000)
  assert.ok(seen.length > 0 && seen.every((node) => part.nodes.includes(node)))
  assert.ok(part.nodes.length < seen.length + 10)
  const crossing = layout.edges.filter(({ top, bottom }) => top < 1000 && bottom > 2000)
  assert.ok(crossing.length > 0 && crossing.every((edge) => part.edges.includes(edge)))
})

test('500 nodes are laid out within a frame', () => {
  const snapshot = snapshotWith(500)
  const toggled = new Set(groups(snapshot))
  const ms = quickest(() => layoutGraph(buildGraph(snapshot, { ...ALL, toggled })))
  assert.ok(ms < 16, `${ms} ms`)
})

test('arrow keys go down the page, into the tree and back out', () => {
  const layout = layoutGraph(buildGraph(snapshotOf('shop'), ALL))
  const walk = (keys: readonly string[]): string | undefined =>
    keys.reduce((id, key) => neighbour(layout, id, key)?.node.id ?? id, 'application')
  assert.equal(walk(['ArrowRight', 'ArrowLeft']), 'application')
  assert.equal(walk(['ArrowUp']), 'application')
  assert.equal(walk(['End', 'Home']), 'application')
  assert.notEqual(walk(['ArrowDown', 'ArrowDown']), walk(['ArrowDown']))
})

function titles(node: GraphNode, depth = 0): readonly string[] {
  const title = depth > 1 ? node.type : `${node.type} ${node.title}`
  return [`${' '.repeat(depth)}${title}`, ...node.children.flatMap((child) => titles(child, depth + 1))]
}

function groups(snapshot: Parameters<typeof buildGraph>[0]): readonly string[] {
  const ids: string[] = []
  const visit = (node: GraphNode): void => {
    if (node.kind === 'group') ids.push(node.id)
    node.children.forEach(visit)
  }
  visit(buildGraph(snapshot, ALL))
  return ids
}

function apart(y: number, band: number): boolean {
  return y >= band + 20 || y + NODE_HEIGHT <= band
}
