import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { makeTourRepository } from '../../shared/session/tour-repository.ts'
import { connectCluster } from '../../shared/kube/cluster.ts'
import { startWorkbench, treeRow, workbenchIsMissing, type Workbench } from '../support/workbench.ts'

const examples = path.resolve(import.meta.dirname, '../../examples/tour')

test('drift is shown where it is written, and brought back from there', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const { folder } = await makeTourRepository(examples, path.join(home, 'gitops'))
  const workbench = await startWorkbench(t, { workspace: folder, trusted: true })
  const { page } = workbench
  t.after(() => {
    if (process.env['PLUMBLINE_SHOW_LOG']) console.error(workbench.log())
  })

  let failed = false
  // Each step stands on the one before it.
  const step = async (name: string, work: () => Promise<void>): Promise<void> => {
    await t.test(name, async (own) => {
      if (failed) return own.skip('skipped: an earlier step failed')
      failed = true
      try {
        await work()
      } catch (error) {
        await workbench.picture('failed')
        throw error
      }
      failed = false
    })
  }

  await step('the applications are in the tree with what is known of them', async () => {
    await workbench.open('Plumbline')
    await treeRow(page, 'shop').waitFor({ timeout: 120_000 })
    await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 120_000 })
    await workbench.picture('vscode-1-applications')
  })

  await step('a sync by command shows its plan, is confirmed, and turns the tree green', async () => {
    await syncFromPalette(workbench, 'shop')
    await treeRow(page, 'shop')
      .filter({ hasText: /Synced · (Healthy|Progressing)/ })
      .waitFor({ timeout: 120_000 })
    await treeRow(page, 'shop').filter({ hasText: 'Synced · Healthy' }).waitFor({ timeout: 120_000 })
    await treeRow(page, 'shop').click()
    await page.keyboard.press('ArrowRight')
    await treeRow(page, 'Deployment shop').click()
    await page.keyboard.press('ArrowRight')
    await page.locator('.pane-body .monaco-list-row').filter({ hasText: 'ReplicaSet' }).first().waitFor()
    await lens(page, '✓ Synced')
    await workbench.picture('vscode-3-synced')
  })

  await step('a hand edit is marked on its line, in Problems and in the explorer', async () => {
    await treeRow(page, 'Deployment shop').click()
    await page.locator('.tab.active', { hasText: 'deployment.yaml' }).waitFor()
    await workbench.command('View: Keep Editor')
    await editByHand(workbench, 5)
    await page.locator('.monaco-editor .squiggly-warning').first().waitFor({ timeout: 60_000 })
    await workbench.command('View: Focus Problems')
    const problem = page
      .locator('.markers-panel .monaco-list-row')
      .filter({ hasText: 'replicas is 5 in the cluster, Git says 2' })
    await problem.waitFor()
    const text = (await problem.textContent()) ?? ''
    assert.match(text, /kubectl-edit/)
    assert.match(text, /Ln 8, Col 3/)
    await workbench.open('Explorer')
    await page.locator('.explorer-folders-view .monaco-list-row').filter({ hasText: 'deployment.yaml' }).waitFor()
    await lens(page, '⚠ 1 drifted')
    await workbench.picture('vscode-4-drift')
  })

  await step('the hover tells both values, who and when', async () => {
    await page.keyboard.press('Escape')
    await page
      .locator('.monaco-editor .view-line')
      .filter({ hasText: 'replicas' })
      .first()
      .hover({ position: { x: 50, y: 8 } })
    const hover = page.locator('.monaco-hover').filter({ hasText: 'Sync this resource' }).first()
    await hover.waitFor({ timeout: 60_000 })
    assert.match((await hover.textContent()) ?? '', /kubectl-edit/)
    await workbench.picture('vscode-5-hover')
  })

  await step('the difference opens in the native diff editor', async () => {
    await page.keyboard.press('Escape')
    await page.locator('.codelens-decoration a', { hasText: 'Diff' }).first().click()
    await page.locator('.monaco-diff-editor').first().waitFor({ timeout: 60_000 })
    await page
      .locator('.monaco-diff-editor .view-line')
      .filter({ hasText: 'replicas: 5' })
      .first()
      .waitFor({ timeout: 60_000 })
    await workbench.picture('vscode-6-diff')
    await workbench.command('View: Close Editor')
  })

  await step('a quick fix on the line syncs the resource, and the warning goes', async () => {
    await page
      .locator('.monaco-editor .view-line')
      .filter({ hasText: 'replicas' })
      .first()
      .click({ position: { x: 40, y: 8 } })
    await page.keyboard.press('Control+.')
    await page
      .locator('.action-widget .monaco-list-row')
      .filter({ hasText: 'Sync Deployment shop' })
      .first()
      .waitFor({ timeout: 60_000 })
    await workbench.picture('vscode-7-quick-fixes')
    await page.locator('.action-widget .monaco-list-row').filter({ hasText: 'Sync Deployment shop' }).first().click()
    await confirm(page, 'Sync 1 resource on embedded')
    await page.locator('.monaco-editor .squiggly-warning').first().waitFor({ state: 'detached', timeout: 60_000 })
    await workbench.open('Plumbline')
    await treeRow(page, 'shop').filter({ hasText: 'Synced' }).waitFor({ timeout: 60_000 })
    await lens(page, '✓ Synced')
    await page.locator('.notification-toast').first().waitFor({ state: 'detached', timeout: 60_000 })
    await workbench.picture('vscode-8-healed')
  })
})

/** The editor itself asks for lenses less often the slower the machine is. */
async function lens(page: Page, words: string): Promise<void> {
  await page.locator('.codelens-decoration', { hasText: words }).first().waitFor({ timeout: 90_000 })
}

async function syncFromPalette(workbench: Workbench, application: string): Promise<void> {
  const { page } = workbench
  await workbench.command('Plumbline: Sync…')
  const item = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: application }).first()
  await item.waitFor()
  await item.click()
  await page
    .locator('.quick-input-list .monaco-list-row')
    .filter({ hasText: 'on embedded' })
    .first()
    .waitFor({ timeout: 60_000 })
  await workbench.picture('vscode-2-plan')
  await confirm(page, 'on embedded')
}

async function confirm(page: Page, words: string): Promise<void> {
  const item = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first()
  await item.waitFor({ timeout: 60_000 })
  await item.click()
}

async function editByHand({ home }: Workbench, replicas: number): Promise<void> {
  const cluster = await connectCluster({
    kubeconfig: path.join(home, 's', 'plumbline', 'embedded', 'kubeconfig'),
    watch: false,
  })
  try {
    const contentType = 'application/merge-patch+json'
    const at = '/apis/apps/v1/namespaces/shop/deployments/shop?fieldManager=kubectl-edit'
    await cluster.send({ method: 'PATCH', path: at, body: JSON.stringify({ spec: { replicas } }), contentType }, {})
  } finally {
    await cluster.dispose()
  }
}
