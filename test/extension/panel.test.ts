import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { makeTourRepository } from '../../shared/session/tour-repository.ts'
import { makeSteps, panelFrame, pickItem, startWorkbench, treeRow, workbenchIsMissing } from '../support/workbench.ts'

const examples = path.resolve(import.meta.dirname, '../../examples/tour')

test('the panel of an application and the edit that is being written', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const { folder } = await makeTourRepository(examples, path.join(home, 'gitops'))
  const workbench = await startWorkbench(t, { workspace: folder, trusted: true })
  const { page } = workbench
  const step = makeSteps(t, workbench)

  await step('it shows the graph of what is missing', async () => {
    await workbench.open('Plumbline')
    await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 60_000 })
    await workbench.command('Plumbline: Open Application')
    await pickItem(page, 'shop')
    const panel = await panelFrame(page)
    await panel.getByText('Missing, a sync creates it').first().waitFor({ timeout: 60_000 })
    await workbench.picture('vscode-12-panel')
  })

  await step('a sync from the panel is drawn step by step on the timeline', async () => {
    const panel = await panelFrame(page)
    await panel.getByRole('button', { name: /^Sync/ }).first().click()
    await panel.getByRole('button', { name: /^Sync 4/ }).click()
    await panel.getByRole('tab', { name: 'Timeline' }).click()
    await panel.getByText('Deployment', { exact: false }).first().waitFor({ timeout: 60_000 })
    await treeRow(page, 'shop').filter({ hasText: 'Synced · Healthy' }).waitFor({ timeout: 60_000 })
    await workbench.picture('vscode-13-timeline')
    await panel.getByRole('tab', { name: 'History' }).click()
    await panel.getByText('Put up a notice board').first().waitFor({ timeout: 60_000 })
    await panel.getByRole('tab', { name: 'Graph' }).click()
    await panel.getByText('ReplicaSet').first().waitFor({ timeout: 60_000 })
    await workbench.picture('vscode-14-graph')
  })

  await step('it is back with what it showed after a reload of the window', async () => {
    await page.reload({ waitUntil: 'domcontentloaded' })
    await page.waitForSelector('.monaco-workbench', { timeout: 120_000 })
    const panel = await panelFrame(page)
    await panel.getByText('Succeeded: created 4').first().waitFor({ timeout: 60_000 })
    await panel.getByRole('tab', { name: 'Graph' }).click()
    await panel.getByText('ReplicaSet').first().waitFor({ timeout: 60_000 })
  })

  await step('an edit that is not saved says what a sync of it would change, and moves with the text', async () => {
    await workbench.open('Plumbline')
    await treeRow(page, 'shop').filter({ hasText: 'Synced' }).waitFor({ timeout: 60_000 })
    await workbench.openFile('shop/deployment.yaml')
    const line = page.locator('.monaco-editor .view-line').filter({ hasText: 'replicas' }).first()
    await line.click({ position: { x: 60, y: 8 } })
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('7')
    await page.locator('.monaco-editor .squiggly-info').first().waitFor({ timeout: 60_000 })
    await workbench.command('View: Focus Problems')
    const problem = page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'a sync of this edit would' })
    await problem.first().waitFor({ timeout: 60_000 })
    assert.match((await problem.first().innerText()) ?? '', /change replicas 2 -> 7/)
    await workbench.picture('vscode-15-edit')
    await line.click({ position: { x: 60, y: 8 } })
    await page.keyboard.press('End')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('2')
    await problem.first().waitFor({ state: 'detached', timeout: 60_000 })
  })

  await step('a rehearsal runs on a copy, and reports what the sync would come to', async () => {
    await workbench.command('Plumbline: Rehearse…')
    await pickItem(page, 'board')
    await pickItem(page, 'The embedded cluster')
    await page.locator('.tab.active', { hasText: 'Preview' }).waitFor({ timeout: 120_000 })
    await page.locator('.notification-toast', { hasText: 'board:' }).first().waitFor({ timeout: 60_000 })
    await untilShown(page, 'create 4')
    await workbench.picture('vscode-18-rehearsal')
    // The real cluster has nothing of it.
    await workbench.open('Plumbline')
    await treeRow(page, 'board').filter({ hasText: '4 missing' }).waitFor({ timeout: 60_000 })
  })
})

/** Waits until a page within the page says something; extensions that draw one start when they are asked to. */
async function untilShown(page: Page, words: string): Promise<void> {
  const says = async (frame: Frame): Promise<boolean> =>
    (
      await frame
        .locator('body')
        .innerText({ timeout: 1000 })
        .catch(() => '')
    ).includes(words)
  for (const end = Date.now() + 120_000; Date.now() < end; await page.waitForTimeout(250)) {
    const said = await Promise.all(
      page
        .frames()
        .filter((frame) => frame !== page.mainFrame())
        .map(says),
    )
    if (said.includes(true)) return
  }
  throw new Error(`nothing says ${words}`)
}
