import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { systemClock } from '../../shared/base/clock.ts'
import { sha256 } from '../../shared/base/digest.ts'
import { runOperation } from '../../shared/core/operation/run-operation.ts'
import type { Ports } from '../../shared/core/pass-context.ts'
import { PassMemory } from '../../shared/core/pass-memory.ts'
import type { Outcome } from '../../shared/model/outcome.ts'
import type { ClockPort } from '../../shared/model/ports.ts'
import { openLab, type Lab } from '../support/sync-lab.ts'
import { configMap, deployment, wave } from '../support/sync-objects.ts'
import { syncServers } from '../support/sync-servers.ts'

const BEFORE = Date.parse('2026-11-20T02:59:00Z')
const WITHIN = Date.parse('2026-11-20T03:30:00Z')
const AFTER = Date.parse('2026-11-20T04:30:00Z')

for (const server of syncServers) {
  test(`a window that closes over a sync on ${server.name}`, async (t) => {
    const skip = await server.missing()
    if (skip !== undefined) return t.skip(skip)
    const running = await server.start(t)
    const deny = { kind: 'deny', schedule: '0 3 * * *', duration: '1h', applications: ['*'] }
    const allow = { kind: 'allow', schedule: '0 2 * * *', duration: '1h', applications: ['*'] }
    await t.test('a deny window holds it until it opens', async (t) => {
      const { reasons, outcome } = await syncedOver(t, running, deny)
      assert.match(reasons.join('\n'), /the sync is blocked by a sync window: a deny window is active/)
      assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
    })
    await t.test('an allow window that ends holds it until the next one', async (t) => {
      const { reasons } = await syncedOver(t, running, allow, BEFORE + 24 * 3_600_000)
      assert.match(reasons.join('\n'), /the sync is blocked by a sync window: no allow window is active/)
    })
    for (const window of [deny, allow]) {
      await t.test(`with syncOverrun a sync goes on over the end of an ${window.kind} window`, async (t) => {
        const { reasons, outcome } = await syncedOver(t, running, { ...window, syncOverrun: true })
        assert.doesNotMatch(reasons.join('\n'), /blocked/)
        assert.equal(outcome?.phase, 'Succeeded', outcome?.message)
      })
    }
  })
}

type Told = { readonly reasons: readonly string[]; readonly outcome: Outcome | undefined }

/** Begins a sync of two waves before three o'clock, which strikes while the first is waited for. */
async function syncedOver(
  t: TestContext,
  server: Parameters<typeof openLab>[1],
  window: object,
  opensAt = AFTER,
): Promise<Told> {
  const lab = await openLab(t, server, 'window')
  await lab.scaffold.write({ 'project.yaml': JSON.stringify(projectWith(window)) })
  await lab.commit([deployment('web'), configMap('late', {}, wave(1))], { project: 'team' })
  let offset = BEFORE - Date.now()
  const at = (time: number): void => void (offset = time - Date.now())
  const clock = { ...systemClock, now: () => Date.now() + offset, sleep: systemClock.sleep.bind(systemClock) }
  const reasons: string[] = []
  const { outcome } = await runOperation(await lab.application(), await portsOf(lab, clock), {
    memory: new PassMemory(sha256),
    trusted: [],
    projects: (await lab.session.applications()).projects,
    sync: { prune: false, dryRun: false, initiatedBy: { username: 'tester', automated: false } },
    report: (event) => {
      if (event.kind !== 'waiting') return
      reasons.push(event.reason)
      if (reasons.length === 1) at(WITHIN)
      if (event.reason.includes('blocked')) at(opensAt)
    },
  })
  return { reasons, outcome }
}

async function portsOf(lab: Lab, clock: ClockPort): Promise<Ports> {
  const application = await lab.application()
  const cluster = await lab.session.clusterOf(application)
  const store = await lab.session.store(application)
  const { source, renderer, jq, verifier } = lab.session.parts
  return { source, renderer, jq, verifier: verifier.portFor(store), cluster, store, clock, digest: sha256 }
}

function projectWith(window: object): object {
  const spec = {
    sourceRepos: ['*'],
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    syncWindows: [window],
  }
  return { apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject', metadata: { name: 'team' }, spec }
}
