import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { recorded, snapshotOf } from '../support/ui/fixtures.ts'
import { panelFront } from '../support/ui/panel-front.ts'
import { chromiumIsMissing, startUi, type UiPage, type UiPageOptions } from '../support/ui/ui-page.ts'

const missing = chromiumIsMissing()
let ui: Awaited<ReturnType<typeof startUi>> | undefined
before(async () => {
  if (missing === undefined) ui = await startUi()
})
after(async () => ui?.close())

test('a sync shows its plan first, asks anew for another choice, and wants the name of a production context', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const choices: unknown[] = []
  const answers = panelFront(snapshotOf('shop'), asked)
  const { plan } = recorded()
  const page = await open({
    answers: {
      ...answers,
      'application/plan': async ({ prune }) => {
        choices.push(prune)
        return { plan, context: 'prod-eu', production: true }
      },
    },
  })
  await page.getByRole('button', { name: 'Sync', exact: true }).click()
  const confirm = page.getByRole('button', { name: /^Sync 2 resources on prod-eu/ })
  await confirm.waitFor()
  await page.getByRole('checkbox', { name: /^Prune/ }).check()
  await confirm.waitFor()
  assert.deepEqual(choices, [false, true])
  assert.equal(await confirm.isDisabled(), true)
  await page.getByLabel(/is production/).fill('prod-eu')
  await confirm.click()
  await page.getByText(/^Sync of shop: Succeeded/).waitFor()
  assert.deepEqual(asked, [['sync', { application: 'shop', prune: true, typedName: 'prod-eu' }]])
  await page.context().close()
})

test('what is pruned is named by itself, and one step can be left out', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { plan } = recorded()
  const [first, second] = plan.steps.filter(({ action }) => action === 'update')
  assert.ok(first !== undefined && second !== undefined)
  const steps = [{ ...first, action: 'prune' as const, id: { ...first.id, name: 'old-token' } }, second]
  const page = await open({
    answers: {
      ...panelFront(snapshotOf('shop'), asked),
      'application/plan': async () => ({ plan: { ...plan, steps }, context: 'embedded', production: false }),
    },
  })
  await page.getByRole('button', { name: 'Sync', exact: true }).click()
  await page.getByText('1 object is deleted: Service old-token').waitFor()
  await page.getByRole('checkbox', { name: 'Sync Service old-token' }).uncheck()
  await page.getByText('1 object is deleted').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sync 1 resource on embedded' }).click()
  await page.getByText(/^Sync of shop: Succeeded/).waitFor()
  assert.deepEqual(asked, [['sync', { application: 'shop', prune: false, only: ['apps|Deployment|shop|shop'] }]])
  await page.context().close()
})

test('a running sync is followed: header, now-line, bars, and its end', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page, front } = await openPanel('waves', { tab: 'timeline' })
  const { events } = recorded()
  const shift = Date.now() - Date.parse(events[0]?.at ?? '')
  const tell = (from: number, to: number): void => {
    for (const { at, event } of events.slice(from, to))
      front.tell({ kind: 'sync', application: 'waves', event, at: new Date(Date.parse(at) + shift).toISOString() })
  }
  await page.getByText('Nobody watched this sync').waitFor()
  tell(0, 9)
  await page.getByText('Syncing 1/6, wave 1 of 5, waits for the PreSync hook Job waves/migrate to end').waitFor()
  await page.locator('pl-timeline .now').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Terminate' }).waitFor()
  tell(9, events.length)
  await page.getByRole('button', { name: 'Sync', exact: true }).waitFor()
  assert.equal(await page.locator('pl-timeline .now').count(), 0)
  assert.equal(await page.locator('pl-timeline .bar.hook').count(), 2)
  assert.deepEqual(
    await page.locator('pl-timeline section').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ['PreSync', 'wave 0', 'wave 1', 'wave 2', 'PostSync'],
  )
  await page.context().close()
})

test('a rehearsal is shown with what it means, and plays', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openPanel('waves', {}, undefined, asked)
  await page.getByRole('button', { name: 'Rehearse' }).click()
  await page.getByText('Break something on the way').click()
  await page.getByRole('checkbox', { name: 'a hook fails' }).check()
  await page.locator('pl-rehearse-dialog').getByRole('button', { name: 'Rehearse' }).click()
  await page.getByText('Passed').waitFor()
  await page.getByText('the webhook policy.example.com was not called').waitFor()
  await page.getByRole('button', { name: 'Play' }).click()
  await page.locator('pl-timeline .now').first().waitFor({ state: 'attached' })
  assert.deepEqual(asked[0], [
    'rehearse',
    { application: 'waves', on: 'embedded', prune: true, inject: [{ kind: 'hook-fails', on: '' }] },
  ])
  await page.context().close()
})

test('a rehearsal under way tells its steps as they come, and can be cancelled', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  let ended = false
  const page = await open({
    answers: {
      ...panelFront(snapshotOf('shop')),
      'application/rehearse': async (_, { part, signal }) => {
        const id = { group: '', kind: 'Service', namespace: 'shop', name: 'shop' }
        part({ id, stage: 'wave 0', startMs: 0, endMs: 20, result: 'changed', message: '', hook: false })
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        ended = true
        throw new Error('cancelled')
      },
    },
  })
  await page.getByRole('button', { name: 'Rehearse' }).click()
  await page.locator('pl-rehearse-dialog').getByRole('button', { name: 'Rehearse' }).click()
  await page.getByText(/^Rehearsing on embedded: 1 step/).waitFor()
  await page.locator('pl-timeline').getByText('Service shop').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Nobody watched this sync').waitFor()
  assert.equal(ended, true)
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

async function open(more: Pick<UiPageOptions, 'answers'>): Promise<UiPage['page']> {
  if (ui === undefined) throw new Error('no browser was started')
  return (await ui.open({ bundle: 'panel', application: 'shop', ...more })).page
}
