import { agentManifests } from '../../shared/clusters/agent/agent-manifests.ts'
import { openClusters } from '../../shared/clusters/cluster-manager.ts'
import { CLUSTER_PROVIDERS, type ClusterRef } from '../../shared/model/cluster.ts'
import type { AgentApplications, AgentInstallOptions } from '../../shared/model/agent-install.ts'
import type { KubeObject } from '../../shared/model/kubernetes.ts'
import { stringifyJson } from '../../shared/model/json.ts'
import { installAgent } from '../../shared/session/agent-installation.ts'
import { planInstallation } from '../../shared/session/plan-installation.ts'
import type { Session } from '../../shared/session.ts'
import { toYamlStream } from '../../shared/view/yaml.ts'
import { CliError } from '../cli-error.ts'
import { print, say, type Io } from '../io.ts'
import { withSession, type OutputFormat, type SessionFlags } from '../session-flags.ts'
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
    if (flags.dryRun === true) return render(objects, flags.output, io)
    if (flags.load !== undefined) await load(flags.image, flags.load, io)
    const applied = await installAgent(await session.cluster(), options, { signal: io.signal })
    for (const name of applied) print(io, `${name} applied`)
    say(io, '`plumbline agent status` shows when it runs')
  })
}

function render(objects: readonly KubeObject[], output: OutputFormat | undefined, io: Io): void {
  if (output === 'json') return print(io, stringifyJson({ apiVersion: 'v1', kind: 'List', items: objects }, 2))
  if (output === 'yaml') return print(io, toYamlStream(objects))
  for (const { kind, metadata } of objects) {
    const place = metadata.namespace === undefined ? '' : `${metadata.namespace}/`
    print(
      io,
      output === 'name'
        ? `${kind.toLowerCase()}/${metadata.name}`
        : `${kind} ${place}${metadata.name} would be applied`,
    )
  }
}

async function optionsOf(flags: InstallFlags, session: Session, io: Io): Promise<AgentInstallOptions> {
  const { image, replicas, namespaceScoped, clusterWide } = flags
  if (namespaceScoped !== undefined && clusterWide === true)
    throw new CliError('usage', '--namespace-scoped and --cluster-wide exclude each other')
  const access =
    clusterWide === true ? 'everything' : namespaceScoped === undefined ? 'least' : { namespaces: namespaceScoped }
  const wish = {
    image,
    replicas,
    pullPolicy: policyOf(flags.pullPolicy),
    applications: applicationsOf(flags),
    access,
  } as const
  const { options, warnings } = await planInstallation(session, wish, { signal: io.signal })
  for (const warning of warnings) say(io, `warning: ${warning}`)
  return options
}

function applicationsOf({ repo, revision, fromCluster, path: at }: InstallFlags): AgentApplications | undefined {
  if (fromCluster !== undefined) return { kind: 'cluster', namespace: fromCluster }
  return repo === undefined ? undefined : { kind: 'git', repoURL: repo, revision, path: at }
}

function policyOf(text: string): AgentInstallOptions['pullPolicy'] {
  if (text === 'IfNotPresent' || text === 'Always' || text === 'Never') return text
  throw new CliError('usage', `--pull-policy takes IfNotPresent, Always or Never, not ${text}`)
}

async function load(image: string, cluster: string, io: Io): Promise<void> {
  const [provider = '', name = ''] = cluster.split('/')
  const known = CLUSTER_PROVIDERS.find((one) => one === provider)
  if (known === undefined || name === '')
    throw new CliError('usage', `--load takes PROVIDER/NAME, not ${cluster}`, '`plumbline cluster list` shows them')
  const ref: ClusterRef = { provider: known, name }
  await withProgress(io, true, async (progress) => openClusters({ env: io.env }).loadImage(ref, image, progress))
}
