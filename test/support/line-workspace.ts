import type { TestContext } from 'node:test'
import { plumbline, type CliOptions, type CliResult } from './line-cli.ts'
import { scaffoldRepository, type Scaffold } from './scaffold-repository.ts'
import { embedded, type StartedServer } from './test-servers.ts'

/** A person's repository with Application files, and a server to bring them to. */
export type Workspace = {
  readonly scaffold: Scaffold
  readonly server: StartedServer
  /** Runs `plumbline ARGS --kubeconfig ...` in the repository. */
  run(argv: readonly string[], options?: Partial<CliOptions>): Promise<CliResult>
}

/** What an Application of these tests may say beside its name. */
export type ApplicationOptions = {
  readonly name: string
  readonly source?: Readonly<Record<string, unknown>>
  readonly namespace?: string
  readonly spec?: Readonly<Record<string, unknown>>
}

/** A repository with these files, one commit, and a fresh embedded server. */
export async function workspace(
  t: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Workspace> {
  const [scaffold, server] = await Promise.all([scaffoldRepository(), embedded.start(t)])
  t.after(() => scaffold.dispose())
  await scaffold.write(files)
  await scaffold.commit('Begin')
  return { scaffold, server, run: async (argv, options) => runIn(scaffold, server, argv, options) }
}

async function runIn(
  { folder }: Scaffold,
  { kubeconfig }: StartedServer,
  argv: readonly string[],
  options: Partial<CliOptions> = {},
): Promise<CliResult> {
  return plumbline([...argv, '--kubeconfig', kubeconfig], { cwd: folder, ...options })
}

/** An Application file; by default of the folder with its own name, into a namespace that the sync makes. */
export function applicationFile({ name, source = {}, namespace = name, spec = {} }: ApplicationOptions): string {
  return JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace: 'argocd' },
    spec: {
      project: 'default',
      source: { repoURL: '.', targetRevision: 'HEAD', path: name, ...source },
      destination: { server: 'https://kubernetes.default.svc', namespace },
      syncPolicy: { syncOptions: ['CreateNamespace=true'] },
      ...spec,
    },
  })
}

/** A ConfigMap with one key. */
export function configMap(name: string, value = 'one'): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  key: ${value}\n`
}
