import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { snapshotOf, summariesOf } from '../support/ui/fixtures.ts'
import { chromiumIsMissing, startUi, type UiPage } from '../support/ui/ui-page.ts'
import { READY, windowFront, type WindowFront } from '../support/ui/window-front.ts'

const missing = chromiumIsMissing()
let ui: Awaited<ReturnType<typeof startUi>> | undefined
before(async () => {
  if (missing === undefined) ui = await startUi()
})
after(async () => ui?.close())

test('every page is drawn under the policy, and a link leads to each', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page, complaints } = await openWindow('#/applications', { applications: summariesOf(7) })
  for (const name of ['Clusters', 'Contexts', 'Rehearsals', 'Repositories', 'Keys', 'Settings', 'Applications']) {
    await page.getByRole('link', { name }).first().click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    assert.equal(await page.getByRole('link', { name }).first().getAttribute('aria-current'), 'page')
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('the list is filtered, sorted and grouped, and looks so again after a reload', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openWindow('#/applications', { applications: summariesOf(24) })
  await page.getByLabel('Filter').fill('cluster:prod')
  await page.getByText('8 of 24 applications').waitFor()
  await page.getByRole('button', { name: 'OutOfSync 12' }).click()
  await page.getByText('4 of 24 applications').waitFor()
  await page.getByLabel('Group').selectOption('project')
  await page.getByRole('button', { name: /^team-2 / }).click()
  await page.reload()
  await page.getByText('4 of 24 applications').waitFor()
  assert.equal(await page.getByLabel('Group').inputValue(), 'project')
  await page.getByRole('button', { name: 'Tiles' }).click()
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'shop' }).count(), 2)
  await page.context().close()
})

test('a view is saved, and a saved one is shown', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openWindow('#/applications', { applications: summariesOf(8) }, asked)
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByRole('menuitem', { name: 'Night shift', exact: true }).click()
  await page.getByText('4 of 8 applications').waitFor()
  await page.getByRole('button', { name: 'Saved views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  await page.getByLabel('Name').fill('Mine')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await waitUntil(() => asked.length > 0)
  const [, { views }] = asked[0] as [string, { views: { name: string; filter: string }[] }]
  assert.deepEqual(
    views.map(({ name, filter }) => [name, filter]),
    [
      ['Night shift', 'state:outofsync'],
      ['Mine', 'state:outofsync'],
    ],
  )
  await page.context().close()
})

test('several applications are planned and synced together', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openWindow('#/applications', { applications: summariesOf(8) }, asked)
  await page.getByRole('checkbox', { name: 'Select shop-0002' }).check()
  await page.getByRole('checkbox', { name: 'Select board-0000' }).check()
  await page.getByRole('button', { name: 'Sync…' }).click()
  await page.getByRole('button', { name: 'Sync 2 applications' }).click()
  await waitUntil(() => asked.length === 2)
  assert.deepEqual(asked, [
    ['sync', { application: 'board-0000', prune: false }],
    ['sync', { application: 'shop-0002', prune: false }],
  ])
  await page.context().close()
})

test('news of applications reach the list while it is open', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const [first, second] = summariesOf(2)
  assert.ok(first !== undefined && second !== undefined)
  const { page, front } = await openWindow('#/applications', { applications: [first] })
  await page.getByRole('link', { name: first.name }).waitFor()
  front.tell({ kind: 'applications', changed: [second, { ...first, health: { status: 'Degraded' } }], gone: [] })
  await page.getByRole('link', { name: second.name }).waitFor()
  await page.getByRole('button', { name: 'Degraded 1' }).waitFor()
  front.tell({ kind: 'applications', changed: [], gone: [first.name] })
  await page.getByRole('link', { name: first.name }).waitFor({ state: 'detached' })
  await page.context().close()
})

