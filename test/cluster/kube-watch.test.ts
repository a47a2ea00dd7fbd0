import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { ObservedView } from '../../shared/kube/live-view.ts'
import { idOf as identity } from '../../shared/model/kubernetes.ts'
import type { LiveObject } from '../../shared/model/live.ts'
import { startControlPlane } from '../support/control-plane.ts'
import type { ControlPlane } from '../support/control-plane.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { missingTools } from '../support/tools/find.ts'
import {
  configMap,
  configMaps,
  connected,
  deployment,
  deployments,
  eventually,
  idOf,
  request,
} from './kube-scaffold.ts'

const skip = missingTools('etcd', 'kube-apiserver')

let plane: ControlPlane
before(async () => {
  if (skip === false) plane = await startControlPlane()
})
after(() => plane?.stop())

const content = (view: ObservedView): Record<string, string> =>
  Object.fromEntries(
    view
      .ofKind(configMaps)
      .map((live: LiveObject) => [live.object.metadata.name, `${live.uid} ${live.resourceVersion}`]),
  )

test('under a thousand writes and many cut connections the cache ends as the server is', { skip }, async (t) => {
  const proxy = await startCuttingProxy(Number(new URL(plane.url).port))
  t.after(() => proxy.stop())
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-kube-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const kubeconfigPath = path.join(folder, 'config')
  const text = await readFile(plane.kubeconfigPath, 'utf8')
  await writeFile(kubeconfigPath, text.replaceAll(new URL(plane.url).host, `127.0.0.1:${proxy.port}`))
  const watching = await connected(t, { kubeconfigPath }, { watch: true })
  const writing = await connected(t, plane)
  const scope = { kinds: [configMaps], namespaces: new Set(['default']) }
  const states = new Map<string, string | undefined>()
  await watching.observe(scope, {}).then((view) => Object.entries(content(view)).map(([k, v]) => states.set(k, v)))
  watching.onChange((change) => {
    if (change.kind !== 'objects') return
    for (const { id, before: old, after: now } of change.changes) {
      // News are without gaps: each begins where the last one ended.
      assert.equal(states.get(id.name), old && `${old.uid} ${old.resourceVersion}`)
      states.set(id.name, now && `${now.uid} ${now.resourceVersion}`)
    }
  })
  let cuts = 0
  for (let round = 0; round < 50; round += 1) {
    const writes = Array.from({ length: 20 }, async (_, index) => {
      const name = `churn-${(round * 7 + index * 3) % 97}`
      if ((round + index) % 4 !== 0) return writing.apply(request(configMap(name, { round: String(round) })), {})
      const id = { group: '', kind: 'ConfigMap', namespace: 'default', name }
      const live = await writing.read(configMaps, id, {})
      if (live !== undefined)
        await writing.delete({ gvk: configMaps, id, uid: live.uid, propagation: 'Background' }, {})
      return undefined
    })
    // In the middle of the round, at another moment each time.
    await new Promise((resolve) => {
      setTimeout(resolve, round % 10)
    })
    cuts += proxy.cut()
    await Promise.all(writes)
    await new Promise((resolve) => {
      setTimeout(resolve, 100)
    })
  }
  const truth = content(await writing.observe(scope, {}))
  await eventually('the cache is as the server', async () => {
    const view = await watching.observe(scope, {})
    return view.staleSince === undefined && JSON.stringify(sorted(content(view))) === JSON.stringify(sorted(truth))
  })
  const told = Object.fromEntries([...states].filter(([, state]) => state !== undefined))
  assert.deepEqual(told, truth)
  t.diagnostic(`${cuts} connections cut`)
  assert.ok(cuts > 10)
})

test(
  'a thousand objects are listed in a moment, one change is seen in less, and a dry run each is quick',
  { skip },
  async (t) => {
    const cluster = await connected(t, plane, { watch: true })
    const names = Array.from({ length: 1000 }, (_, index) => `scale-${index}`)
    await Promise.all(names.map((name) => cluster.apply(request(deployment(name, 1)), {})))
    const once = await connected(t, plane)
    const scope = { kinds: [deployments], namespaces: new Set(['default']) }
    const listMs: number[] = []
    for (let run = 0; run < 5; run += 1) {
      const started = performance.now()
      assert.ok((await once.observe(scope, {})).ofKind(deployments).length >= 1000)
      listMs.push(performance.now() - started)
    }
    await cluster.observe(scope, {})
    const seenMs: number[] = []
    for (let run = 0; run < 10; run += 1) {
      const seen = new Promise<number>((resolve) => {
        const stop = cluster.onChange((change) => {
          if (change.kind !== 'objects' || !change.changes.some(({ id }) => id.name === 'scale-500')) return
          stop()
          resolve(performance.now())
        })
      })
      const started = performance.now()
      await once.apply(request(deployment('scale-500', run + 2)), {})
      const at = await seen
      const view = await cluster.observe(scope, {})
      seenMs.push(performance.now() - started)
      assert.ok(at > started)
      assert.partialDeepStrictEqual(view.get(idOf('scale-500'))?.object['spec'], { replicas: run + 2 })
    }
    const started = performance.now()
    await Promise.all(names.map((name) => once.dryRunApply(request(deployment(name, 1)), {})))
    const perSecond = Math.round(1000 / ((performance.now() - started) / 1000))
    const fastest = Math.min(...listMs)
    t.diagnostic(
      `list of 1,000: ${fastest.toFixed(0)} ms; write to view: ${median(seenMs).toFixed(0)} ms; dry runs: ${perSecond}/s`,
    )
    assert.ok(fastest < 100, `${fastest} ms`)
    assert.ok(median(seenMs) < 50, `${median(seenMs)} ms`)
    const first = (await once.observe(scope, {})).ofKind(deployments)[0]
    assert.ok(first !== undefined && identity(first.object).kind === 'Deployment')
  },
)

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function sorted(object: Record<string, string>): readonly (readonly [string, string])[] {
  return Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
}
