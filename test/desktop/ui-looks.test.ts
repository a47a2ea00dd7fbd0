import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { snapshotWith, summariesOf } from '../support/ui/fixtures.ts'
import { longestTask } from '../support/ui/longest-task.ts'
import { panelFront } from '../support/ui/panel-front.ts'
import { chromiumIsMissing, startUi, type UiPage } from '../support/ui/ui-page.ts'
import { windowFront } from '../support/ui/window-front.ts'

const missing = chromiumIsMissing()
let ui: Awaited<ReturnType<typeof startUi>> | undefined
before(async () => {
  if (missing === undefined) ui = await startUi()
})
after(async () => ui?.close())

const PAGES = [
  '#/applications',
  '#/applications/shop-0002/graph',
  '#/applications/shop-0002/diff',
  '#/applications/shop-0002/timeline',
  '#/applications/shop-0002/history',
  '#/applications/shop-0002/events',
  '#/clusters',
  '#/clusters/new',
  '#/contexts',
  '#/rehearsals',
  '#/rehearsals/r1',
  '#/repositories',
  '#/keys',
  '#/settings',
  '#/first-run',
]

test('nothing is cut off at 320 pixels, nor at 1920', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  for (const width of [320, 1920]) {
    const { page } = await openWindow(PAGES[0] ?? '', { viewport: { width, height: 800 } })
    for (const hash of PAGES) {
      await go(page, hash)
      assert.deepEqual(await page.evaluate<string[]>(WIDER_THAN_ROOM), [], `${hash} at ${width}`)
    }
    await page.context().close()
  }
})

test('everything that can be used has a name, and every field its label', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openWindow(PAGES[0] ?? '')
  for (const hash of PAGES) {
    await go(page, hash)
    assert.deepEqual(await page.evaluate<string[]>(NAMELESS), [], hash)
  }
  await page.context().close()
})

test('words stand out from what is behind them, light and dark', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openWindow(PAGES[0] ?? '', { colorScheme })
    for (const hash of PAGES) {
      await go(page, hash)
      assert.deepEqual(await page.evaluate<string[]>(FAINT), [], `${hash}, ${colorScheme}`)
    }
    await page.context().close()
  }
})

test('in forced colours each mark keeps its word, and what is chosen its frame', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openWindow('#/applications', { forcedColors: 'active' })
  await page.getByText('OutOfSync', { exact: true }).first().waitFor()
  const [chosen, plain] = await page.evaluate<string[]>(`(() => {
    const links = document.querySelector('pl-window').shadowRoot.querySelectorAll('.side a')
    return [links[0], links[5]].map((link) => getComputedStyle(link).backgroundColor)
  })()`)
  assert.notEqual(chosen, plain)
  await page.context().close()
})

test('the whole window is gone through with Tab, and the focus is seen', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openWindow('#/applications')
  await page.getByRole('link', { name: 'board-0000' }).waitFor()
  const reached = new Set<string>()
  for (let n = 0; n < 40; n += 1) {
    await page.keyboard.press('Tab')
    const { name, outlined } = await page.evaluate<{ name: string; outlined: boolean }>(FOCUSED)
    assert.ok(outlined, `nothing shows that ${name} has the focus`)
    reached.add(name)
  }
  for (const name of ['Applications', 'Settings', 'Filter', 'New application', 'Select board-0000', 'board-0000'])
    assert.ok(reached.has(name), `${name} is not reached: ${[...reached].join(', ')}`)
  await page.context().close()
})

test('500 nodes with long names are drawn at once, and move without a long task', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  if (ui === undefined) throw new Error('no browser was started')
  const { page } = await ui.open({ bundle: 'panel', application: 'shop', answers: panelFront(snapshotWith(500)) })
  await page.getByRole('treeitem').first().waitFor()
  const closed = page.getByRole('treeitem', { expanded: false })
  for (let left = await closed.count(); left > 0; left = await closed.count()) {
    await closed.first().dispatchEvent('click')
    await page.waitForTimeout(50)
  }
  const nodes = await page.getByRole('treeitem').count()
  assert.ok(nodes > 300, `${nodes} nodes`)
  await page.mouse.move(600, 500)
  await page.waitForTimeout(500)
  const longest = await longestTask(page, async () => {
    for (let n = 0; n < 60; n += 1) await page.mouse.wheel(0, n % 2 === 0 ? 140 : -60)
    await page.keyboard.down('Control')
    for (let n = 0; n < 20; n += 1) await page.mouse.wheel(0, n < 10 ? -30 : 30)
    await page.keyboard.up('Control')
    await page.waitForTimeout(300)
  })
  assert.ok(longest < 50, `a task of ${longest} ms`)
  await page.context().close()
})

