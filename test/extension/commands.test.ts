import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { makeTourRepository } from '../../shared/session/tour-repository.ts'
import { askProbe } from '../support/workbench-probe.ts'
import { pickItem, startWorkbench, treeRow, workbenchIsMissing, type Workbench } from '../support/workbench.ts'

const root = path.resolve(import.meta.dirname, '../..')

type Manifest = {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[]
    readonly menus: { readonly commandPalette: readonly { readonly command: string; readonly when: string }[] }
  }
}

const asks = (words: string) => (page: Page) =>
  page.locator('.quick-input-widget').filter({ has: page.locator(`input[placeholder^="${words}"]`) })
const prompts = (words: string) => (page: Page) => page.locator('.quick-input-widget').filter({ hasText: words })
const tells = (words: string) => (page: Page) => page.locator('.notification-toast').filter({ hasText: words })
const either =
  (one: (page: Page) => Locator, other: (page: Page) => Locator) =>
  (page: Page): Locator =>
    one(page).or(other(page))
const noCluster = tells('There is no cluster that could be.')

/** What a person sees when a command was run. The commands that end what the others stand on are tested apart. */
const EFFECTS: Readonly<Record<string, (page: Page) => Locator>> = {
  openPanel: asks('Which application is to be shown?'),
  syncApplication: asks('Which application is to be synced?'),
  syncResource: asks('Which resource is to be synced?'),
  syncSelected: either(asks('Of which application are resources'), prompts('Sync ')),
  dryRun: asks('Of which application is the plan to be shown?'),
  rehearse: asks('Which application is to be rehearsed?'),
  rollback: asks('Which application is to be rolled back?'),
  terminate: asks('Whose sync is to be terminated?'),
  diffApplication: asks('Of which application is the difference'),
  diffResource: asks('Of which resource is the difference'),
  deleteResource: asks('Which object is to be deleted'),
  showPodLogs: asks('The log of which pod'),
  refresh: (page) => treeRow(page, 'shop').filter({ hasText: 'Synced' }),
  hardRefresh: (page) => treeRow(page, 'shop').filter({ hasText: 'Synced' }),
  openManifest: asks('Which manifest is to be opened?'),
  openLive: asks('Which live object is to be opened?'),
  copyKubectl: asks('For which object?'),
  ignoreField: asks('Of which resource is a field'),
  showHistory: asks('Whose history is to be shown?'),
  filter: prompts('Filter applications'),
  groupBy: asks('How are applications grouped?'),
  switchContext: asks('Which context is to be acted on?'),
  startEmbedded: (page) => page.locator('.statusbar-item', { hasText: 'the embedded cluster runs' }),
  createCluster: asks('Who is to make it?'),
  startCluster: either(noCluster, asks('Which cluster is to be started?')),
  stopCluster: either(noCluster, asks('Which cluster is to be stopped?')),
  deleteCluster: either(noCluster, asks('Which cluster is to be deleted?')),
  createApplication: prompts('Create an application from a folder'),
  verifyCommit: prompts('Which commit or range'),
  addKey: prompts('Trust the keys of a file'),
  removeKey: asks('Which key is to be removed?'),
  addCredential: prompts('Address of the repository'),
  removeCredential: tells('No credential is kept.'),
  testRepository: asks('Which repository is to be tested?'),
  showLog: (page) => page.locator('.part.panel', { hasText: /agent\s\d+\s(?:started|is)/ }),
  exportDiagnostics: (page) => page.locator('.tab.active', { hasText: 'Untitled' }),
}
const APART: ReadonlySet<string> = new Set(['clearFilter', 'restartAgent', 'tryTour'])

