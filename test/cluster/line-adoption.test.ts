import assert from 'node:assert/strict'
import { copyFile } from 'node:fs/promises'
import test from 'node:test'
import { isObject } from '../../shared/model/json.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import { kubectl } from '../support/kubectl.ts'
import { openLine, type Line } from '../support/line-session.ts'
import { gitIsMissing } from '../support/scaffold-repository.ts'
import { testServers, type StartedServer } from '../support/test-servers.ts'
import { missingTools } from '../support/tools/find.ts'

const PATH = '/api/v1/namespaces/default/configmaps/settings'

function configMap(data: Readonly<Record<string, string>>): string {
  const metadata = { name: 'settings', namespace: 'default', labels: { team: 'blue' } }
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
}

for (const server of testServers) {
  test(`on ${server.name} what kubectl had applied becomes ours: what leaves Git leaves the cluster`, async (t) => {
    const skip = (await gitIsMissing()) ?? (missingTools('kubectl') || undefined) ?? (await server.missing())
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const line = await openLine(
      t,
      running,
      { name: 'adopt', namespace: 'default' },
      { 'a.yaml': configMap({ keep: '1' }) },
    )
    await byHand(line, running, 'apply', '-f', '-', configMap({ keep: '1', drop: '2' }))
    assert.deepEqual(managersOf(await line.get(PATH)), ['kubectl-client-side-apply Update'])

    const seen = await line.look()
    const paths = line.fields(seen).map(({ kind, path }) => `${kind} ${path}`)
    assert.deepEqual(
      paths.sort(),
      ['added-foreign /data/drop', 'changed /metadata/annotations/argocd.argoproj.io~1tracking-id'].sort(),
    )
    const pass = await line.sync()
    assert.equal(pass.snapshot.sync, 'Synced', JSON.stringify(line.fields(pass)))
    const adopted = await line.get(PATH)
    assert.deepEqual(adopted['data'], { keep: '1' })
    assert.deepEqual(managersOf(adopted), ['plumbline Apply'])

    // From here on it is as if it had been ours from the start.
    await line.scaffold.write({ 'adopt/a.yaml': configMap({ other: '3' }) })
    const moved = await line.sync()
    assert.equal(moved.snapshot.sync, 'Synced')
    assert.deepEqual((await line.get(PATH))['data'], { other: '3' })
  })

  test(`on ${server.name} an adoption leaves what kubectl's own move to server-side apply leaves`, async (t) => {
    const skip = (await gitIsMissing()) ?? (missingTools('kubectl') || undefined) ?? (await server.missing())
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const line = await openLine(
      t,
      running,
      { name: 'adopt', namespace: 'default' },
      { 'a.yaml': configMap({ keep: '1' }) },
    )
    await byHand(line, running, 'apply', '-f', '-', configMap({ keep: '1', drop: '2' }))
    await line.sync()
    const ours = await line.get(PATH)

    // The yardstick: the same manifest, applied by kubectl's own server-side apply onto the same beginning.
    await byHand(line, running, 'delete', 'configmap', 'settings', '')
    await byHand(line, running, 'apply', '-f', '-', configMap({ keep: '1', drop: '2' }))
    const wanted = JSON.stringify({ ...ours, metadata: wantedMetadata(ours) })
    const flags = ['--server-side', '--field-manager=plumbline', '--force-conflicts']
    await byHand(line, running, 'apply', ...flags, '-f', '-', wanted)
    const theirs = await line.get(PATH)

    assert.deepEqual(ours['data'], theirs['data'])
    assert.deepEqual(ours.metadata.labels, theirs.metadata.labels)
    assert.deepEqual(ownFields(ours), ownFields(theirs))
    assert.deepEqual(
      managersOf(ours),
      managersOf(theirs).filter((name) => name.startsWith('plumbline')),
    )
  })

  test(`on ${server.name} what others own of an adopted object stays theirs when it is trusted`, async (t) => {
    const skip = (await gitIsMissing()) ?? (missingTools('kubectl') || undefined) ?? (await server.missing())
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const ignoreDifferences = [{ group: '', kind: 'ConfigMap', managedFieldsManagers: ['injector'] }]
    const options = { name: 'adopt', namespace: 'default', spec: { ignoreDifferences } }
    const line = await openLine(t, running, options, { 'a.yaml': configMap({ keep: '1' }) })
    await byHand(line, running, 'apply', '-f', '-', configMap({ keep: '1' }))
    await line.write({ manager: 'injector', path: PATH, body: { data: { bundle: 'x' } } })
    const pass = await line.sync()
    assert.equal(pass.snapshot.sync, 'Synced', JSON.stringify(line.fields(pass)))
    assert.deepEqual((await line.get(PATH))['data'], { bundle: 'x', keep: '1' })
  })
}

/** Runs kubectl; the last argument is its stdin. */
async function byHand(line: Line, { kubeconfig }: StartedServer, ...argv: readonly string[]): Promise<void> {
  // kubectl keeps its caches beside the kubeconfig.
  const kubeconfigPath = line.scaffold.beside('kubeconfig')
  await copyFile(kubeconfig, kubeconfigPath)
  const said = await kubectl(argv.slice(0, -1), { kubeconfigPath, input: argv.at(-1) ?? '' })
  assert.equal(said.code, 0, said.stderr)
}

type Managed = { readonly manager: string; readonly operation: string; readonly fieldsV1: unknown }

function managed({ metadata }: KubeObject): readonly Managed[] {
  return metadata['managedFields'] as unknown as readonly Managed[]
}

function managersOf(object: KubeObject): readonly string[] {
  return managed(object)
    .map(({ manager, operation }) => `${manager} ${operation}`)
    .sort()
}

function ownFields(object: KubeObject): unknown {
  return managed(object).find(({ manager, operation }) => manager === 'plumbline' && operation === 'Apply')?.fieldsV1
}

function wantedMetadata({ metadata }: KubeObject): unknown {
  const { name, namespace, labels, annotations } = metadata
  const own = isObject(annotations) ? Object.entries(annotations).filter(([key]) => !key.startsWith('kubectl')) : []
  return { name, namespace, labels, annotations: Object.fromEntries(own) }
}
