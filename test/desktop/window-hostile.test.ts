import assert from 'node:assert/strict'
import test from 'node:test'
import { embeddedKubeconfig, outsideHand } from '../support/outside-hand.ts'
import { gitIsMissing, scaffoldRepository } from '../support/scaffold-repository.ts'
import { openServed, startServed } from '../support/served-window.ts'
import { noBrowser } from '../support/window-browser.ts'

const SCRIPT = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=2</script>'

test('script in names, labels, commits, log lines and events is text', { skip: noBrowser }, async (t) => {
  const missing = await gitIsMissing()
  if (missing !== undefined) return t.skip(missing)
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  await scaffold.write({ 'apps/shop.json': application(), 'shop/all.json': manifests() })
  await scaffold.commit(`Begin ${SCRIPT}`)
  const served = await startServed(t, { workspace: scaffold.folder })
  const page = await openServed(t, served)
  const complaints: string[] = []
  page.on('dialog', (dialog) => void complaints.push(dialog.message()))
  page.on('pageerror', (error) => void complaints.push(error.message))
  await page.goto(`${served.origin}/#/applications/shop`)
  await page.getByText(SCRIPT).first().waitFor()
  await page.getByRole('button', { name: 'Sync', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Sync \d+ resources? on embedded$/ })
    .click()
  await page.getByText('OutOfSync').first().waitFor()

  const hand = outsideHand(embeddedKubeconfig(served.home))
  await hand.patch('/api/v1/namespaces/shop/configmaps/shop', 'night-shift', { data: { banner: `changed ${SCRIPT}` } })
  await page.getByRole('tab', { name: /^Diff/ }).click()
  await page.getByRole('option', { name: /ConfigMap shop/ }).click()
  await page
    .getByText(/changed <img/)
    .first()
    .waitFor()
  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByText(`Begin ${SCRIPT}`).first().waitFor()
  await page.getByRole('tab', { name: 'Events and logs' }).click()
  await page.getByRole('combobox').first().selectOption({ label: 'Log of shop' })
  await page
    .getByText(/a line with <img/)
    .first()
    .waitFor()
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.waitForTimeout(500)

  assert.equal(await page.evaluate('globalThis.hacked'), undefined)
  assert.equal(await page.evaluate(`document.querySelectorAll('img').length`), 0)
  assert.deepEqual(complaints, [])
})

function application(): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd', labels: { team: SCRIPT } },
    spec: {
      project: 'default',
      source: { repoURL: '.', targetRevision: 'HEAD', path: 'shop' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
    },
  })
}

/** A name that the server refuses, and what it takes: annotations, values, a log line. */
function manifests(): string {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'shop', annotations: { note: SCRIPT, 'simulator.plumbline.dev/log': `a line with ${SCRIPT}` } },
    spec: { containers: [{ name: 'shop', image: 'shop:1' }] },
  }
  const items = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: SCRIPT, labels: { team: SCRIPT } } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop' }, data: { banner: SCRIPT } },
    pod,
  ]
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
