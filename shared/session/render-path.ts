import { createSource } from '../git/source.ts'
import type { Application, ApplicationSource } from '../model/application.ts'
import type { Cancellable, Rendered } from '../model/ports.ts'
import { createRenderer } from '../render/render.ts'

/** What a folder or file of a repository renders to, by detection, without any application or cluster. */
export async function renderPath(
  workspace: string,
  path: string,
  options: Cancellable & { readonly revision?: string },
): Promise<Rendered> {
  const repository = await createSource({ workspace, ...options })
  try {
    const source: ApplicationSource = { repoURL: '.', targetRevision: options.revision ?? 'WORKTREE', path }
    const checkout = await repository.resolve(source, options)
    const application: Application = { ...NO_APPLICATION, sources: [source] }
    const request = { application, source, checkout, references: new Map(), kubeVersion: 'v1.36.0', apiVersions: [] }
    return await createRenderer().render(request, options)
  } finally {
    await repository.dispose()
  }
}

const NO_APPLICATION: Omit<Application, 'sources'> = {
  name: 'render',
  namespace: '',
  labels: {},
  annotations: {},
  finalizers: [],
  project: 'default',
  destination: { namespace: '' },
  syncPolicy: { syncOptions: [] },
  ignoreDifferences: [],
  revisionHistoryLimit: 0,
  raw: {},
}
