import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { runAgent } from '../../shared/agent/agent-run.ts'
import type { FeedSource } from '../../shared/agent/application-feed.ts'
import { JsonLines } from '../support/sync-lab-http.ts'
import { eventually } from '../support/agent-shop.ts'
import { applicationFile, configMap } from '../support/line-workspace.ts'
import { scaffoldRepository } from '../support/scaffold-repository.ts'
import { embedded, type StartedServer } from '../support/test-servers.ts'

// Where an agent without a workspace gets its applications from.

type Run = { readonly folder: string; readonly lines: readonly string[]; readonly end: () => Promise<void> }

function start(t: TestContext, server: StartedServer, from: FeedSource): Run {
  const folder = mkdtempSync(path.join(tmpdir(), 'plumbline-feed-'))
  const stop = new AbortController()
  const lines: string[] = []
  const ended = runAgent({
    folder,
    from,
    context: server.context,
    kubeconfig: server.kubeconfig,
    version: '1',
    name: 'one',
    onLine: (line) => lines.push(line),
    signal: stop.signal,
    feedMs: 200,
  })
  const end = async (): Promise<void> => {
    stop.abort()
    await ended
  }
  t.after(async () => {
    await end()
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, lines, end }
}

const AUTOMATED = { syncPolicy: { automated: { selfHeal: true, prune: true }, syncOptions: ['CreateNamespace=true'] } }

test('an agent that reads Application files from a Git repository follows its commits', async (t) => {
  const server = await embedded.start(t)
  const http = new JsonLines(server)
  t.after(() => http.close())
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  const source = { repoURL: `file://${scaffold.folder}`, targetRevision: 'HEAD' }
  const app = (name: string): string => applicationFile({ name, source: { ...source, path: 'maps' }, spec: AUTOMATED })
  await scaffold.write({
    'apps/one.yaml': app('one'),
    'apps/notes.txt': 'no application',
    'maps/a.yaml': configMap('a'),
  })
  await scaffold.commit('Begin')
  const run = start(t, server, { kind: 'git', repoURL: source.repoURL, revision: 'HEAD', path: 'apps' })
  await eventually(async () => assert.ok((await http.send('GET', '/api/v1/namespaces/one/configmaps/a')) !== undefined))
  await scaffold.write({ 'apps/two.yaml': app('two') })
  await scaffold.remove('apps/one.yaml')
  await scaffold.commit('Another one')
  await eventually(async () => {
    assert.deepEqual(
      readdirSync(run.folder).map((name) => name.replace(/^\d+-/, '')),
      ['two.yaml'],
    )
    assert.ok((await http.send('GET', '/api/v1/namespaces/two/configmaps/a')) !== undefined)
  })
})

const DEFINITION = (plural: string, kind: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.argoproj.io` },
  spec: {
    group: 'argoproj.io',
    names: { plural, kind, singular: kind.toLowerCase(), listKind: `${kind}List` },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

test('an agent that reads Application objects leaves those alone that an Argo CD reconciles', async (t) => {
  const server = await embedded.start(t)
  const http = new JsonLines(server)
  t.after(() => http.close())
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  await scaffold.write({ 'maps/a.yaml': configMap('a') })
  await scaffold.commit('Begin')
  for (const [plural, kind] of [
    ['applications', 'Application'],
    ['appprojects', 'AppProject'],
  ] as const) {
    await http.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION(plural, kind))
  }
  await http.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'argocd' } })
  const source = { repoURL: `file://${scaffold.folder}`, targetRevision: 'HEAD', path: 'maps' }
  const object = (name: string): object => JSON.parse(applicationFile({ name, source, spec: AUTOMATED })) as object
  const collection = '/apis/argoproj.io/v1alpha1/namespaces/argocd/applications'
  await eventually(async () => assert.ok((await http.send('GET', collection)) !== undefined))
  await http.send('POST', collection, object('ours'))
  await http.send('POST', collection, { ...object('theirs'), status: { reconciledAt: '2026-11-20T12:00:00Z' } })
  const run = start(t, server, { kind: 'cluster', namespace: 'argocd' })
  await eventually(async () =>
    assert.ok((await http.send('GET', '/api/v1/namespaces/ours/configmaps/a')) !== undefined),
  )
  assert.equal(await http.send('GET', '/api/v1/namespaces/theirs'), undefined)
  assert.ok(run.lines.includes('theirs is managed by an Argo CD here, and left to it'), run.lines.join('\n'))
})
