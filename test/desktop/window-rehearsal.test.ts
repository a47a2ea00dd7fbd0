import assert from 'node:assert/strict'
import test from 'node:test'
import { valueAt } from '../../shared/model/json.ts'
import { embeddedKubeconfig, outsideHand } from '../support/outside-hand.ts'
import { fronts } from '../support/fronts.ts'
import { noBrowser } from '../support/window-browser.ts'

const SHOP = '/apis/apps/v1/namespaces/shop/deployments/shop'

for (const front of fronts) {
  test(
    `a sync is rehearsed, also with an image that cannot be pulled, and nothing of it reaches the cluster, ${front.name}`,
    { skip: noBrowser },
    async (t) => {
      const { page, home, show, picture } = await front.open(t)
      await page.getByRole('button', { name: 'Start the tour' }).click()
      await page.getByRole('row', { name: /shop.*OutOfSync.*1 drifted/ }).waitFor()
      await show('#/applications/shop')
      const live = async (): Promise<unknown> => outsideHand(embeddedKubeconfig(home)).read(SHOP)
      const before = await live()

      await page.getByRole('button', { name: 'Rehearse', exact: true }).click()
      const dialog = page.getByRole('dialog', { name: 'Rehearse the sync of shop' })
      await dialog.getByRole('button', { name: 'Rehearse', exact: true }).click()
      await page.getByText('Passed', { exact: true }).first().waitFor()
      await picture('15-rehearsal')

      await show('#/applications/shop')
      await page.getByRole('button', { name: 'Rehearse', exact: true }).click()
      await dialog.getByText('Break something on the way').click()
      await dialog.getByText('an image cannot be pulled').click()
      await dialog.getByRole('button', { name: 'Rehearse', exact: true }).click()
      await page.getByText('Failed', { exact: true }).first().waitFor()
      await picture('16-rehearsal-failed')

      await show('#/rehearsals')
      await page.getByText('shop').first().waitFor()
      await picture('17-rehearsals')
      assert.equal(valueAt(before as never, ['spec', 'replicas']), 4)
      assert.deepEqual(await live(), before, 'the live object has not moved')
    },
  )
}
