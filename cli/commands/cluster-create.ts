import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { InvalidArgumentError, type Command } from 'commander'
import { openClusters } from '../../shared/clusters/cluster-manager.ts'
import type { ClusterSpec, PortMapping } from '../../shared/model/cluster.ts'
import { CliError } from '../cli-error.ts'
import { say, type Io } from '../io.ts'
import { outputOption, secondsArgument, show, wholeNumber } from '../output.ts'
import type { OutputFormat } from '../session-flags.ts'
import { refOf, withProgress } from './cluster-work.ts'

type Mirror = { readonly registry: string; readonly mirror: string }

type Flags = {
  readonly provider?: string
  readonly version?: string
  readonly nodes?: number
  readonly registryMirror?: readonly Mirror[]
  readonly port?: readonly PortMapping[]
  readonly kindConfig?: string
  readonly image?: string
  readonly driver?: string
  readonly cpus?: number
  readonly memory?: string
  readonly disk?: string
  /** Milliseconds. */
  readonly wait?: number
  readonly setCurrent?: boolean
  readonly toolOutput?: boolean
  readonly output?: OutputFormat
}

const EXAMPLES = `
Examples:
  plumbline cluster create try --provider embedded
  plumbline cluster create dev --provider control-plane --version v1.36.2
  plumbline cluster create dev --provider kind --nodes 3 --port 8080:80 --registry-mirror docker.io=https://mirror.example.com
  plumbline cluster create minikube/dev --driver docker --cpus 4 --memory 8g`

/** `plumbline cluster create NAME`. */
export function clusterCreateCommand(cluster: Command, io: Io): void {
  cluster
    .command('create <name>')
    .summary('make a cluster and wait until it answers')
    .description(
      'Makes a local cluster and adds its context to the kubeconfig. What a failure or an interrupt leaves is taken away again.',
    )
    .option('-p, --provider <provider>', 'embedded, control-plane, kind or minikube (default: embedded)')
    .option('--version <version>', 'Kubernetes version: v1.36.2')
    .option('--nodes <n>', 'nodes, the control plane included (kind, minikube)', wholeNumber)
    .option(
      '--registry-mirror <registry=url>',
      'where images of a registry are pulled from; may be repeated',
      addMirror,
    )
    .option('--port <host:container>', 'a port of this machine that leads into the cluster; may be repeated', addPort)
    .option('--kind-config <file>', 'a kind configuration that the rest is laid over')
    .option('--image <image>', 'node image (kind)')
    .option('--driver <driver>', 'where minikube runs: docker, podman, kvm2, hyperv, vfkit, virtualbox')
    .option('--cpus <n>', 'processors (minikube)', wholeNumber)
    .option('--memory <size>', 'memory: 4g, 4096m (minikube)')
    .option('--disk <size>', 'disk: 20g (minikube)')
    .option('--wait <time>', 'how long it may take to get ready: 300, 5m', secondsArgument)
    .option('--set-current', "make it the kubeconfig's current context")
    .option('--tool-output', "show the tool's own lines too")
    .addOption(outputOption())
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, flags: Flags) => create(name, flags, io))
}

async function create(text: string, flags: Flags, io: Io): Promise<void> {
  const spec = await specOf(text, flags, io)
  const row = await withProgress(io, flags.toolOutput === true, async (progress) =>
    openClusters({ env: io.env }).create(spec, progress),
  )
  say(io, `${row.id} runs; its context is ${row.context}`)
  if (flags.output === undefined || flags.output === 'table') return
  show(io, flags.output, { table: () => '', data: () => row, names: () => [row.id] })
}

async function specOf(text: string, flags: Flags, io: Io): Promise<ClusterSpec> {
  const { provider = 'embedded', name } = refOf(text, flags.provider)
  const { version, nodes, registryMirror, port, image, driver, cpus, memory, disk, wait, kindConfig, setCurrent } =
    flags
  const config = kindConfig === undefined ? undefined : await configText(path.resolve(io.cwd, kindConfig))
  const all = {
    version,
    nodes,
    image,
    driver,
    cpus,
    memory,
    disk,
    config,
    setCurrent,
    registryMirrors: registryMirror,
    ports: port,
    waitMs: wait,
  }
  const given = Object.entries(all).filter(([, value]) => value !== undefined)
  return { provider, name, ...(Object.fromEntries(given) as Omit<ClusterSpec, 'provider' | 'name'>) }
}

async function configText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new CliError('not-found', `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function addMirror(text: string, before: readonly Mirror[] = []): readonly Mirror[] {
  const at = text.indexOf('=')
  if (at <= 0) throw new InvalidArgumentError('write it as docker.io=https://mirror.example.com')
  return [...before, { registry: text.slice(0, at), mirror: text.slice(at + 1) }]
}

/** `HOST:CONTAINER`, `ADDRESS:HOST:CONTAINER`, each with `/udp` or `/sctp`. */
function addPort(text: string, before: readonly PortMapping[] = []): readonly PortMapping[] {
  const [, address, host, container, protocol = 'tcp'] =
    /^(?:([\d.]+|\[[\da-f:]+\]):)?(\d+):(\d+)(?:\/(tcp|udp|sctp))?$/i.exec(text) ?? []
  if (host === undefined || container === undefined)
    throw new InvalidArgumentError('write it as 8080:80, or 0.0.0.0:8080:80/udp')
  const mapping: PortMapping = {
    host: Number(host),
    container: Number(container),
    protocol: protocol.toUpperCase() as PortMapping['protocol'],
    ...(address === undefined ? {} : { address: address.replace(/^\[|\]$/g, '') }),
  }
  return [...before, mapping]
}
