import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { startElectronApp } from '../support/electron-app.ts'
import { eventually } from '../support/eventually.ts'
import { noBrowser } from '../support/window-browser.ts'

// The real main, preload and contract on a double of Electron's modules: what is said here is said of our code, not of Electron.

test('the window opens locked down, from the first run to a first drift', { skip: noBrowser }, async (t) => {
  const app = await startElectronApp(t)
  const { page } = app
  const { webPreferences, permissions, windows } = await app.shown()
  assert.equal(windows, 1)
  const expected = {
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    devTools: false,
  }
  for (const [name, value] of Object.entries(expected)) assert.equal(webPreferences[name], value, name)
  assert.deepEqual(permissions, [], 'no permission is granted')

  await page.getByRole('button', { name: 'Start the tour' }).click()
  await eventually('a drift in the tray', async () => (await app.shown()).trayWords === 'Plumbline: 1 of 3 drifted')
  // A notification only while nobody looks.
  assert.deepEqual((await app.shown()).notifications, [])
})

test('menu, tray, links and a second start reach the one window', { skip: noBrowser }, async (t) => {
  const app = await startElectronApp(t)
  const { page } = app
  const route = async (): Promise<string> => new URL(page.url()).hash
  await app.order({ kind: 'menu', labels: ['View', 'Clusters'] })
  await eventually('the clusters page', async () => (await route()) === '#/clusters')
  assert.equal(await app.again(['plumbline://contexts']), 0, 'the second one leaves')
  await eventually('the contexts page', async () => (await route()) === '#/contexts')
  assert.equal((await app.shown()).windows, 1)
  await app.again(['plumbline://settings/../../etc'])
  await app.again(['plumbline://open?folder=relative/path'])
  await app.again(['javascript:alert(1)'])
  assert.deepEqual((await app.shown()).questions, [])
  assert.equal(await route(), '#/contexts', 'a link that means nothing changes nothing')

  // A folder that a link names is asked about first, with the safe answer as the default.
  await app.order({ kind: 'dialog', button: 1 })
  await app.again([`plumbline://open?folder=${encodeURIComponent(app.home)}`])
  await eventually('a question', async () => (await app.shown()).questions.length === 1)
  assert.match((await app.shown()).questions[0] ?? '', /asks to open/)

  await app.order({ kind: 'menu', labels: ['View', 'Pause the Watch'] })
  await eventually('a paused watch', async () => (await app.shown()).trayWords === 'Plumbline: the watch is paused')
  await app.order({ kind: 'tray', labels: ['Pause the Watch'] })
  await eventually('a running watch', async () => (await app.shown()).trayWords !== 'Plumbline: the watch is paused')
})

test('a folder opens by the dialog, and the next start goes on with it', { skip: noBrowser }, async (t) => {
  const app = await startElectronApp(t)
  const folder = path.join(app.home, 'plumbline', 'tour')
  await app.page.getByRole('button', { name: 'Start the tour' }).click()
  await eventually('the tour', async () => (await app.shown()).trayWords.includes('of 3'))
  await app.order({ kind: 'close' })
  await eventually(
    'its size',
    async () => (await readFile(path.join(app.home, 'plumbline/window/window.json'), 'utf8').catch(() => '')) !== '',
  )
  await app.stop()

  const next = await startElectronApp(t, { home: app.home })
  await eventually('the same folder', async () => (await next.shown()).trayWords.includes('of 3'))
  const recent = JSON.parse(await readFile(path.join(app.home, 'plumbline/window/workspaces.json'), 'utf8')) as {
    folder: string
  }[]
  assert.equal(recent[0]?.folder, folder)
})
