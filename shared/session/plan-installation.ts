import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ClustersError } from '../clusters/clusters-error.ts'
import type { AgentApplications, AgentInstallOptions } from '../model/agent-install.ts'
import type { Application } from '../model/application.ts'
import { stringifyJson } from '../model/json.ts'
import type { Cancellable } from '../model/ports.ts'
import type { Session } from '../session.ts'
import { neededAccess } from './agent-access.ts'

/** What a person chose of an installation. */
export type InstallationWish = Pick<AgentInstallOptions, 'image' | 'pullPolicy' | 'replicas'> & {
  /** The files of the session's workspace when absent. */
  readonly applications?: AgentApplications | undefined
  readonly access: 'least' | 'everything' | { readonly namespaces: readonly string[] }
}

/** An installation as it would be applied, with what a person should know of it. @throws ClustersError `not-found`, `unsupported` */
export async function planInstallation(
  session: Session,
  wish: InstallationWish,
  options: Cancellable,
): Promise<{ readonly options: AgentInstallOptions; readonly warnings: readonly string[] }> {
  const { access, applications: from, ...rest } = wish
  const { applications, failures } = await session.applications(options)
  const warnings = [...failures.map(({ message }) => message), ...localSources(applications)]
  const common = { ...rest, applications: from ?? (await filesOf(session, applications)) }
  if (access === 'everything') {
    return { options: { ...common, missingNamespaces: [], access: { kind: 'everything' } }, warnings }
  }
  if (applications.length === 0 && access === 'least') {
    const message = 'no Application file was found, so nobody knows what the agent needs'
    throw new ClustersError('not-found', message, 'name them with --apps, or give every right with --cluster-wide')
  }
  const { rules, unknown, missingNamespaces } = await neededAccess(session, applications, options)
  for (const one of unknown) warnings.push(`no rights for ${one}`)
  if (access === 'least')
    return { options: { ...common, missingNamespaces, access: { kind: 'least', rules } }, warnings }
  const known = applications.length === 0 ? undefined : rules
  const scoped = { kind: 'namespaces', namespaces: access.namespaces, rules: known } as const
  return { options: { ...common, missingNamespaces: [], access: scoped }, warnings }
}

async function filesOf(session: Session, applications: readonly Application[]): Promise<AgentApplications> {
  const root = session.source.root ?? session.options.workspace
  const names = new Set(applications.flatMap(({ place }) => place?.file ?? []))
  const texts = await Promise.all(
    [...names].map(async (name) => [name, await readFile(path.join(root, name), 'utf8')] as const),
  )
  const { projects } = await session.applications()
  const own = [...projects.values()].map(
    (project) => [`project-${project.metadata.name}.json`, stringifyJson(project)] as const,
  )
  return { kind: 'files', files: Object.fromEntries([...texts, ...own]) }
}

/** A path of this machine leads nowhere in a pod. */
function localSources(applications: readonly Application[]): readonly string[] {
  return applications.flatMap(({ name, sources }) => {
    const local = sources.find(
      ({ repoURL, chart }) => chart === undefined && !/^([a-z+]+:\/\/|[^/]+@[^/]+:)/i.test(repoURL),
    )
    return local === undefined
      ? []
      : [`${name} reads ${local.repoURL}, which a pod cannot reach: give it the URL of a remote`]
  })
}
