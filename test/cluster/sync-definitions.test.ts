import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, hook, job, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

for (const server of syncServers) {
  test(`definitions, and orders that cannot be, on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    await definitions(t, running)
    await impossible(t, running)
  })
}

type Running = Parameters<typeof openLab>[1]

const groupOf = (lab: Lab): string => `g${lab.name.replaceAll('-', '')}.example.com`
const widget = (lab: Lab, annotations = {}): object => ({
  apiVersion: `${groupOf(lab)}/v1`,
  kind: 'Widget',
  metadata: { name: 'w', annotations },
  spec: { size: 1 },
})

async function definitions(t: TestContext, server: Running): Promise<void> {
  await t.test('a definition removed under its resources is brought back, and they with it', async (t) => {
    const lab = await openLab(t, server, 'removed')
    await lab.commit([definitionOf(groupOf(lab)), widget(lab), configMap('a')])
    assert.equal((await lab.sync()).outcome?.phase, 'Succeeded')
    await lab.http.send('DELETE', definitionPath(lab))
    await gone(lab, definitionPath(lab))
    const { snapshot } = await lab.look()
    assert.equal(snapshot.sync, 'OutOfSync')
    const missing = snapshot.resources.filter(({ drift }) => drift.state === 'missing').map(({ id }) => id.kind)
    assert.deepEqual(missing.sort(), ['CustomResourceDefinition', 'Widget'])
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.equal(pass.snapshot.sync, 'Synced')
    assert.ok(await lab.http.send('GET', widgetPath(lab)))
  })

  await t.test(
    'a definition that Git drops stays while Git has objects of its kind, and goes with the last',
    async (t) => {
      const lab = await openLab(t, server, 'dropped')
      await lab.commit([definitionOf(groupOf(lab)), widget(lab), configMap('a')])
      await lab.sync()
      await lab.commit([widget(lab), configMap('a')])
      const { outcome } = await lab.sync()
      assert.deepEqual(
        outcome?.steps.map(({ id, result, message }) => [id.kind, result, message]),
        [
          [
            'CustomResourceDefinition',
            'PruneSkipped',
            'Git no longer has the definition, but still has objects of its kind',
          ],
        ],
      )
      assert.ok(await lab.http.send('GET', widgetPath(lab)))
      await lab.commit([configMap('a')])
      const { plan } = await lab.look()
      const [loss] = plan?.steps.find(({ id }) => id.kind === 'CustomResourceDefinition')?.effects ?? []
      assert.equal(loss?.kind, 'data-loss')
      const last = await lab.sync()
      assert.equal(last.outcome?.phase, 'Succeeded', last.outcome?.message)
      await gone(lab, definitionPath(lab))
    },
  )

  await t.test('a definition outlives its application', async (t) => {
    const lab = await openLab(t, server, 'outlives')
    await lab.commit([definitionOf(groupOf(lab)), widget(lab)])
    await lab.sync()
    const { outcome } = await lab.sync({ teardown: true })
    assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    await gone(lab, widgetPath(lab))
    assert.ok(await lab.http.send('GET', definitionPath(lab)))
  })
}

async function impossible(t: TestContext, server: Running): Promise<void> {
  await t.test('waves that would bring a need after what needs it are put right', async (t) => {
    const lab = await openLab(t, server, 'turned')
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: lab.name, annotations: wave(9) } }
    const definition = definitionOf(groupOf(lab), wave(8))
    await lab.commit([widget(lab, wave(-3)), definition, namespace, job('pre', { ...hook('PreSync'), ...wave(-5) })], {
      syncPolicy: {},
    })
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    assert.equal(pass.snapshot.sync, 'Synced')
  })

  await t.test(
    'what needs a thing that only a later hook brings fails before the first write, and says why',
    async (t) => {
      const lab = await openLab(t, server, 'cycle')
      await lab.commit([definitionOf(groupOf(lab), hook('PostSync')), widget(lab), configMap('a')])
      const { outcome, snapshot } = await lab.sync()
      assert.equal(outcome?.phase, 'Failed')
      assert.match(outcome.message, /nothing was applied/)
      assert.match(outcome.steps.map(({ message }) => message).join('\n'), /Widget/)
      assert.equal(snapshot.sync, 'OutOfSync')
      assert.equal(await lab.http.send('GET', `/api/v1/namespaces/${lab.name}`), undefined)
    },
  )

  await t.test('a wave that is no whole number counts as 0, and is told of', async (t) => {
    const lab = await openLab(t, server, 'words')
    const odd = { 'argocd.argoproj.io/sync-wave': 'first' }
    await lab.commit([configMap('a', {}, odd), configMap('b', {}, wave(99_999_999_999))])
    const pass = await lab.sync()
    assert.equal(pass.outcome?.phase, 'Succeeded', pass.outcome?.message)
    const told = pass.snapshot.conditions.map(({ message }) => message)
    assert.deepEqual(told, [
      'ConfigMap a: its sync wave "first" is no whole number; it counts as 0',
      'ConfigMap b: its sync wave "99999999999" is no whole number; it counts as 0',
    ])
  })
}

function definitionPath(lab: Lab): string {
  return `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${groupOf(lab)}`
}

function widgetPath(lab: Lab): string {
  return `/apis/${groupOf(lab)}/v1/namespaces/${lab.name}/widgets/w`
}

/** The garbage collector learns of a new kind at its next look for kinds, every 30 s; until then it deletes none of it. */
async function gone(lab: Lab, path: string): Promise<void> {
  const end = Date.now() + 120_000
  while ((await lab.http.send('GET', path)) !== undefined) {
    if (Date.now() > end) throw new Error(`${path} does not go`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function definitionOf(group: string, annotations = {}): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `widgets.${group}`, annotations },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}
