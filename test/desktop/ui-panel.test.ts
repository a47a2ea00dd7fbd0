import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { ApplicationSnapshot } from '../../shared/model/status.ts'
import { snapshotOf } from '../support/ui/fixtures.ts'
import { panelFront } from '../support/ui/panel-front.ts'
import { chromiumIsMissing, startUi, type UiPage, type UiPageOptions } from '../support/ui/ui-page.ts'

const missing = chromiumIsMissing()
let ui: Awaited<ReturnType<typeof startUi>> | undefined
before(async () => {
  if (missing === undefined) ui = await startUi()
})
after(async () => ui?.close())

const HOSTILE = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'

test('each tab is drawn under a policy without inline script or style', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  for (const tab of ['graph', 'diff', 'timeline', 'history', 'events']) {
    const { page, complaints } = await openPanel('shop', { tab })
    await page.getByRole('tab', { selected: true }).waitFor()
    await page.locator('pl-menu').waitFor()
    assert.deepEqual(complaints, [], tab)
    await page.context().close()
  }
})

test('script in a name, a label, a message and a log line stays text', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page, complaints } = await openPanel('shop', {}, hostile(snapshotOf('shop')))
  await page.getByRole('treeitem', { name: HOSTILE }).first().waitFor()
  await page.getByRole('treeitem', { name: HOSTILE }).first().click()
  await page.locator('pl-details').getByText(HOSTILE).first().waitFor()
  for (const tab of ['Diff', 'Timeline', 'History']) await page.getByRole('tab', { name: tab }).click()
  await page.getByRole('tab', { name: 'Events and logs' }).click()
  await page.getByLabel('What to show').selectOption({ index: 1 })
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  assert.equal(await page.evaluate('globalThis.hacked'), undefined)
  assert.equal(await page.locator('img, script:not([src])').count(), 0)
  assert.deepEqual(complaints, [])
  await page.context().close()
})

test('the graph is gone through by keys: down, into the tree, details and back', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openPanel('shop')
  await page.getByRole('treeitem', { name: /^Application/ }).focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await focused(page), 'ConfigMap, shop, Synced')
  await page.keyboard.press('ArrowDown')
  assert.match(await focused(page), /^Service, shop, OutOfSync/)
  await page.keyboard.press('Enter')
  await page.locator('pl-details').getByRole('heading', { name: 'Service shop/shop' }).waitFor()
  await page.getByText('label team=night is in the cluster, not in Git').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('pl-details').waitFor({ state: 'detached' })
  await page.context().close()
})

test('the graph is dragged, zoomed with the wheel, and fitted, without choosing anything', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openPanel('waves')
  const node = page.getByRole('treeitem', { name: /^Deployment, database/ })
  const before = await node.boundingBox()
  await page.mouse.move(before?.x ?? 0, (before?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.move((before?.x ?? 0) - 80, (before?.y ?? 0) + 70, { steps: 5 })
  await page.mouse.up()
  const moved = await node.boundingBox()
  assert.deepEqual([moved?.x, moved?.y], [(before?.x ?? 0) - 80, (before?.y ?? 0) + 60])
  assert.equal(await page.locator('pl-details').count(), 0)
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, 200)
  await page.keyboard.up('Control')
  await page.waitForTimeout(100)
  assert.ok(((await node.boundingBox())?.width ?? 0) < (before?.width ?? 0) * 0.6)
  await page.getByRole('button', { name: 'Fit the graph into the window' }).click()
  assert.ok(((await node.boundingBox())?.width ?? 0) > (before?.width ?? 0) * 0.7)
  await page.context().close()
})

test('a search and a state narrow the graph, and counts stand on the chips', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openPanel('shop')
  await page.getByRole('button', { name: 'OutOfSync 2' }).click()
  assert.equal(await page.getByRole('treeitem').count(), 3)
  await page.getByRole('button', { name: 'OutOfSync 2' }).click()
  await page.getByLabel('Find an object').fill('no such thing')
  await page.getByText('Nothing matches this filter.').waitFor()
  await page.context().close()
})

