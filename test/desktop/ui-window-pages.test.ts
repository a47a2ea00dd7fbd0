import assert from 'node:assert/strict'
import { before, after, test } from 'node:test'
import { summariesOf } from '../support/ui/fixtures.ts'
import { chromiumIsMissing, startUi, type UiPage } from '../support/ui/ui-page.ts'
import { READY, windowFront, type WindowFront } from '../support/ui/window-front.ts'

const missing = chromiumIsMissing()
let ui: Awaited<ReturnType<typeof startUi>> | undefined
before(async () => {
  if (missing === undefined) ui = await startUi()
})
after(async () => ui?.close())

test('a provider says what is missing, and a creation shows its steps and can be cancelled', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openWindow('#/clusters/new', { applications: [] })
  await page.getByRole('radio', { name: /^kind/ }).check({ force: true })
  await page.getByText('docker is missing.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Create' }).isDisabled(), true)
  await page.getByRole('radio', { name: /^Embedded/ }).check({ force: true })
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('start the control plane').waitFor()
  await page.getByText('What the tool says').click()
  await page.getByText('Preparing nodes').waitFor()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('kind-dev is running').waitFor()
  await page.getByRole('button', { name: 'Install agent' }).waitFor()
  await page.context().close()
})

test('a cluster that Plumbline did not make is deleted only after its name is typed', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openWindow('#/clusters', { applications: [] }, asked)
  const ask = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: `More for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
  }
  await ask('kind-dev')
  await page.getByRole('button', { name: 'Delete kind-dev' }).click()
  await ask('old-tests')
  assert.equal(await page.getByRole('button', { name: 'Delete old-tests' }).isDisabled(), true)
  await page.getByLabel(/Type old-tests/).fill('old-tests')
  await page.getByRole('button', { name: 'Delete old-tests' }).click()
  await waitUntil(() => asked.length === 2)
  assert.deepEqual(asked, [
    ['clusters/act', { name: 'kind-dev', provider: 'kind', action: 'delete' }],
    ['clusters/act', { name: 'old-tests', provider: 'minikube', action: 'delete', typedName: 'old-tests' }],
  ])
  await page.context().close()
})

test('a context is tested, marked, deleted after its name is typed, and comes back', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openWindow('#/contexts', { applications: [] }, asked)
  const card = page.getByRole('listitem', { name: 'prod-eu' })
  await card.getByRole('button', { name: 'Test' }).click()
  await card.getByText('connect ECONNREFUSED').waitFor()
  await card.getByRole('button', { name: 'More for prod-eu' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  const confirm = page.getByRole('button', { name: 'Delete', exact: true })
  assert.equal(await confirm.isDisabled(), true)
  await page.getByLabel(/Type prod-eu/).fill('prod-eu')
  await confirm.click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await waitUntil(() => asked.length === 2)
  assert.deepEqual(asked, [
    ['contexts/delete', { name: 'prod-eu', typedName: 'prod-eu' }],
    ['contexts/undo', { token: 'token-1' }],
  ])
  await page.context().close()
})

test('a first run offers three ways in, and the tour ends at its applications', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const none = { ...READY, kind: 'none', workspace: '', context: '' } as const
  const { page } = await openWindow('', { applications: summariesOf(3), workspace: none })
  for (const name of ['Try it now on a built-in cluster', 'Open a repository', 'Use a cluster I have'])
    await page.getByRole('heading', { name }).waitFor()
  await page.getByRole('button', { name: 'Start the tour' }).click()
  await page.getByText('start the embedded cluster').waitFor()
  await page.getByRole('heading', { name: 'Applications' }).waitFor()
  await page.context().close()
})

test('a key is added as text, and an empty list says what keys are for', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openWindow('#/keys', { applications: [], bare: true }, asked)
  await page.getByText('No key is trusted yet.').waitFor()
  await page.getByRole('button', { name: 'Add a trusted key' }).click()
  await page.getByRole('textbox', { name: /^Key/ }).fill('ssh-ed25519 AAAA ada')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await waitUntil(() => asked.length === 1)
  assert.deepEqual(asked[0], ['keys/add', { text: 'ssh-ed25519 AAAA ada', name: '' }])
  await page.context().close()
})

test('a setting is kept as soon as it is changed', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const asked: unknown[] = []
  const { page } = await openWindow('#/settings', { applications: [] }, asked)
  await page.getByRole('checkbox', { name: /Tell of new drift/ }).uncheck()
  await page.getByLabel(/Trusted managers/).fill('flagger\nkeda')
  await waitUntil(() => asked.length === 2)
  assert.deepEqual(asked, [
    ['settings/set', { key: 'notify', value: false }],
    ['settings/set', { key: 'trusted', value: ['flagger', 'keda'] }],
  ])
  await page.context().close()
})

test('two rehearsals of one application are laid over each other', async (t) => {
  if (missing !== undefined) return t.skip(missing)
  const { page } = await openWindow('#/rehearsals', { applications: [] })
  await page
    .getByRole('row', { name: /f669ddd/ })
    .getByRole('link', { name: 'waves' })
    .click()
  await page.getByRole('button', { name: 'Play' }).waitFor()
  await page.getByLabel('Compare with').selectOption('r2')
  await page.getByText('upper bar: the one of c0ffee1, just now · lower bar: this rehearsal').waitFor()
  assert.equal(await page.locator('pl-timeline .beside').count(), 6)
  await page.context().close()
})

async function openWindow(hash: string, front: WindowFront, asked: unknown[] = []): Promise<UiPage> {
  if (ui === undefined) throw new Error('no browser was started')
  return ui.open({ bundle: 'window', hash, answers: windowFront(front, asked) })
}

async function waitUntil(done: () => boolean): Promise<void> {
  for (let n = 0; n < 100 && !done(); n += 1) await new Promise((resolve) => setTimeout(resolve, 30))
}
