import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test from 'node:test'
import { _electron } from 'playwright-core'
import { findElectron } from '../../cli/window/electron-binary.ts'

// Electron itself, where its binary and a display are; on a machine without them this is skipped, never passed.
const found = findElectron(process.env)
const built = path.resolve(import.meta.dirname, '../../dist/desktop/main.js')
const missing =
  found.kind !== 'found'
    ? `no Electron here (${found.kind}); npx install-electron fetches it`
    : existsSync(built)
      ? undefined
      : 'dist is not built; npm install builds it'

test('the window opens in Electron, sandboxed, and the tour ends in a first drift', { skip: missing }, async (t) => {
  if (found.kind !== 'found') return
  const home = await mkdtemp(path.join(tmpdir(), 'plumbline-electron-'))
  const noSandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const app = await _electron.launch({
    executablePath: found.program,
    args: [...noSandbox, built],
    env: { ...process.env, XDG_STATE_HOME: home, KUBECONFIG: path.join(home, 'kubeconfig') },
  })
  t.after(async () => {
    await app.close()
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 })
  })
  const page = await app.firstWindow()
  assert.equal(await page.evaluate('typeof require + typeof process'), 'undefinedundefined')
  assert.deepEqual(await page.evaluate('Object.keys(plumbline).sort()'), ['onMessage', 'send'])
  const before = page.url()
  await page.evaluate(`void (location.href = 'https://example.com/')`)
  await page.waitForTimeout(500)
  assert.equal(page.url().split('#')[0], before.split('#')[0])
  await page.getByRole('button', { name: 'Start the tour' }).click()
  await page.getByRole('row', { name: /shop.*OutOfSync.*1 drifted/ }).waitFor()
})
