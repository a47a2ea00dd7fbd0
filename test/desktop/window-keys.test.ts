import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { fronts } from '../support/fronts.ts'
import { openServed, startServed } from '../support/served-window.ts'
import { keepPicture, noBrowser } from '../support/window-browser.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBfMDa4zJlfv2i1ud2nRC2vT2nRw3SQ9HVSPZHoZoZoZ ada@example.com'

for (const front of fronts) {
  test(`a key is added from its text, and a private one is refused, ${front.name}`, { skip: noBrowser }, async (t) => {
    const { page, show, picture } = await front.open(t)
    await show('#/keys')
    await page.getByRole('button', { name: 'Add a key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a trusted key' })
    await dialog
      .getByRole('textbox', { name: 'Key', exact: true })
      .fill('-----BEGIN OPENSSH PRIVATE KEY-----\nsecret\n')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(/this is a private key/).waitFor()
    if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Add a key' }).click()
    await dialog.getByRole('textbox', { name: 'Key', exact: true }).fill(KEY)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('ada@example.com').first().waitFor()
    await page.getByRole('log', { name: 'Notices' }).getByRole('button').first().click()
    await picture('13-keys')
    await page.reload()
    await page.getByText('ada@example.com').first().waitFor()
  })
}

test('credentials of a repository are kept by the server, and shown to nobody', { skip: noBrowser }, async (t) => {
  const served = await startServed(t)
  const page = await openServed(t, served)
  const frames: string[] = []
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => frames.push(String(payload))))
  await page.goto(`${served.origin}/#/repositories`)
  await page.reload()
  await page.getByRole('button', { name: 'Add a repository' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a repository' })
  await dialog.getByRole('textbox', { name: /^URL/ }).fill('https://127.0.0.1:1/team/private.git')
  await dialog.getByRole('textbox', { name: /^User/ }).fill('ada')
  await dialog.getByRole('textbox', { name: /^Password or token/ }).fill('correct-horse-battery')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/token of ada, kept until serve ends/).waitFor()
  await page.getByRole('button', { name: 'Test' }).first().click()
  await page
    .getByText(/127\.0\.0\.1/)
    .nth(1)
    .waitFor()
  await keepPicture(page, '14-repositories')
  assert.doesNotMatch(frames.join('\n'), /correct-horse/, 'nothing that was sent to the page has it')
  for (const file of await files(served.home))
    assert.doesNotMatch(await readFile(file, 'latin1'), /correct-horse/, file)
})

async function files(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}