test('every command can be run from the palette, and shows something', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  const { folder } = await makeTourRepository(path.join(root, 'examples', 'tour'), path.join(home, 'gitops'))
  const settings = { 'plumbline.productionContexts': ['embedded'] }
  const workbench = await startWorkbench(t, { workspace: folder, trusted: true, settings, probe: true })
  const { page } = workbench
  await workbench.open('Plumbline')
  await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 120_000 })

  await t.test('a production context asks for its name before a sync', async () => guarded(workbench))
  await t.test('package.json contributes exactly the commands that are registered', async () => {
    const { ids } = await askProbe(workbench, 'commands')
    assert.deepEqual(ids, await contributedIds())
  })
  const titles = await paletteTitles()
  assert.deepEqual(
    [...titles.keys()].filter((id) => EFFECTS[id] === undefined && !APART.has(id)),
    [],
  )
  for (const [id, effect] of Object.entries(EFFECTS)) {
    await t.test(`${id} runs`, async () => {
      await workbench.command(`Plumbline: ${titles.get(id)}`)
      await effect(page).first().waitFor({ timeout: 60_000 })
      assert.deepEqual(await tells('Plumbline:')(page).allInnerTexts(), [])
      await settle(page)
    })
  }

  await t.test('a filter narrows the tree, and is taken away again', async () => {
    await workbench.command(`Plumbline: ${titles.get('filter')}`)
    await prompts('Filter applications')(page).waitFor()
    await page.keyboard.type('synced shop')
    await treeRow(page, 'board').waitFor({ state: 'detached', timeout: 20_000 })
    await page.keyboard.press('Enter')
    await treeRow(page, 'shop').waitFor()
    await workbench.command(`Plumbline: ${titles.get('clearFilter')}`)
    await treeRow(page, 'board').waitFor({ timeout: 20_000 })
  })

  await t.test('a restarted agent shows everything again', async () => restarted(workbench))

  await t.test('the tour opens in a folder of its own', async () => {
    await workbench.command(`Plumbline: ${titles.get('tryTour')}`)
    await page.waitForURL(/globalStorage/, { timeout: 60_000 })
    await page.waitForSelector('.monaco-workbench', { timeout: 120_000 })
  })
})

async function contributedIds(): Promise<readonly string[]> {
  const { contributes } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest
  return contributes.commands.map(({ command }) => command).sort()
}

async function paletteTitles(): Promise<ReadonlyMap<string, string>> {
  const { contributes } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Manifest
  const texts = JSON.parse(await readFile(path.join(root, 'package.nls.json'), 'utf8')) as Record<string, string>
  const hidden = new Set(contributes.menus.commandPalette.map(({ command }) => command))
  return new Map(
    contributes.commands
      .filter(({ command }) => !hidden.has(command))
      .map(({ command, title }) => [command.replace('plumbline.', ''), texts[title.slice(1, -1)] ?? '']),
  )
}

/** Closes what a command opened, so that the next one finds an empty desk. */
async function settle(page: Page): Promise<void> {
  const input = page.locator('.quick-input-widget')
  for (let times = 0; times < 6 && (await input.isVisible()); times += 1) {
    await page.keyboard.press('Escape')
    await page.waitForTimeout(150)
  }
  for (let times = 0; times < 4 && (await page.locator('.notification-toast').count()) > 0; times += 1) {
    await page.locator('.notification-toast').first().hover()
    await page.keyboard.press('Escape')
    await page
      .locator('.notification-toast .codicon-notifications-clear')
      .first()
      .click({ timeout: 2000 })
      .catch(() => undefined)
  }
}

async function guarded(workbench: Workbench): Promise<void> {
  const { page } = workbench
  const input = page.locator('.quick-input-widget', { hasText: 'production context' })
  const ask = async (typed: string): Promise<void> => {
    await workbench.command('Plumbline: Sync…')
    await pickItem(page, 'shop')
    await pickItem(page, 'Sync 4 resources on embedded')
    await input.waitFor({ timeout: 60_000 })
    if (typed === 'embeded') await workbench.picture('vscode-11-production')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await input.waitFor({ state: 'hidden' })
  }
  await ask('embeded')
  await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor()
  await ask('embedded')
  await treeRow(page, 'shop').filter({ hasText: 'Synced' }).waitFor({ timeout: 120_000 })
}

async function restarted(workbench: Workbench): Promise<void> {
  const { page } = workbench
  const log = page.locator('.part.panel')
  // Only the lines that are seen are there; the newest are.
  const agents = async (): Promise<ReadonlySet<string>> =>
    new Set([...(await log.innerText()).matchAll(/agent\s(\d+)\sstarted/g)].map(([, pid]) => pid ?? ''))
  await workbench.command('Plumbline: Show Log')
  await log.filter({ hasText: /agent/ }).waitFor({ timeout: 60_000 })
  const before = await agents()
  await workbench.command('Plumbline: Restart Agent')
  const isNew = async (): Promise<boolean> => [...(await agents())].some((pid) => !before.has(pid))
  for (const end = Date.now() + 120_000; !(await isNew()) && Date.now() < end;) await page.waitForTimeout(200)
  assert.ok(await isNew())
  await workbench.open('Plumbline')
  await treeRow(page, 'shop').filter({ hasText: 'Synced' }).waitFor({ timeout: 120_000 })
}
