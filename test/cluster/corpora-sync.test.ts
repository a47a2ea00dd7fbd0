import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import type { Pass } from '../../shared/core/status.ts'
import { stringifyJson } from '../../shared/model/json.ts'
import { resourceKey } from '../../shared/model/kubernetes.ts'
import { isWrite, type AuditEvent } from '../support/control-plane-audit.ts'
import { startControlPlane } from '../support/control-plane.ts'
import { corpora, corporaMissing, corpusRepository, openCorpus, type Corpus } from '../support/corpora.ts'
import { kubectl } from '../support/kubectl.ts'
import { resourceVersions } from '../support/line-objects.ts'
import { embedded, type StartedServer } from '../support/test-servers.ts'
import { missingTools } from '../support/tools/find.ts'

/** A server and, where it keeps one, the log of everything that it was asked. */
type Judged = StartedServer & { readonly audit?: () => Promise<readonly AuditEvent[]> }

test('on the embedded server every corpus is synced once and in sync for good', async (t) => {
  if (corporaMissing !== undefined) return t.skip(corporaMissing)
  await syncAll(t, await embedded.start(t))
})

test('on a real kube-apiserver every corpus is synced once and in sync for good', async (t) => {
  if (corporaMissing !== undefined) return t.skip(corporaMissing)
  const missing = missingTools('etcd', 'kube-apiserver')
  if (missing !== false) return t.skip(missing)
  const plane = await startControlPlane({ audit: true })
  t.after(() => plane.stop())
  const { url, token } = plane
  await syncAll(t, {
    kubeconfig: plane.kubeconfigPath,
    context: 'admin',
    url,
    token,
    audit: async () => plane.audit(),
  })
})

/** One server for all: what one application leaves must not disturb the next. */
async function syncAll(t: TestContext, server: Judged): Promise<void> {
  for (const corpus of corpora) {
    await t.test(corpus.name, async (t) => syncOne(t, corpus, server))
  }
}

async function syncOne(t: TestContext, corpus: Corpus, server: Judged): Promise<void> {
  const repository = await corpusRepository(corpus)
  t.after(() => repository.dispose())
  const first = await openCorpus(repository, server)
  t.after(() => first.session.dispose())
  const request = { prune: true, dryRun: false } as const
  const synced = await first.session.sync(first.application, { request })
  assertInSync(synced)
  assert.equal(synced.outcome?.phase, 'Succeeded')
  await t.test('kubectl diff --server-side agrees', async (t) => kubectlAgrees(t, synced, server))

  // A new session knows nothing but what the cluster and Git tell it.
  const second = await openCorpus(repository, server)
  t.after(() => second.session.dispose())
  const before = await resourceVersions(server)
  const asked = (await server.audit?.())?.length ?? 0
  const again = await second.session.sync(second.application, { request })
  assertInSync(again)
  assert.deepEqual(again.plan?.steps, [])
  assert.deepEqual(await resourceVersions(server), before, 'no resourceVersion moved')
  const events = (await server.audit?.())?.slice(asked) ?? []
  const writes = events.filter(isWrite).map(({ verb, uri }) => `${verb} ${uri}`)
  assert.deepEqual(writes, [], 'the audit log has no write')
  t.diagnostic(`${corpus.name}: ${again.snapshot.resources.length} objects, ${toldOf(again)}`)
}

function assertInSync({ snapshot }: Pass): void {
  const drifted = snapshot.resources
    .filter(({ drift }) => drift.state !== 'synced')
    .map(({ id, drift }) => ({ id: resourceKey(id), state: drift.state, fields: drift.fields, failure: drift.failure }))
  assert.deepEqual({ drifted, conditions: snapshot.conditions }, { drifted: [], conditions: [] })
  assert.equal(snapshot.sync, 'Synced')
  assert.ok(snapshot.resources.length > 0)
}

function toldOf({ snapshot }: Pass): string {
  const asked = snapshot.resources.filter(({ drift }) => drift.evidence !== 'proof')
  const kinds = [...new Set(asked.map(({ id }) => id.kind))].join(', ')
  return `${snapshot.resources.length - asked.length} in sync by proof, ${asked.length} asked (${kinds})`
}

/** kubectl's own word: exit status 0 and not one line of a difference, nothing normalised. */
async function kubectlAgrees(t: TestContext, pass: Pass, server: Judged): Promise<void> {
  const missing = missingTools('kubectl')
  if (missing !== false) return t.skip(missing)
  const folder = await mkdtemp(path.join(tmpdir(), 'plumbline-kubectl-diff-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const items = [...(pass.desired?.objects.values() ?? [])].map(({ object }) => object)
  const file = path.join(folder, 'rendered.json')
  await writeFile(file, stringifyJson({ apiVersion: 'v1', kind: 'List', items }))
  const context = server.context === '' ? [] : ['--context', server.context]
  const argv = ['diff', ...context, '--server-side', '--field-manager=plumbline', '-f', file]
  const said = await kubectl(argv, { kubeconfigPath: server.kubeconfig, timeoutMs: 120_000 })
  assert.deepEqual(said, { code: 0, stdout: '', stderr: '' })
}
