import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '../../../shared/model/kubernetes.ts'
import type { Outcome } from '../../../shared/model/outcome.ts'
import { argoApplication } from '../../../shared/view/argo-application.ts'
import { APPLICATION, driftOf, idOf, resource, SHA, snapshot } from './snapshot.ts'

const DEPLOYMENT = idOf('Deployment', 'web', 'apps')
const NAMESPACE = { group: '', kind: 'Namespace', namespace: '', name: 'shop' }
const step = { apiVersion: 'apps/v1', id: DEPLOYMENT, action: 'update', message: 'applied', moved: false } as const
const OPERATION: Outcome = {
  phase: 'Succeeded',
  message: 'done',
  startedAt: '2026-03-01T09:00:00Z',
  finishedAt: '2026-03-01T09:00:05Z',
  revision: SHA,
  steps: [
    { ...step, result: 'Synced' },
    { ...step, id: NAMESPACE, apiVersion: 'v1', action: 'prune', result: 'PruneSkipped' },
    { ...step, action: 'none', result: 'Synced' },
  ],
}
const ENTRY = {
  id: 3,
  revision: SHA,
  deployedAt: '2026-03-01T09:00:05Z',
  deployStartedAt: '2026-03-01T09:00:00Z',
  initiatedBy: 'ada',
  automated: false,
}
const SOURCE = { repoURL: 'https://git.example.org/shop.git', targetRevision: 'main', path: 'deploy' }
const DESTINATION = { name: 'kind-dev', namespace: 'shop' }

test('a snapshot is an Argo CD Application with its whole status', () => {
  const condition = { type: 'SyncError', message: 'no', lastTransitionTime: '2026-03-01T10:00:00Z' }
  const live: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { initContainers: [{ image: 'b' }], containers: [{ image: 'nginx:1.27' }, { image: 'b' }, {}] },
  }
  const found = argoApplication(
    snapshot({
      sync: 'OutOfSync',
      health: { status: 'Degraded' },
      conditions: [condition],
      resources: [
        resource(driftOf(DEPLOYMENT, 'changed'), { status: 'Degraded', message: 'broken' }),
        resource(driftOf(NAMESPACE, 'extra')),
      ],
      history: [ENTRY],
      operation: OPERATION,
    }),
    [live],
  )
  assert.deepEqual(found, {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'guestbook', namespace: 'argocd', labels: { team: 'web' } },
    spec: { source: SOURCE, destination: DESTINATION, project: 'default' },
    status: {
      conditions: [condition],
      controllerNamespace: 'argocd',
      health: { status: 'Degraded' },
      history: [
        {
          deployStartedAt: '2026-03-01T09:00:00Z',
          deployedAt: '2026-03-01T09:00:05Z',
          id: 3,
          initiatedBy: { username: 'ada' },
          revision: SHA,
          source: SOURCE,
        },
      ],
      operationState: {
        finishedAt: '2026-03-01T09:00:05Z',
        message: 'done',
        operation: { initiatedBy: { username: 'ada' }, retry: {}, sync: { prune: true, revision: SHA } },
        phase: 'Succeeded',
        startedAt: '2026-03-01T09:00:00Z',
        syncResult: {
          resources: [
            {
              group: 'apps',
              hookPhase: 'Running',
              kind: 'Deployment',
              message: 'applied',
              name: 'web',
              namespace: 'shop',
              status: 'Synced',
              syncPhase: 'Sync',
              version: 'v1',
            },
            {
              group: '',
              hookPhase: 'Succeeded',
              kind: 'Namespace',
              message: 'applied',
              name: 'shop',
              namespace: '',
              status: 'PruneSkipped',
              syncPhase: 'Sync',
              version: 'v1',
            },
          ],
          revision: SHA,
          source: SOURCE,
        },
      },
      reconciledAt: '2026-03-01T10:00:00Z',
      observedAt: '2026-03-01T10:00:00Z',
      resources: [
        {
          group: 'apps',
          health: { status: 'Degraded', message: 'broken' },
          kind: 'Deployment',
          name: 'web',
          namespace: 'shop',
          status: 'OutOfSync',
          version: 'v1',
        },
        { kind: 'Namespace', name: 'shop', requiresPruning: true, status: 'OutOfSync', version: 'v1' },
      ],
      sourceType: 'Directory',
      summary: { images: ['b', 'nginx:1.27'] },
      sync: { comparedTo: { destination: DESTINATION, source: SOURCE }, revision: SHA, status: 'OutOfSync' },
    },
  })
})

test('a running operation has no end yet', () => {
  const found = argoApplication(snapshot({ operation: { ...OPERATION, phase: 'Running', steps: [] } }))
  const { operationState } = found['status'] as { readonly operationState: { readonly [key: string]: unknown } }
  assert.equal('finishedAt' in operationState, false)
  assert.deepEqual(operationState['operation'], { initiatedBy: {}, retry: {}, sync: { revision: SHA } })
})

test('an application with several sources has revisions', () => {
  const raw = { spec: { sources: [SOURCE, { ...SOURCE, path: 'more' }], destination: DESTINATION } }
  const found = argoApplication(snapshot({ application: { ...APPLICATION, raw } }))
  assert.deepEqual((found['status'] as { readonly sync: unknown }).sync, {
    comparedTo: { destination: DESTINATION, sources: raw.spec.sources },
    revisions: [SHA],
    status: 'Synced',
  })
})

test('where no commit was found there is no revision', () => {
  const { revision: _, ...rest } = snapshot({ sync: 'Unknown', health: { status: 'Unknown' }, sourceType: '' })
  const status = argoApplication(rest)['status'] as { readonly [key: string]: unknown }
  assert.deepEqual(status['sync'], { comparedTo: { destination: DESTINATION, source: SOURCE }, status: 'Unknown' })
  assert.equal('sourceType' in status, false)
})
