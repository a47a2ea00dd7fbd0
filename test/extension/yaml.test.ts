import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { makeTourRepository } from '../../shared/session/tour-repository.ts'
import { makeSteps, startWorkbench, workbenchIsMissing } from '../support/workbench.ts'

const examples = path.resolve(import.meta.dirname, '../../examples/tour')

test("Argo CD's own files are helped with", async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const { folder } = await makeTourRepository(examples, path.join(home, 'gitops'))
  const workbench = await startWorkbench(t, { workspace: folder, trusted: true })
  const { page } = workbench
  const step = makeSteps(t, workbench)

  await step('a field that there is not is told, with the one that is meant', async () => {
    await workbench.openFile('apps/shop.yaml')
    const line = page.locator('.monaco-editor .view-line').filter({ hasText: 'syncPolicy' }).first()
    await line.waitFor({ timeout: 60_000 })
    await line.click({ position: { x: 40, y: 8 } })
    await page.keyboard.press('Home')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('e')
    await workbench.command('View: Focus Problems')
    const problem = page.locator('.markers-panel .monaco-list-row').filter({ hasText: 'syncPolice is no field here' })
    await problem.first().waitFor({ timeout: 60_000 })
    assert.match(await problem.first().innerText(), /is syncPolicy meant\?/)
    await line.click({ position: { x: 40, y: 8 } }).catch(() => undefined)
  })

  await step('keys are offered with what they mean', async () => {
    await page.locator('.monaco-editor .view-line').filter({ hasText: 'CreateNamespace' }).first().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('  revision')
    await page.keyboard.press('Control+Space')
    const offer = page.locator('.suggest-widget .monaco-list-row').filter({ hasText: 'revisionHistoryLimit' })
    await offer.first().waitFor({ timeout: 60_000 })
    await workbench.picture('vscode-17-completion')
  })
})
