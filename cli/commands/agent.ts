import type { Command } from 'commander'
import type { SetExit, Io } from '../io.ts'
import { outputOption, wholeNumber } from '../output.ts'
import { addSessionFlags } from '../session-flags.ts'
import { installFromCli, type InstallFlags } from './agent-install.ts'
import { agentRun, type RunFlags } from './agent-run.ts'
import { statusFromCli, uninstallFromCli, type StatusFlags, type UninstallFlags } from './agent-status.ts'

const INSTALL_EXAMPLES = `
Examples:
  plumbline agent install --context kind-dev --image plumbline-agent:0.1.0
  plumbline agent install --image registry.example.com/plumbline:0.1.0 --repo https://git.example.com/ops --path apps
  plumbline agent install --namespace-scoped shop --namespace-scoped shop-db
  plumbline agent install --dry-run -o yaml > agent.yaml`

/** `plumbline agent install | status | uninstall | run`. */
export function agentCommands(program: Command, io: Io, setExit: SetExit): void {
  const agent = program
    .command('agent')
    .summary('an agent that runs in the cluster and syncs what is automated')
    .description(
      'The same agent as at the desk, as a Deployment: it watches applications, and syncs the automated ones.',
    )
  installCommand(agent, io)
  addSessionFlags(agent.command('status').summary('show the agents of a cluster: who leads, versions, last looks'))
    .addOption(outputOption())
    .addHelpText('after', '\nExamples:\n  plumbline agent status --context kind-dev')
    .action(async (flags: StatusFlags) => statusFromCli(flags, io, setExit))
  addSessionFlags(agent.command('uninstall').summary('delete the agent from a cluster, and leave nothing of it'))
    .option('--keep-records', 'keep what Plumbline knows of the applications: inventory and history')
    .option(
      '--namespace-scoped <namespace...>',
      'the namespaces that it was installed for, where the cluster may not be listed',
    )
    .option('-y, --yes', 'do not ask')
    .addHelpText('after', '\nExamples:\n  plumbline agent uninstall --context kind-dev')
    .action(async (flags: UninstallFlags) => uninstallFromCli(flags, io))
  runCommand(agent, io)
}

function installCommand(agent: Command, io: Io): void {
  addSessionFlags(agent.command('install').summary('install the agent in a cluster, with no more rights than it needs'))
    .description(
      'Renders the applications to find out what their syncs ask of the server, and gives the agent roles for exactly that. ' +
        'Install it again after an application needs a new kind or namespace.',
    )
    .option(
      '--image <image>',
      "the agent's image, built from the Dockerfile of the repository",
      'plumbline-agent:latest',
    )
    .option('--pull-policy <policy>', 'IfNotPresent, Always or Never', 'IfNotPresent')
    .option('--load <cluster>', 'put the image of this machine onto the nodes of a kind or minikube cluster first')
    .option('--replicas <n>', 'how many: one acts, the others stand by', wholeNumber, 1)
    .option('--repo <url>', 'read Application files from this Git repository instead of keeping those found now')
    .option('--revision <revision>', 'revision of --repo', 'HEAD')
    .option('--path <path>', 'folder of --repo', '.')
    .option('--from-cluster <namespace>', "read Application objects of the cluster's own namespace instead")
    .option('--namespace-scoped <namespace...>', 'no right beyond these namespaces, and none on the cluster')
    .option('--cluster-wide', 'every right on the cluster, for applications that are not known yet')
    .option('--dry-run', 'apply nothing; show it with -o yaml')
    .addOption(outputOption())
    .addHelpText('after', INSTALL_EXAMPLES)
    .action(async (flags: InstallFlags) => installFromCli(flags, io))
}

function runCommand(agent: Command, io: Io): void {
  agent
    .command('run')
    .summary('be the agent: watch, and sync what is automated, until told to stop')
    .description(
      'What the Deployment runs. In a pod it uses the service account; elsewhere the chosen context. One agent at a time acts on a cluster.',
    )
    .option('--apps <path>', 'folder with the Application files')
    .option('--repo <url>', 'read Application files from this Git repository')
    .option('--revision <revision>', 'revision of --repo', 'HEAD')
    .option('--path <path>', 'folder of --repo', '.')
    .option('--from-cluster <namespace>', "read Application objects of the cluster's own namespace")
    .option('--context <name>', 'kube context to act on')
    .option('--kubeconfig <file>', 'kubeconfig to read')
    .addHelpText('after', '\nExamples:\n  plumbline agent run --apps ./apps --context kind-dev')
    .action(async (flags: RunFlags) => agentRun(flags, io))
}
