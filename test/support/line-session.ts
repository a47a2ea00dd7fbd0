import type { TestContext } from 'node:test'
import type { Pass } from '../../shared/core/status.ts'
import type { FieldDrift, ObjectDrift } from '../../shared/model/drift.ts'
import { parseJson, stringifyJson, type Json } from '../../shared/model/json.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import { Session } from '../../shared/session.ts'
import { scaffoldRepository, type Scaffold } from './scaffold-repository.ts'
import type { StartedServer } from './test-servers.ts'
import { applicationFile, type ApplicationOptions } from './line-workspace.ts'

/** How somebody else writes to the cluster. */
export type Write = {
  readonly manager: string
  /** As in the URL, after the group and version: `deployments`. */
  readonly path: string
  /** A merge patch by default. */
  readonly type?: 'merge' | 'json' | 'apply'
  readonly body: Json
}

/** One application, its files on disk, and a session over them: the line without a front. */
export type Line = {
  readonly scaffold: Scaffold
  readonly session: Session
  look(): Promise<Pass>
  sync(): Promise<Pass>
  /** Somebody else's write. */
  write(write: Write): Promise<KubeObject>
  get(path: string): Promise<KubeObject>
  /** Every difference, of every object: those that count, and the notes. */
  fields(pass: Pass): readonly FieldDrift[]
  notes(pass: Pass): readonly FieldDrift[]
  drift(pass: Pass, kind: string): ObjectDrift
}

/** Opens the line over files that no commit holds (`WORKTREE`), so that a test may change them as it goes. */
export async function openLine(
  t: TestContext,
  { kubeconfig, context }: Pick<StartedServer, 'kubeconfig' | 'context'>,
  options: ApplicationOptions,
  files: Readonly<Record<string, string>>,
): Promise<Line> {
  const scaffold = await scaffoldRepository()
  t.after(() => scaffold.dispose())
  const source = { targetRevision: 'WORKTREE', ...options.source }
  await scaffold.write({ 'app.yaml': applicationFile({ ...options, source }) })
  await scaffold.commit('Begin')
  await scaffold.write(prefixed(options.name, files))
  const session = await Session.open({ workspace: scaffold.folder, kubeconfig, context, watch: false, trusted: [] })
  t.after(() => session.dispose())
  const { applications } = await session.applications()
  const [application] = applications
  if (application === undefined) throw new Error('no application')
  const cluster = await session.clusterOf(application)
  return {
    scaffold,
    session,
    look: async () => session.look(application),
    sync: async () => session.sync(application, { request: { prune: true, dryRun: false } }),
    async write({ manager, path, type = 'merge', body }) {
      const contentType = {
        merge: 'application/merge-patch+json',
        json: 'application/json-patch+json',
        apply: 'application/apply-patch+yaml',
      }[type]
      const query = `fieldManager=${manager}${type === 'apply' ? '&force=true' : ''}`
      const request = { method: 'PATCH', path: `${path}?${query}`, body: stringifyJson(body), contentType } as const
      return parseJson(await cluster.send(request, {})) as KubeObject
    },
    get: async (path) => parseJson(await cluster.raw(path, {})) as KubeObject,
    fields: (pass) => pass.snapshot.resources.flatMap(({ drift }) => drift.fields),
    notes: (pass) => pass.snapshot.resources.flatMap(({ drift }) => drift.notes),
    drift(pass, kind) {
      const found = pass.snapshot.resources.find(({ id }) => id.kind === kind)
      if (found === undefined) throw new Error(`no ${kind}`)
      return found.drift
    },
  }
}

function prefixed(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
}
