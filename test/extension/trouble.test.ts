import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { makeTourRepository } from '../../shared/session/tour-repository.ts'
import { startWorkbench, treeRow, workbenchIsMissing } from '../support/workbench.ts'

const examples = path.resolve(import.meta.dirname, '../../examples/tour')

async function tourFolder(t: TestContext): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-'))
  t.after(() => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  return (await makeTourRepository(examples, path.join(home, 'gitops'))).folder
}

test('a workspace that is not trusted runs nothing, and says what to do', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const workbench = await startWorkbench(t, { workspace: await tourFolder(t), trusted: false })
  const { page, home } = workbench
  await workbench.open('Plumbline')
  await page.locator('.pane-body', { hasText: 'This workspace is not trusted' }).first().waitFor({ timeout: 120_000 })
  // The agent makes its folder for state at once, and the embedded cluster its own.
  await new Promise((resolve) => setTimeout(resolve, 3000))
  await page
    .locator('.statusbar-item', { hasText: 'Activating' })
    .first()
    .waitFor({ state: 'detached', timeout: 120_000 })
  await workbench.picture('vscode-9-untrusted')
  assert.equal(existsSync(path.join(home, 's', 'plumbline')), false)
})

test('an agent that is killed comes back with everything that it showed', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const workbench = await startWorkbench(t, { workspace: await tourFolder(t), trusted: true })
  const { page, home } = workbench
  await workbench.open('Plumbline')
  await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 120_000 })
  const [first = 0] = await agentsOf(home)
  assert.ok(first > 0)
  process.kill(first, 'SIGKILL')
  const another = async (): Promise<boolean> => (await agentsOf(home)).some((pid) => pid !== first)
  for (const end = Date.now() + 60_000; !(await another()) && Date.now() < end;) await page.waitForTimeout(100)
  assert.ok(await another())
  await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 120_000 })
})

/** The agents that the extension below a folder has started. */
async function agentsOf(home: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(pids.map(async (pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.flatMap((pid, index) => {
    const line = lines[index] ?? ''
    return line.includes(path.join(home, 'extensions')) && line.includes('agent/main.js') ? [Number(pid)] : []
  })
}

test('a branch that is switched and a repository that is gone are said, and recovered from', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const workspace = await tourFolder(t)
  const shop = path.join(workspace, 'apps', 'shop.yaml')
  await writeFile(shop, (await readFile(shop, 'utf8')).replace('targetRevision: main', 'targetRevision: HEAD'))
  const workbench = await startWorkbench(t, { workspace, trusted: true })
  const { page } = workbench
  await workbench.open('Plumbline')
  await treeRow(page, 'shop').filter({ hasText: 'HEAD@' }).waitFor({ timeout: 120_000 })
  const git = path.join(workspace, '.git')
  await writeFile(path.join(git, 'HEAD'), 'ref: refs/heads/nowhere\n')
  await treeRow(page, 'shop').filter({ hasText: 'Unknown' }).waitFor({ timeout: 120_000 })
  await treeRow(page, 'shop').click()
  await page.keyboard.press('ArrowRight')
  const condition = page.locator('.pane-body .monaco-list-row').filter({ hasText: 'ComparisonError' }).first()
  await condition.waitFor({ timeout: 120_000 })
  await workbench.picture('vscode-16-trouble')
  await writeFile(path.join(git, 'HEAD'), 'ref: refs/heads/main\n')
  await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 120_000 })

  await rename(git, `${git}-away`)
  await treeRow(page, 'shop').filter({ hasText: 'Unknown' }).waitFor({ timeout: 120_000 })
  await rename(`${git}-away`, git)
  await treeRow(page, 'shop').filter({ hasText: '4 missing' }).waitFor({ timeout: 120_000 })
})

test('an unsigned commit under a policy is refused, with its reason', async (t) => {
  const missing = workbenchIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const workspace = await tourFolder(t)
  await writeFile(path.join(workspace, 'apps', 'project.yaml'), project)
  const shop = path.join(workspace, 'apps', 'shop.yaml')
  await writeFile(shop, (await readFile(shop, 'utf8')).replace('project: default', 'project: signed'))
  const workbench = await startWorkbench(t, { workspace, trusted: true })
  const { page } = workbench
  await workbench.open('Plumbline')
  await treeRow(page, 'shop').waitFor({ timeout: 120_000 })
  await treeRow(page, 'shop').filter({ hasText: '○' }).waitFor({ timeout: 120_000 })
  await treeRow(page, 'shop').click()
  await page.keyboard.press('ArrowRight')
  await page.locator('.pane-body .monaco-list-row').filter({ hasText: 'ComparisonError' }).first().waitFor()
  await workbench.command('Plumbline: Show Plan')
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'shop' }).first().click()
  const refused = page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Namespace shop' }).first()
  await refused.waitFor({ timeout: 30_000 })
  await page.locator('.quick-input-widget', { hasText: 'Plan of shop' }).waitFor()
  assert.match((await refused.textContent()) ?? '', /sign/)
  await workbench.picture('vscode-10-refused')
})

const project = `apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata:
  name: signed
  namespace: argocd
spec:
  sourceRepos: ['*']
  destinations:
    - server: '*'
      namespace: '*'
  signatureKeys:
    - keyID: 4AEE18F83AFDEB23
`
