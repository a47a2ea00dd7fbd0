import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openClusters } from '../../shared/clusters/cluster-manager.ts'
import { makeTourRepository, tourExamples } from '../../shared/session/tour-repository.ts'
import { fronts } from '../support/fronts.ts'
import { writeNamedKubeconfig } from '../support/named-kubeconfig.ts'
import { outsideHand } from '../support/outside-hand.ts'
import { embedded } from '../support/test-servers.ts'
import { lastingFolder, noBrowser } from '../support/window-browser.ts'

for (const front of fronts) {
  test(
    `an embedded cluster is created, stopped, started and deleted, ${front.name}`,
    { skip: noBrowser },
    async (t) => {
      const { page, home, show, picture } = await front.open(t)
      endClusters(t, home)
      await show('#/clusters/new')
      await page.getByRole('radio', { name: /^Embedded/ }).check()
      await page.getByLabel('Name').fill('lab')
      await picture('9-new-cluster')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page
        .getByText(/ready|running/i)
        .first()
        .waitFor()

      await show('#/clusters')
      const card = item(page, 'lab')
      await card.getByText('running').waitFor()
      await picture('10-clusters')
      await card.getByRole('button', { name: 'Stop' }).click()
      await card.getByText('stopped').waitFor()
      await card.getByRole('button', { name: 'Start' }).click()
      await card.getByText('running').waitFor()
      const kubeconfig = await readFile(path.join(home, 'kubeconfig'), 'utf8')
      assert.match(kubeconfig, /lab/, 'its context stands in the kubeconfig')

      await card.getByRole('button', { name: /^More for/ }).click()
      await page.getByRole('menuitem', { name: /^Delete/ }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Delete/ })
        .click()
      await card.waitFor({ state: 'detached' })
      assert.doesNotMatch(await readFile(path.join(home, 'kubeconfig'), 'utf8'), /lab/)
    },
  )

  test(
    `another context is chosen for the window, and a production one asks for its name, ${front.name}`,
    { skip: noBrowser },
    async (t) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-tour-'))
      t.after(() => rm(folder, { recursive: true, force: true }))
      await makeTourRepository(tourExamples() ?? '', folder)
      const home = await lastingFolder('home')
      const other = await embedded.start(t)
      const kubeconfig = path.join(home, 'kubeconfig')
      await writeNamedKubeconfig(other.kubeconfig, kubeconfig, 'prod-eu')
      const before = await readFile(kubeconfig, 'utf8')
      const { page, show, picture } = await front.open(t, { workspace: folder, home })
      await show('#/contexts')
      const context = item(page, 'prod-eu')
      await context.getByRole('button', { name: 'Test' }).click()
      await context.getByText(/^v1\.36/).waitFor()
      await context.getByRole('button', { name: 'Use here' }).click()
      await context.getByText('this window').waitFor()
      await picture('11-contexts')
      assert.equal(await readFile(kubeconfig, 'utf8'), before, 'a choice of the window writes no kubeconfig')

      await show('#/applications/guestbook')
      await page.getByRole('button', { name: 'Sync', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Sync guestbook' })
      const sync = dialog.getByRole('button', { name: 'Sync 3 resources on prod-eu' })
      await sync.waitFor()
      assert.equal(await sync.isDisabled(), true)
      await picture('12-production')
      await dialog.getByRole('textbox').fill('prod')
      assert.equal(await sync.isDisabled(), true, 'half of the name is not the name')
      // The page is not trusted with the guard: the host refuses too.
      if (front.hasSocket) {
        assert.equal(await refusalOf(page, { application: 'guestbook', prune: false }), 'production')
        assert.equal(await refusalOf(page, { application: 'guestbook', prune: false, typedName: 'prod' }), 'production')
      }
      const hand = outsideHand(kubeconfig)
      await assert.rejects(hand.read('/api/v1/namespaces/guest'), /not found/)
      await dialog.getByRole('textbox').fill('prod-eu')
      await sync.click()
      await page.getByText('Synced').first().waitFor()
      await hand.read('/api/v1/namespaces/guest')
    },
  )
}

function item(page: Page, name: string): Locator {
  return page.getByRole('listitem', { name, exact: true })
}

/** Asks the host for a sync past the dialog, over a socket of the page's own. @returns why it refused */
async function refusalOf(page: Page, params: Readonly<Record<string, unknown>>): Promise<unknown> {
  return page.evaluate(`(async (params) => {
    const socket = new WebSocket('ws://' + location.host + '/socket', ['plumbline', 'key.' + localStorage.getItem('plumbline.key')])
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const answer = new Promise((resolve) => socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(data)
      if (message.id === 1) resolve(message.failure?.reason ?? 'done')
    }))
    // The new window has to have its applications first.
    await new Promise((resolve) => setTimeout(resolve, 1500))
    socket.send(JSON.stringify({ kind: 'request', id: 1, method: 'application/sync', params }))
    const reason = await answer
    socket.close()
    return reason
  })(${JSON.stringify(params)})`)
}

/** Clusters that run by themselves must not outlive the test that made them. */
function endClusters(t: TestContext, home: string): void {
  const env = { ...process.env, XDG_STATE_HOME: home, KUBECONFIG: path.join(home, 'kubeconfig') }
  t.after(async () => {
    const manager = openClusters({ env })
    for (const { provider, name, state } of await manager.list())
      if (provider === 'embedded' && state === 'running')
        await manager.delete({ provider, name }, { confirmName: name })
  })
}
