import { readFile } from 'node:fs/promises'
import path from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { agentManifests } from '../../shared/clusters/agent/agent-manifests.ts'
import { openClusters } from '../../shared/clusters/cluster-manager.ts'
import { CLUSTER_PROVIDERS, type ClusterRef } from '../../shared/model/cluster.ts'
import type { AgentApplications, AgentInstallOptions } from '../../shared/model/agent-install.ts'
import type { Application } from '../../shared/model/application.ts'
import { stringifyJson, type Json } from '../../shared/model/json.ts'
import { neededAccess } from '../../shared/session/agent-access.ts'
import { installAgent } from '../../shared/session/agent-installation.ts'
import type { Session } from '../../shared/session.ts'
import { toYaml, toYamlStream } from '../../shared/view/yaml.ts'
import { CliError } from '../cli-error.ts'
import { print, say, type Io } from '../io.ts'
import { withSession, type SessionFlags } from '../session-flags.ts'
import { withProgress } from './cluster-work.ts'

export type InstallFlags = SessionFlags & {
  readonly image: string
  readonly pullPolicy: string
  readonly load?: string
  readonly replicas: number
  readonly repo?: string
  readonly revision: string
  readonly path: string
  readonly fromCluster?: string
  readonly namespaceScoped?: readonly string[]
  readonly clusterWide?: boolean
  readonly dryRun?: boolean
}

export async function installFromCli(flags: InstallFlags, io: Io): Promise<void> {
  await withSession(flags, io, async (session) => {
    const options = await optionsOf(flags, session, io)
    const objects = agentManifests(options)
    if (flags.dryRun === true) {
      const json = flags.output === 'json'
      const list = { apiVersion: 'v1', kind: 'List', items: objects }
      return print(io, json ? stringifyJson(list, 2) : toYamlStream(objects))
    }
    if (flags.load !== undefined) await load(flags.image, flags.load, io)
    const applied = await installAgent(await session.cluster(), options, { signal: io.signal })
    for (const name of applied) print(io, `${name} applied`)
    say(io, '`plumbline agent status` shows when it runs')
  })
}

async function optionsOf(flags: InstallFlags, session: Session, io: Io): Promise<AgentInstallOptions> {
  const { image, replicas, namespaceScoped, clusterWide } = flags
  const pullPolicy = policyOf(flags.pullPolicy)
  if (namespaceScoped !== undefined && clusterWide === true)
    throw new CliError('usage', '--namespace-scoped and --cluster-wide exclude each other')
  const { applications, failures } = await session.applications({ signal: io.signal })
  for (const failure of failures) say(io, `warning: ${failure.message}`)
  warnOfLocal(applications, io)
  const common = {
    image,
    pullPolicy,
    replicas,
    version: manifest.version,
    applications: await applicationsOf(flags, session, applications),
  }
  if (clusterWide === true) return { ...common, missingNamespaces: [], access: { kind: 'everything' } }
  if (applications.length === 0 && namespaceScoped === undefined) {
    throw new CliError(
      'not-found',
      'no Application file was found, so nobody knows what the agent needs',
      'name them with --apps, or give every right with --cluster-wide',
    )
  }
  const { rules, unknown, missingNamespaces } = await neededAccess(session, applications, { signal: io.signal })
  for (const line of unknown) say(io, `warning: no rights for ${line}`)
  if (namespaceScoped === undefined) return { ...common, missingNamespaces, access: { kind: 'least', rules } }
  const known = applications.length === 0 ? undefined : rules
  return { ...common, missingNamespaces: [], access: { kind: 'namespaces', namespaces: namespaceScoped, rules: known } }
}

function policyOf(text: string): AgentInstallOptions['pullPolicy'] {
  if (text === 'IfNotPresent' || text === 'Always' || text === 'Never') return text
  throw new CliError('usage', `--pull-policy takes IfNotPresent, Always or Never, not ${text}`)
}

async function applicationsOf(
  flags: InstallFlags,
  session: Session,
  applications: readonly Application[],
): Promise<AgentApplications> {
  const { repo, revision, fromCluster, path: at } = flags
  if (fromCluster !== undefined) return { kind: 'cluster', namespace: fromCluster }
  if (repo !== undefined) return { kind: 'git', repoURL: repo, revision, path: at }
  const root = session.source.root ?? session.options.workspace
  const files = new Set(applications.flatMap(({ place }) => place?.file ?? []))
  const texts = await Promise.all(
    [...files].map(async (file) => [file, await readFile(path.join(root, file), 'utf8')] as const),
  )
  const { projects } = await session.applications()
  const own = [...projects.values()].map(
    (project) => [`project-${project.metadata.name}.yaml`, toYaml(project as unknown as Json)] as const,
  )
  return { kind: 'files', files: Object.fromEntries([...texts, ...own]) }
}

/** A path of this machine leads nowhere in a pod. */
function warnOfLocal(applications: readonly Application[], io: Io): void {
  for (const { name, sources } of applications) {
    const local = sources.find(
      ({ repoURL, chart }) => chart === undefined && !/^([a-z+]+:\/\/|[^/]+@[^/]+:)/i.test(repoURL),
    )
    if (local !== undefined)
      say(io, `warning: ${name} reads ${local.repoURL}, which a pod cannot reach: give it the URL of a remote`)
  }
}

async function load(image: string, cluster: string, io: Io): Promise<void> {
  const [provider = '', name = ''] = cluster.split('/')
  const known = CLUSTER_PROVIDERS.find((one) => one === provider)
  if (known === undefined || name === '')
    throw new CliError('usage', `--load takes PROVIDER/NAME, not ${cluster}`, '`plumbline cluster list` shows them')
  const ref: ClusterRef = { provider: known, name }
  await withProgress(io, true, async (progress) => openClusters({ env: io.env }).loadImage(ref, image, progress))
}
