import { existsSync } from 'node:fs'
import fs from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { add, commit, init } from 'isomorphic-git'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { buildUi } from '../../build-ui.mjs'
import { startWindowServer } from '../../cli/serve/start.ts'
import { run } from '../../shared/base/process.ts'
import { longestTask } from '../support/ui/longest-task.ts'
import { median } from './measure.ts'
import type { Row } from './drift.ts'

const APPLICATIONS = 1000
/** And the namespace of each. */
const OBJECTS_EACH = 19
const CHROMIUM = '/usr/bin/chromium'
const FIRST_PAINT_BAR_MS = 1000
/** Reads 1,000 Application files from a repository, and starts two processes. */
const COLD_BAR_MS = 10_000
const LONG_TASK_BAR_MS = 50
const OPENINGS = 5

export async function windowIsMissing(): Promise<string | false> {
  return existsSync(CHROMIUM) ? false : 'no chromium'
}

/** The real window over the real server and agent: 1,000 applications with 20,000 objects, opened and scrolled through. */
export async function benchWindow(): Promise<readonly Row[]> {
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-window-'))
  try {
    await makeApplications(path.join(home, 'gitops'))
    const seed = path.join(import.meta.dirname, 'seed-applications.ts')
    const filling = { env: environment(home), timeoutMs: 1_800_000 }
    const seeded = await run(process.execPath, [seed, path.join(home, 'gitops')], filling)
    if (seeded.kind !== 'exited' || seeded.code !== 0)
      throw new Error(`the cluster could not be filled: ${JSON.stringify(seeded)}`)
    return await windowRows(home)
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 })
  }
}

/** Measures on a home whose cluster is filled. */
export async function windowRows(home: string): Promise<readonly Row[]> {
  const ui = path.join(home, 'ui')
  await buildUi(ui)
  const agent = path.resolve(import.meta.dirname, '../../shared/agent/main.ts')
  const workspace = path.join(home, 'gitops')
  const server = await startWindowServer({
    port: 0,
    env: environment(home),
    workspace,
    named: true,
    parts: { ui, agent },
  })
  const args = ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info']
  const browser = await chromium.launch({ executablePath: CHROMIUM, args })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const first = await context.newPage()
    const start = Date.now()
    await first.goto(server.link())
    await first.getByText(`${APPLICATIONS} applications`, { exact: true }).waitFor({ timeout: 300_000 })
    const cold = Date.now() - start
    // All are compared once; the page stays open, as the tray keeps the watch.
    await first.getByRole('button', { name: `Synced ${APPLICATIONS - 1}` }).waitFor({ timeout: 600_000 })
    return await measure(context, new URL(first.url()).origin, cold)
  } finally {
    await browser.close()
    await server.close()
  }
}

function environment(home: string): Readonly<Record<string, string | undefined>> {
  const state = { XDG_STATE_HOME: path.join(home, 's'), XDG_CONFIG_HOME: path.join(home, 'c') }
  return { ...process.env, ...state, KUBECONFIG: path.join(home, 'none') }
}

async function measure(context: BrowserContext, origin: string, cold: number): Promise<readonly Row[]> {
  const page = await context.newPage()
  const openings: number[] = []
  for (let n = 0; n < OPENINGS; n += 1) openings.push(await open(page, `${origin}/?${n}#/applications`))
  const scrolled = await scroll(page)
  const graph = await openApplication(page)
  const heap = await page.evaluate<number>('performance.memory.usedJSHeapSize')
  const objects = APPLICATIONS * (OBJECTS_EACH + 1)
  return [
    row(
      `window on ${APPLICATIONS} applications, ${objects} objects: from opening to the list`,
      median(openings),
      FIRST_PAINT_BAR_MS,
    ),
    row('the same, the first one, that starts the agent', cold, COLD_BAR_MS),
    row(
      'longest task while the whole list is scrolled, grouped and filtered (processor time)',
      scrolled,
      LONG_TASK_BAR_MS,
    ),
    row('from a click on an application to its graph', graph, FIRST_PAINT_BAR_MS),
    {
      work: 'memory of the page',
      ours: `${(heap / 1e6).toFixed(0)} MB`,
      theirs: '',
      ratio: undefined,
      bar: '< 200 MB',
      met: heap < 200e6,
    },
  ]
}

function row(work: string, ms: number, bar: number): Row {
  return { work, ours: `${ms.toFixed(0)} ms`, theirs: '', ratio: undefined, bar: `< ${bar} ms`, met: ms < bar }
}

/** Milliseconds from the navigation to the frame with the first application in it. */
async function open(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' })
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const shell = document.querySelector('pl-window')?.shadowRoot
      const rows = shell?.querySelector('pl-applications')?.shadowRoot?.querySelectorAll('.row-line').length ?? 0
      if (rows > 5) resolve(performance.now())
      else requestAnimationFrame(look)
    }
    look()
  })`)
}

/** The whole list with the wheel, down and up again; then grouped, filtered, and as it was. */
async function scroll(page: Page): Promise<number> {
  await page.waitForTimeout(1500)
  return longestTask(page, async () => {
    await page.mouse.move(700, 500)
    for (let n = 0; n < 120; n += 1) await page.mouse.wheel(0, 350)
    for (let n = 0; n < 20; n += 1) await page.mouse.wheel(0, -3000)
    await page.getByLabel('Group').selectOption('cluster')
    await page.getByLabel('Filter').pressSequentially('app-07')
    await page.getByText('10 of 1000 applications').waitFor()
    await page.getByLabel('Filter').fill('')
    await page.getByLabel('Group').selectOption('none')
    await page.waitForTimeout(300)
  })
}

async function openApplication(page: Page): Promise<number> {
  const link = page.locator('a.name').first()
  await link.waitFor()
  const start = Date.now()
  await link.click()
  await page.getByRole('treeitem').nth(1).waitFor()
  return Date.now() - start
}

async function makeApplications(folder: string): Promise<void> {
  await init({ fs, dir: folder, defaultBranch: 'main' })
  for (let index = 0; index < APPLICATIONS; index += 1) {
    const name = index === 0 ? 'large' : `app-${String(index).padStart(3, '0')}`
    await mkdir(path.join(folder, name), { recursive: true })
    await writeFile(path.join(folder, name, 'objects.yaml'), objects(name))
    await writeFile(path.join(folder, name, 'application.yaml'), application(name))
  }
  await add({ fs, dir: folder, filepath: '.' })
  await commit({ fs, dir: folder, message: 'All of it', author: { name: 'Ada', email: 'ada@example.com' } })
}

/** `large` has the names that the seed drifts. */
function objects(name: string): string {
  const count = name === 'large' ? 191 : OBJECTS_EACH
  const prefix = name === 'large' ? 'entry' : 'config'
  const one = (index: number): string =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${prefix}-${index}}\ndata: {app: ${name}, key05: "${index}"}\n`
  return Array.from({ length: count }, (_, index) => one(index)).join('---\n')
}

function application(name: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  source: {repoURL: ., targetRevision: main, path: ${name}, directory: {exclude: application.yaml}}
  destination: {server: https://kubernetes.default.svc, namespace: ${name}}
  syncPolicy: {syncOptions: [CreateNamespace=true]}
`
}
