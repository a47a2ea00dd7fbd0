import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { outputOption } from '../output.ts'
import { clusterCreateCommand } from './cluster-create.ts'
import { listClusters, listProviders, type ListFlags } from './cluster-list.ts'
import {
  deleteCluster,
  downloadTool,
  exportLogs,
  loadImage,
  startCluster,
  stopCluster,
  type WorkFlags,
} from './cluster-work.ts'

/** `plumbline cluster list | create | start | stop | delete | load-image | logs | providers | download`. */
export function clusterCommands(program: Command, io: Io): void {
  const cluster = program
    .command('cluster')
    .summary('local clusters: embedded, control-plane, kind and minikube')
    .description(
      'Local clusters to try things on. NAME may be written as PROVIDER/NAME where several have the same name.',
    )
  cluster
    .command('list')
    .alias('ls')
    .summary('list the local clusters, whoever made them')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline cluster list\n  plumbline cluster list -o json')
    .action(async (flags: ListFlags) => listClusters(flags, io))
  cluster
    .command('providers')
    .summary('show who can make clusters here, and what is missing for it')
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline cluster providers')
    .action(async (flags: ListFlags) => listProviders(flags, io))
  clusterCreateCommand(cluster, io)
  workCommands(cluster, io)
}

function workCommands(cluster: Command, io: Io): void {
  addWork(cluster.command('start <name>').summary('start a cluster that is stopped, and wait until it answers'))
    .addHelpText('after', '\nExamples:\n  plumbline cluster start dev')
    .action(async (name: string, flags: WorkFlags) => startCluster(name, flags, io))
  addWork(cluster.command('stop <name>').summary('stop a cluster; what is in it stays'))
    .addHelpText('after', '\nExamples:\n  plumbline cluster stop dev')
    .action(async (name: string, flags: WorkFlags) => stopCluster(name, flags, io))
  addWork(cluster.command('delete <name>').alias('rm').summary('delete a cluster with all that is in it'))
    .option('-y, --yes', 'do not ask')
    .option('--confirm <name>', 'the name once more, for a cluster that Plumbline did not make')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline cluster delete dev\n  plumbline cluster delete kind/old --confirm old',
    )
    .action(async (name: string, flags: WorkFlags & { yes?: boolean; confirm?: string }) =>
      deleteCluster(name, flags, io),
    )
  addWork(cluster.command('load-image <name> <image>').summary("put an image of this machine onto a cluster's nodes"))
    .description('Takes an image that the container engine has, or an archive of one.')
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline cluster load-image dev shop:local\n  plumbline cluster load-image dev ./shop.tar',
    )
    .action(async (name: string, image: string, flags: WorkFlags) => loadImage(name, image, flags, io))
  addWork(cluster.command('logs <name> [folder]').summary("write a cluster's logs to a folder"))
    .addHelpText('after', '\nExamples:\n  plumbline cluster logs dev ./dev-logs')
    .action(async (name: string, folder: string | undefined, flags: WorkFlags) => exportLogs(name, folder, flags, io))
  cluster
    .command('download <tool>')
    .summary('fetch a tool, checked against its checksum: kind, minikube, envtest, kube-controller-manager')
    .description(
      'Fetches a tool into the tools folder of the cache. HTTPS_PROXY names a proxy, PLUMBLINE_DOWNLOADS a mirror: ' +
        'https://mirror/github.com/... is then asked for https://github.com/...',
    )
    .option('--version <version>', 'another version than the one that is known to work')
    .addHelpText('after', '\nExamples:\n  plumbline cluster download kind\n  plumbline cluster download envtest')
    .action(async (tool: string, flags: { version?: string }) => downloadTool(tool, flags, io))
}

function addWork(command: Command): Command {
  return command.option('-p, --provider <provider>', 'which one, where several clusters have the name')
}
