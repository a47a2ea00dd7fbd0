import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { start } from '../../shared/base/process.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { noBrowser, startBrowser } from '../support/window-browser.ts'
import { writeElectronDouble } from '../support/electron-app.ts'

// What `npm start` runs, on the programs that `npm install` built.
const root = path.resolve(import.meta.dirname, '../..')
const built = path.join(root, 'dist', 'cli.js')
const notBuilt = existsSync(path.join(root, 'dist', 'desktop', 'main.js'))
  ? undefined
  : 'dist is not built; npm install builds it'

type Started = { readonly said: () => string; readonly end: () => Promise<void> }

function npmStart(
  t: TestContext,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Started & { readonly done: Promise<unknown> } {
  let said = ''
  const keep = (chunk: Buffer): void => void (said += chunk.toString('utf8'))
  const child = start(process.execPath, [built, 'tour', '--window', ...words], {
    env: { ...process.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined, ...env },
    onStdout: keep,
    onStderr: keep,
  })
  t.after(async () => {
    child.kill()
    await child.done
  })
  const end = async (): Promise<void> => {
    child.kill()
    await child.done
  }
  return { said: () => said, end, done: child.done }
}

test('npm start -- --once ends after the walk', { skip: notBuilt }, async (t) => {
  const started = npmStart(t, ['--once'], {})
  const end = (await started.done) as { readonly kind: string; readonly code?: number }
  assert.equal(end.kind, 'exited')
  assert.equal(end.code, 0)
  assert.doesNotMatch(started.said(), /http:.*token/)
})

test(
  'without a display the window is served, in one line, with the tour ready in it',
  { skip: notBuilt ?? noBrowser },
  async (t) => {
    const started = npmStart(t, [], {})
    await eventually('the link', () => /so the window is served to your browser: http/.test(started.said()))
    const said = started.said()
    assert.match(said, /export KUBECONFIG=/)
    assert.match(said, /kubectl -n shop scale/)
    assert.match(said, /^There is no display here, so the window is served to your browser: http:\S+$/m)
    const context = await startBrowser(t)
    const page = context.pages()[0] ?? (await context.newPage())
    await page.goto(/http:\S+token=\S+/.exec(said)?.[0] ?? '')
    await page.getByRole('row', { name: /shop.*Synced.*Healthy/ }).waitFor()
    const folder = /cd (\S+)/.exec(said)?.[1] ?? ''
    assert.ok(existsSync(folder))
    await started.end()
    await eventually('a clean end', () => !existsSync(folder))
  },
)

test(
  'where Electron is, it opens the window on the tour (on the double)',
  { skip: notBuilt ?? noBrowser },
  async (t) => {
    const port = await freePort()
    const browser = await startBrowser(t, { port })
    const opened = browser.waitForEvent('page', { timeout: 60_000 })
    const started = npmStart(t, [], {
      DISPLAY: ':0',
      ELECTRON_OVERRIDE_DIST_PATH: await writeElectronDouble(t),
      ELECTRON_DOUBLE_BROWSER: `http://127.0.0.1:${port}`,
    })
    const page = await opened
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('row', { name: /shop.*Synced.*Healthy/ }).waitFor()
    assert.match(started.said(), /The window opens; the cluster serves on/)
    assert.doesNotMatch(started.said(), /served to your browser/)
  },
)
