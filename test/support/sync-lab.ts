import type { TestContext } from 'node:test'
import type { SyncRequest } from '../../shared/core/guards.ts'
import type { Pass } from '../../shared/core/status.ts'
import type { Application } from '../../shared/model/application.ts'
import type { SyncEvent } from '../../shared/model/outcome.ts'
import { Session } from '../../shared/session.ts'
import { JsonLines } from './sync-lab-http.ts'
import { scaffoldRepository, type Scaffold } from './scaffold-repository.ts'
import type { StartedServer } from './test-servers.ts'

/** An application of a few manifests in a real Git repository, on one server. */
export type Lab = {
  readonly name: string
  readonly scaffold: Scaffold
  readonly session: Session
  readonly http: JsonLines
  application(): Promise<Application>
  /** Writes the manifests, instead of those before, and commits. */
  commit(manifests: readonly object[], spec?: object): Promise<string>
  sync(request?: Partial<SyncRequest>, report?: (event: SyncEvent) => void): Promise<Pass>
  look(): Promise<Pass>
}

let labs = 0

/** @param prefix names the application and its namespace */
export async function openLab(t: TestContext, server: StartedServer, prefix: string): Promise<Lab> {
  const name = `${prefix}-${++labs}`
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  const http = new JsonLines(server)
  t.after(() => http.close())
  await scaffold.write({ 'README.md': name })
  await scaffold.commit('Begin')
  const { kubeconfig, context } = server
  const session = await Session.open({
    workspace: scaffold.folder,
    kubeconfig,
    context,
    watch: false,
    trusted: [],
    user: 'tester',
  })
  t.after(() => session.dispose())
  const lab: Lab = {
    name,
    scaffold,
    session,
    http,
    async application() {
      const { applications } = await session.applications()
      const [application] = applications
      if (application === undefined) throw new Error('the lab has no application')
      return application
    },
    async commit(manifests, spec = {}) {
      const files = {
        'app.yaml': applicationYaml(name, spec),
        'manifests/all.json': listYaml(manifests),
      }
      await scaffold.write(files)
      return scaffold.commit('Change')
    },
    async sync(request = {}, report) {
      const told = report === undefined ? {} : { report }
      return session.sync(await lab.application(), {
        request: {
          prune: true,
          dryRun: false,
          ...request,
        },
        ...told,
      })
    },
    look: async () => session.look(await lab.application()),
  }
  return lab
}

function applicationYaml(name: string, spec: object): string {
  const { annotations, ...rest } = spec as { readonly annotations?: object }
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd', ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      project: 'default',
      source: { repoURL: '.', targetRevision: 'HEAD', path: 'manifests' },
      destination: { server: 'https://kubernetes.default.svc', namespace: name },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
      ...rest,
    },
  })
}

function listYaml(items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
}
