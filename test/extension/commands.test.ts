import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { makeTourRepository } from '../../shared/session/tour-repository.ts'
import { startWorkbench, treeRow, workbenchIsMissing, type Workbench } from '../support/workbench.ts'

const root = path.resolve(import.meta.dirname, '../..')

type Manifest = {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[]
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] }
  }
}

/** These end what the others stand on, or are driven through by the test of drift. */
const APART: ReadonlySet<string> = new Set(['plumbline.restartAgent', 'plumbline.syncApplication'])

test('every command can be run from the palette and fails for nobody', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const { folder } = await makeTourRepository(path.join(root, 'examples', 'tour'), path.join(home, 'gitops'))
  const settings = { 'plumbline.productionContexts': ['embedded'] }
  const workbench = await startWorkbench(t, { workspace: folder, trusted: true, settings })
  const { page } = workbench
  await workbench.open('Plumbline')
  await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 60_000 })

  await t.test('a production context asks for its name before a sync', async () => {
    await workbench.command('Plumbline: Sync…')
    await item(workbench, 'shop').click()
    await item(workbench, 'Sync 4 resources on embedded').click()
    const input = page.locator('.quick-input-widget', { hasText: 'production context' })
    await input.waitFor({ timeout: 30_000 })
    await workbench.picture('vscode-11-production')
    await page.keyboard.type('embeded')
    await page.keyboard.press('Enter')
    await input.waitFor({ state: 'hidden' })
    await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor()

    await workbench.command('Plumbline: Sync…')
    await item(workbench, 'shop').click()
    await item(workbench, 'Sync 4 resources on embedded').click()
    await input.waitFor({ timeout: 30_000 })
    await page.keyboard.type('embedded')
    await page.keyboard.press('Enter')
    await treeRow(page, 'shop').filter({ hasText: 'Synced' }).waitFor({ timeout: 60_000 })
  })

  const { contributes } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest
  const texts = JSON.parse(await readFile(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>
  const hidden = new Set(contributes.menus.commandPalette.map(({ command }) => command))
  for (const { command, title } of contributes.commands) {
    if (hidden.has(command) || APART.has(command)) continue
    await t.test(`${command} runs`, async () => {
      await workbench.command(`Plumbline: ${texts[title.slice(1, -1)]}`)
      await page.waitForTimeout(700)
      const failure = page.locator('.notification-toast', { hasText: 'Plumbline:' })
      assert.equal(await failure.count(), 0, `${command}: ${(await failure.allTextContents()).join(' ')}`)
      for (let times = 0; times < 3; times += 1) await page.keyboard.press('Escape')
    })
  }

  await t.test('a restarted agent shows everything again', async () => {
    const note = path.join(workbench.home, 's', 'plumbline', 'embedded', 'running.json')
    const before = await readFile(note, 'utf8')
    await workbench.command('Plumbline: Restart Agent')
    // The agent runs the embedded cluster: another one has another process.
    for (const end = Date.now() + 60_000; Date.now() < end;) {
      const now = await readFile(note, 'utf8').catch(() => before)
      if (now !== before) break
      await page.waitForTimeout(100)
    }
    assert.notEqual(await readFile(note, 'utf8'), before)
    await workbench.open('Plumbline')
    await treeRow(page, 'shop').filter({ hasText: 'Synced' }).waitFor({ timeout: 60_000 })
  })
})

function item({ page }: Workbench, words: string): ReturnType<Workbench['page']['locator']> {
  return page.locator('.quick-input-list .monaco-list-row').filter({ hasText: words }).first()
}
