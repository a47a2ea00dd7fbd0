import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import type { Application } from '../../shared/model/application.ts'
import { Session } from '../../shared/session.ts'
import { scaffoldRepository, type Scaffold } from './scaffold-repository.ts'

/** Other projects' manifests, beside the project where it is developed; absent in a user's clone. */
export const corporaFolder = path.resolve(import.meta.dirname, '../../../shared/corpora')

/** Why a test over the corpora cannot run, undefined when it can. */
export const corporaMissing = existsSync(corporaFolder) ? undefined : 'skipped: no corpora beside the project'

export type Corpus = {
  readonly name: string
  readonly folder: string
  readonly path: string
  readonly directory?: { readonly recurse?: boolean; readonly include?: string }
  /** True where the objects come from the files as they are, so that a difference has an exact line. */
  readonly plain: boolean
}

export const corpora: readonly Corpus[] = [
  { name: 'guestbook', folder: 'argocd-example-apps', path: 'guestbook', plain: true },
  { name: 'sock-shop', folder: 'argocd-example-apps', path: 'sock-shop', plain: false },
  { name: 'kustomize-guestbook', folder: 'argocd-example-apps', path: 'kustomize-guestbook', plain: false },
  { name: 'boutique-plain', folder: 'online-boutique', path: 'kubernetes-manifests', plain: false },
  { name: 'boutique-kustomize', folder: 'online-boutique', path: 'kustomize', plain: false },
  {
    name: 'boutique-release',
    folder: 'online-boutique',
    path: 'release',
    directory: { include: 'kubernetes-manifests.yaml' },
    plain: true,
  },
  {
    name: 'kube-prometheus',
    folder: 'kube-prometheus',
    path: 'manifests',
    directory: { recurse: true },
    plain: true,
  },
]

/** A corpus as a person would have it: in a Git repository with an Application file. */
export type CorpusRepository = { readonly scaffold: Scaffold; dispose(): Promise<void> }

export async function corpusRepository(corpus: Corpus): Promise<CorpusRepository> {
  const scaffold = await scaffoldRepository()
  await cp(path.join(corporaFolder, corpus.folder, corpus.path), path.join(scaffold.folder, corpus.path), {
    recursive: true,
  })
  await scaffold.write({ [`apps/${corpus.name}.yaml`]: applicationYaml(corpus) })
  await scaffold.commit('Bring the corpus in')
  return { scaffold, dispose: () => scaffold.dispose() }
}

function applicationYaml({ name, path: folder, directory }: Corpus): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: '.', targetRevision: 'HEAD', path: folder, ...(directory === undefined ? {} : { directory }) },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
    },
  })
}

/** A session over a repository and one server, and its only application. */
export async function openCorpus(
  repository: CorpusRepository,
  server: { readonly kubeconfig: string; readonly context: string },
): Promise<{ readonly session: Session; readonly application: Application }> {
  const session = await Session.open({ workspace: repository.scaffold.folder, ...server, watch: false, trusted: [] })
  const { applications } = await session.applications()
  const [application] = applications
  if (application === undefined) throw new Error('the corpus has no application')
  return { session, application }
}