test('the palette finds an application by a few letters, and leads to it', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openWindow('#/clusters', { applications: summariesOf(8) })
  await page.getByRole('heading', { name: 'Clusters' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('shop6')
  await page.getByRole('option', { name: /shop-0006/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor()
  assert.match(page.url(), /#\/applications\/shop-0006\/graph$/)
  await page.getByRole('tab', { name: 'Diff' }).click()
  await page.goBack()
  await page.getByRole('tab', { name: 'Graph', selected: true }).waitFor()
  await page.context().close()
})

test('only the application that is looked at is watched', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const watched = new Set<string>()
  if (ui === undefined) throw new Error('no browser was started')
  const answers = windowFront({ applications: summariesOf(8) })
  const { page } = await ui.open({
    bundle: 'window',
    hash: '#/applications/shop-0002/graph',
    answers: {
      ...answers,
      'application/watch': async ({ application }) => {
        watched.add(application)
        return { snapshot: snapshotOf('shop'), local: true }
      },
      'application/unwatch': async ({ application }) => {
        watched.delete(application)
        return null
      },
    },
  })
  await page.getByRole('treeitem').first().waitFor()
  await page.evaluate("location.hash = '#/applications/shop-0006/graph'")
  await waitUntil(() => watched.has('shop-0006'))
  assert.deepEqual([...watched], ['shop-0006'])
  await page.evaluate("location.hash = '#/keys'")
  await waitUntil(() => watched.size === 0)
  assert.equal(watched.size, 0)
  await page.context().close()
})

test('a session that was opened anew is watched anew', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  if (ui === undefined) throw new Error('no browser was started')
  const asked: string[] = []
  const answers = windowFront({ applications: summariesOf(8) })
  const { page, front } = await ui.open({
    bundle: 'window',
    hash: '#/applications/shop-0002/graph',
    answers: {
      ...answers,
      'applications/watch': async () => {
        asked.push('list')
        return summariesOf(8)
      },
      'application/watch': async ({ application }) => {
        asked.push(application)
        return { snapshot: snapshotOf('shop'), local: true }
      },
    },
  })
  await page.getByRole('treeitem').first().waitFor()
  front.tell({ kind: 'workspace', state: { ...READY, kind: 'starting' } })
  front.tell({ kind: 'workspace', state: READY })
  front.tell({ kind: 'workspace', state: READY })
  await waitUntil(() => asked.length === 4)
  assert.deepEqual(asked.toSorted(), ['list', 'list', 'shop-0002', 'shop-0002'])
  await page.context().close()
})

test('a window whose connection was cut says so, and asks all anew when it is back', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  if (ui === undefined) throw new Error('no browser was started')
  let watched = 0
  const { page } = await ui.open({
    bundle: 'window',
    hash: '#/applications/shop-0002/diff',
    socket: true,
    answers: {
      ...windowFront({ applications: summariesOf(8) }),
      'application/watch': async () => {
        watched += 1
        return { snapshot: snapshotOf('shop'), local: true }
      },
    },
  })
  await page.getByRole('heading', { name: 'Service shop/shop' }).waitFor()
  await page.evaluate('globalThis.cut()')
  await page.getByText('Connecting again…').waitFor()
  await page.getByText('Connecting again…').waitFor({ state: 'detached' })
  await waitUntil(() => watched === 2)
  assert.equal(watched, 2)
  await page.getByRole('heading', { name: 'Service shop/shop' }).waitFor()
  await page.context().close()
})

test('an application is made of a folder, with the rest proposed', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openWindow(
    '#/applications',
    { applications: [], workspace: { ...READY, kind: 'empty' } },
    asked,
  )
  await page.getByText('No Application was found in this folder.').waitFor()
  await page.getByRole('button', { name: 'Create one from a folder' }).click()
  await page.getByLabel('Folder').selectOption('charts/board')
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'board')
  await page.getByRole('button', { name: 'Write apps/board.yaml' }).click()
  await page.getByText('Written: apps/shop.yaml:1').waitFor()
  const [, made] = asked[0] as [string, { name: string; path: string; namespace: string; context: string }]
  assert.deepEqual([made.name, made.path, made.namespace, made.context], ['board', 'charts/board', 'board', 'kind-dev'])
  await page.context().close()
})

async function openWindow(hash: string, front: WindowFront, asked: unknown[] = []): Promise<UiPage> {
  if (ui === undefined) throw new Error('no browser was started')
  return ui.open({ bundle: 'window', hash, answers: windowFront(front, asked) })
}

async function waitUntil(done: () => boolean): Promise<void> {
  for (let n = 0; n < 100 && !done(); n += 1) await new Promise((resolve) => setTimeout(resolve, 30))
}
