import type { Application, ApplicationSource } from '../../shared/model/application.ts'
import type { Checkout, RenderRequest } from '../../shared/model/ports.ts'

/** A request to render one source of an application that is otherwise plain. */
export function renderRequest(
  checkout: Checkout,
  source: Partial<ApplicationSource>,
  more: Partial<RenderRequest> & { readonly name?: string; readonly namespace?: string } = {},
): RenderRequest {
  const full = { repoURL: 'file:///repository', targetRevision: 'HEAD', path: '', ...source }
  const application: Application = {
    name: more.name ?? 'guestbook',
    namespace: 'argocd',
    labels: {},
    annotations: {},
    finalizers: [],
    project: 'default',
    sources: [full],
    destination: { name: 'in-cluster', namespace: more.namespace ?? 'default' },
    syncPolicy: { syncOptions: [] },
    ignoreDifferences: [],
    revisionHistoryLimit: 10,
    raw: {},
  }
  return {
    application: more.application ?? application,
    source: full,
    checkout,
    references: more.references ?? new Map(),
    kubeVersion: more.kubeVersion ?? '1.36.2',
    apiVersions: more.apiVersions ?? [],
  }
}
