import type { Application } from '../../../shared/model/application.ts'
import type { FieldDrift, ObjectDrift } from '../../../shared/model/drift.ts'
import type { Health } from '../../../shared/model/health.ts'
import type { ResourceId } from '../../../shared/model/kubernetes.ts'
import type { ApplicationSnapshot, ResourceStatus, TreeNode } from '../../../shared/model/status.ts'

export const NOW = Date.parse('2026-03-01T10:00:00Z')
export const SHA = '3f2c1ab7d9e0c4b58a6f1e2d3c4b5a69788776f5'

/** The moment some minutes before `NOW`. */
export function minutesAgo(minutes: number): string {
  return new Date(NOW - minutes * 60_000).toISOString().replace('.000Z', 'Z')
}

export function idOf(kind: string, name: string, group = ''): ResourceId {
  return { group, kind, namespace: 'shop', name }
}

export function driftOf(id: ResourceId, state: ObjectDrift['state'], fields: readonly FieldDrift[] = []): ObjectDrift {
  return { id, apiVersion: id.group === '' ? 'v1' : `${id.group}/v1`, state, fields, notes: [], evidence: 'server' }
}

export function resource(drift: ObjectDrift, health?: Health): ResourceStatus {
  return {
    id: drift.id,
    version: 'v1',
    sync: drift.state === 'synced' ? 'Synced' : drift.state === 'unknown' ? 'Unknown' : 'OutOfSync',
    requiresPruning: drift.state === 'extra',
    drift,
    ...(health === undefined ? {} : { health }),
  }
}

export function node(id: ResourceId, uid: string, parents: readonly string[], info = '', health?: Health): TreeNode {
  return { id, uid, version: 'v1', info, createdAt: '', parents, ...(health === undefined ? {} : { health }) }
}

export function field(kind: FieldDrift['kind'], path: string, more: Partial<FieldDrift> = {}): FieldDrift {
  return { path, kind, desired: { kind: 'absent' }, live: { kind: 'absent' }, ...more }
}

export const APPLICATION: Application = {
  name: 'guestbook',
  namespace: 'argocd',
  labels: {},
  annotations: {},
  finalizers: [],
  project: 'default',
  sources: [{ repoURL: 'https://git.example.org/shop.git', targetRevision: 'main', path: 'deploy' }],
  destination: { name: 'kind-dev', namespace: 'shop' },
  syncPolicy: { syncOptions: [] },
  ignoreDifferences: [],
  revisionHistoryLimit: 10,
  raw: {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'guestbook', labels: { team: 'web' } },
    spec: {
      source: { repoURL: 'https://git.example.org/shop.git', targetRevision: 'main', path: 'deploy' },
      destination: { name: 'kind-dev', namespace: 'shop' },
    },
  },
}

export function snapshot(more: Partial<ApplicationSnapshot> = {}): ApplicationSnapshot {
  return {
    application: APPLICATION,
    context: 'kind-dev',
    sync: 'Synced',
    health: { status: 'Healthy' },
    revision: {
      sha: SHA,
      name: 'main',
      kind: 'commit',
      subject: 'Move to nginx 1.28',
      author: 'Ada',
      authorEmail: 'ada@example.org',
      committedAt: '2026-02-28T09:00:00Z',
    },
    resources: [],
    tree: [],
    conditions: [],
    history: [],
    sourceType: 'Directory',
    observedAt: '2026-03-01T10:00:00Z',
    ...more,
  }
}