test('of 5,000 nodes those near the window are drawn, and keys reach the last one', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  if (ui === undefined) throw new Error('no browser was started')
  const { page } = await ui.open({ bundle: 'panel', application: 'shop', answers: panelFront(snapshotWith(5000)) })
  await page.getByRole('treeitem').first().waitFor()
  await page
    .getByRole('treeitem', { name: /^\d+ Deployments/ })
    .first()
    .dispatchEvent('click')
  await page.waitForTimeout(500)
  assert.ok((await page.getByRole('treeitem').count()) < 400)
  await page.getByRole('treeitem', { name: /^Application/ }).focus()
  await page.keyboard.press('End')
  await page.waitForTimeout(300)
  const { name, outlined } = await page.evaluate<{ name: string; outlined: boolean }>(FOCUSED)
  assert.ok(outlined && name !== '' && !name.startsWith('Application'), name)
  await page.keyboard.press('Home')
  await page.waitForTimeout(300)
  assert.match((await page.evaluate<{ name: string }>(FOCUSED)).name, /^Application/)
  await page.context().close()
})

async function openWindow(hash: string, browser: BrowserContextOptions = {}): Promise<UiPage> {
  if (ui === undefined) throw new Error('no browser was started')
  const opened = await ui.open({
    bundle: 'window',
    hash,
    browser,
    answers: windowFront({ applications: summariesOf(8) }),
  })
  await opened.page.locator('pl-window').getByText('Applications').first().waitFor({ state: 'attached' })
  return opened
}

async function go(page: UiPage['page'], hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  await page.waitForTimeout(250)
}

/** All elements of the page that are shown, through shadow roots. */
const SHOWN = `
  const shown = []
  const visit = (root) => {
    for (const element of root.querySelectorAll('*')) {
      if (element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) shown.push(element)
      if (element.shadowRoot) visit(element.shadowRoot)
    }
  }
  visit(document)
  const words = (element) => element.localName + '.' + element.className + ' ' + (element.textContent ?? '').trim().slice(0, 40)
`

const NAMELESS = `(() => {
  ${SHOWN}
  const named = (element) =>
    (element.getAttribute('aria-label') ?? '').trim() !== '' ||
    (element.textContent ?? '').trim() !== '' ||
    (element.getAttribute('title') ?? '').trim() !== '' ||
    [...(element.labels ?? [])].some((label) => (label.textContent ?? '').trim() !== '')
  return shown.filter((element) => element.matches('button, a, input, select, textarea, [role=treeitem], [role=tab]') && !named(element)).map(words)
})()`

/** What is wider than its room and does not scroll. A graph is panned, a table cell is cut with three dots on purpose. */
const WIDER_THAN_ROOM = `(() => {
  ${SHOWN}
  const wide = document.documentElement.clientWidth
  const panned = (element) => {
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      if (at.matches?.('.stage, .cut, .visually-hidden, .hunks, .tabs, pre')) return true
    }
    return false
  }
  const out = shown.filter((element) => element.getBoundingClientRect().right > wide + 1 && !panned(element)).map(words)
  return document.documentElement.scrollWidth > wide ? ['the page itself', ...out] : out
})()`

/** Text whose contrast with its background is under 4.5 to 1; large or disabled text is left out. */
const FAINT = `(() => {
  ${SHOWN}
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = colour
    canvas.fillRect(0, 0, 1, 1)
    return canvas.getImageData(0, 0, 1, 1).data
  }
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      const colour = rgba(getComputedStyle(at).backgroundColor)
      if (colour[3] > 250) return colour
    }
    return [255, 255, 255]
  }
  const faint = []
  for (const element of shown) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '')) continue
    if (element.closest(':disabled, .visually-hidden') || getComputedStyle(element).opacity !== '1') continue
    const [one, other] = [light(rgba(getComputedStyle(element).color)), light(behind(element))]
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (ratio < 4.5) faint.push(ratio.toFixed(2) + ' ' + words(element))
  }
  return [...new Set(faint)]
})()`

const FOCUSED = `(() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  const style = getComputedStyle(at)
  const name = (at.getAttribute('aria-label') ?? at.textContent ?? '').trim().replace(/\\s+/g, ' ')
  return { name: name.replace(/ \\d+$/, ''), outlined: at === document.body || style.outlineStyle !== 'none' }
})()`