test('the difference has blame beside its lines, and a field can be ignored', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openPanel('shop', { tab: 'diff' }, undefined, asked)
  await page.getByRole('option', { name: /Deployment shop/ }).click()
  await page
    .getByRole('cell', { name: /kubectl-edit/ })
    .first()
    .waitFor()
  await page.getByText('env DEBUG=1 is in the cluster, not in Git').waitFor()
  await page.getByRole('button', { name: 'Ignore replicas' }).click()
  await page.getByText('replicas is ignored by apps/shop.yaml:20').waitFor()
  assert.deepEqual(asked, [
    [
      'ignore',
      {
        application: 'shop',
        id: { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'shop' },
        path: '/spec/replicas',
      },
    ],
  ])
  await page.context().close()
})

test('a look that failed is told over what was known before, until the next one', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page, front } = await openPanel('shop')
  await page.getByRole('treeitem').first().waitFor()
  front.tell({ kind: 'failed', application: 'shop', message: 'the cluster does not answer: ECONNREFUSED.' })
  await page.getByText('the cluster does not answer: ECONNREFUSED. What is shown is from before.').waitFor()
  assert.ok((await page.getByRole('treeitem').count()) > 5)
  front.tell({ kind: 'snapshot', snapshot: snapshotOf('shop'), local: true })
  await page.getByText('What is shown is from before').waitFor({ state: 'detached' })
  await page.context().close()
})

test('what was shown is shown again after a reload', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openPanel('shop')
  await page.getByRole('tab', { name: 'Diff' }).click()
  await page.getByRole('option', { name: /Deployment shop/ }).click()
  await page.reload()
  await page.getByRole('tab', { name: 'Diff', selected: true }).waitFor()
  await page.getByRole('heading', { name: 'Deployment shop/shop' }).waitFor()
  await page.context().close()
})

test('a log is filtered by what its lines say of themselves', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openPanel('shop', { tab: 'events' })
  await page.getByText('BackOff', { exact: true }).waitFor()
  await page.getByLabel('Level').selectOption('warning')
  assert.equal(await page.getByText('Scheduled', { exact: true }).count(), 0)
  await page.getByLabel('What to show').selectOption({ index: 1 })
  await page.getByText('slow answer from the database').waitFor()
  assert.equal(await page.getByText('GET / 200').count(), 0)
  await page.context().close()
})

async function openPanel(
  application: string,
  more: Partial<UiPageOptions> = {},
  snapshot = snapshotOf(application),
  asked: unknown[] = [],
): Promise<UiPage> {
  if (ui === undefined) throw new Error('no browser was started')
  return ui.open({ bundle: 'panel', application, answers: panelFront(snapshot, asked), ...more })
}

/** What a screen reader says of the element that has the focus, through all shadow roots. */
async function focused(page: UiPage['page']): Promise<string> {
  await page.waitForTimeout(50)
  return page.evaluate<string>(`(() => {
    let at = document.activeElement
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
    return at?.getAttribute('aria-label') ?? ''
  })()`)
}

/** The snapshot with script wherever a person or a server may write words. */
function hostile(snapshot: ApplicationSnapshot): ApplicationSnapshot {
  const resources = snapshot.resources.map((resource) => ({
    ...resource,
    id: { ...resource.id, name: HOSTILE },
    health: { status: 'Degraded' as const, message: HOSTILE },
    drift: { ...resource.drift, id: { ...resource.id, name: HOSTILE } },
  }))
  const revision =
    snapshot.revision === undefined ? {} : { revision: { ...snapshot.revision, subject: HOSTILE, author: HOSTILE } }
  const application = { ...snapshot.application, project: HOSTILE }
  const conditions = [{ type: 'SyncError', message: HOSTILE, lastTransitionTime: snapshot.observedAt }]
  return { ...snapshot, ...revision, application, resources, conditions }
}
