import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import type { Page } from 'playwright-core'
import { isObject, valueAt } from '../../shared/model/json.ts'
import { embeddedKubeconfig, outsideHand } from '../support/outside-hand.ts'
import { gitIsMissing, scaffoldRepository } from '../support/scaffold-repository.ts'
import { fronts } from '../support/fronts.ts'
import { noBrowser } from '../support/window-browser.ts'

const SHOP = '/apis/apps/v1/namespaces/shop/deployments/shop'

for (const front of fronts) {
  test(
    `from the first run to synced applications, a first drift, and its healing, ${front.name}`,
    { skip: noBrowser },
    async (t) => {
      const { page, home, picture } = await front.open(t)
      await page.getByRole('heading', { name: /holds your Git repository/ }).waitFor()
      await picture('1-first-run')
      await page.getByRole('button', { name: 'Start the tour' }).click()
      await page.getByRole('row', { name: /shop.*OutOfSync.*1 drifted/ }).waitFor()
      await page.getByRole('row', { name: /guestbook.*Synced.*Healthy/ }).waitFor()
      await picture('2-applications')

      await page.getByRole('link', { name: 'shop', exact: true }).click()
      await page.getByRole('tab', { name: 'Graph' }).waitFor()
      await page.getByText('Application · 1 drifted').waitFor()
      await picture('3-graph')
      await page.getByRole('tab', { name: /^Diff/ }).click()
      await page.getByText(/replicas is 4 in the cluster, Git says 2 · kubectl-edit/).waitFor()
      await page.getByText(/env DEBUG=1 is in the cluster, not in Git · night-shift/).waitFor()
      await picture('4-diff')

      await page.getByRole('button', { name: 'Sync', exact: true }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Sync shop' })
      await dialog.getByText('change 1').waitFor()
      await picture('5-sync-plan')
      await dialog.getByRole('button', { name: 'Sync 1 resource on embedded' }).click()
      await page.getByText('Synced').first().waitFor()
      await page.getByRole('tab', { name: 'Diff', exact: true }).waitFor()
      assert.equal(await replicas(home), 2)
    },
  )

  test(
    `an application made from a folder is synced, drifts, is diffed, healed and rolled back, ${front.name}`,
    { skip: noBrowser },
    async (t) => {
      const missing = await gitIsMissing()
      if (missing !== undefined) return t.skip(missing)
      const scaffold = await scaffoldRepository()
      t.after(() => scaffold.dispose())
      await scaffold.write({ 'shop/deployment.yaml': deployment('shop:1.27'), 'README.md': 'manifests' })
      await scaffold.commit('Begin')
      const { page, home, show, picture } = await front.open(t, { workspace: scaffold.folder })
      await page.getByRole('button', { name: 'New application' }).first().click()
      const form = page.getByRole('dialog', { name: 'New application' })
      await form.getByRole('button', { name: 'Write apps/shop.yaml' }).waitFor()
      await picture('6-new-application')
      await form.getByRole('button', { name: 'Write apps/shop.yaml' }).click()
      await page.getByText('Missing').first().waitFor()
      assert.match(
        await readFile(path.join(scaffold.folder, 'apps/shop.yaml'), 'utf8'),
        /kind: Application\n[\s\S]*path: shop/,
      )

      await show('#/applications/shop')
      await sync(page)
      const hand = outsideHand(embeddedKubeconfig(home))
      await hand.patch(SHOP, 'night-shift', { spec: { replicas: 5 } })
      await page.getByText('OutOfSync').first().waitFor()
      await page.getByRole('tab', { name: /^Diff/ }).click()
      await page.getByText(/replicas is 5 in the cluster, Git says 1 · night-shift/).waitFor()
      await sync(page)
      assert.equal(await replicas(home), 1)

      await scaffold.write({ 'shop/deployment.yaml': deployment('shop:1.28') })
      await scaffold.commit('Move the shop to 1.28')
      await page.getByText('OutOfSync').first().waitFor()
      await sync(page)
      assert.equal(await image(home), 'shop:1.28')

      await page.getByRole('tab', { name: 'History' }).click()
      await page.getByText('Move the shop to 1.28').first().waitFor()
      await picture('7-history')
      await page.getByRole('button', { name: 'Roll back to this' }).first().click()
      const rollback = page.getByRole('dialog')
      await picture('8-rollback')
      await rollback.getByRole('button', { name: 'Roll back on embedded' }).click()
      await page.getByText('OutOfSync').first().waitFor()
      assert.equal(await image(home), 'shop:1.27')
    },
  )
}

/** Syncs through the dialog, as a person does, and waits until all is in sync. */
async function sync(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sync', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Sync \d+ resources? on embedded$/ })
    .click()
  await page.getByText('Synced').first().waitFor()
}

async function replicas(home: string): Promise<unknown> {
  return valueAt(await outsideHand(embeddedKubeconfig(home)).read(SHOP), ['spec', 'replicas'])
}

async function image(home: string): Promise<unknown> {
  const live = await outsideHand(embeddedKubeconfig(home)).read(SHOP)
  assert.ok(isObject(live))
  return valueAt(live, ['spec', 'template', 'spec', 'containers', 0, 'image'])
}

function deployment(image: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  labels:
    app: shop
spec:
  replicas: 1
  selector:
    matchLabels:
      app: shop
  template:
    metadata:
      labels:
        app: shop
    spec:
      containers:
        - name: shop
          image: ${image}
`
}
