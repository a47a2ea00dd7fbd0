import type { Command } from 'commander'
import type { Io } from '../io.ts'
import { outputOption } from '../output.ts'
import { listContexts, type ContextListFlags } from './context-list.ts'
import {
  deleteContext,
  importContexts,
  markAsProduction,
  renameContext,
  setContextNamespace,
  undoEdit,
  useContext,
  type EditFlags,
} from './context-edit.ts'

/** `plumbline context list | use | rename | namespace | delete | import | production | undo`. */
export function contextCommands(program: Command, io: Io): void {
  const context = program
    .command('context')
    .summary('kube contexts: which there are, which one is acted on, and edits of them')
  add(context, 'list', 'list the contexts of all kubeconfig files', [
    'plumbline context list',
    'plumbline context list --probe',
  ])
    .alias('ls')
    .option('--probe', 'ask each server whether it answers, and its version; runs what the contexts log in with')
    .addOption(outputOption())
    .action(async (flags: ContextListFlags) => listContexts(flags, io))
  add(context, 'use <name>', 'choose the context that commands act on', [
    'plumbline context use kind-dev',
    'plumbline context use embedded',
  ])
    .description(
      'Chooses the context for Plumbline alone; no kubeconfig is written unless asked for. `embedded` is the built-in cluster.',
    )
    .option('--in-kubeconfig', "make it the kubeconfig's current context too, as kubectl does")
    .action(async (name: string, flags: EditFlags & { inKubeconfig?: boolean }) => useContext(name, flags, io))
  edits(context, io)
}

function edits(context: Command, io: Io): void {
  add(context, 'rename <name> <to>', 'give a context another name', ['plumbline context rename kind-dev dev']).action(
    async (name: string, to: string, flags: EditFlags) => renameContext(name, to, flags, io),
  )
  add(context, 'namespace <name> <namespace>', "set a context's namespace", [
    'plumbline context namespace dev shop',
  ]).action(async (name: string, namespace: string, flags: EditFlags) =>
    setContextNamespace(name, namespace, flags, io),
  )
  add(context, 'delete <name>', 'delete a context, and the cluster and user that nothing else names', [
    'plumbline context delete old',
  ])
    .alias('rm')
    .option('-y, --yes', 'do not ask')
    .action(async (name: string, flags: EditFlags & { yes?: boolean }) => deleteContext(name, flags, io))
  add(context, 'import <file>', "take over another kubeconfig's contexts; - reads stdin", [
    'plumbline context import ./new-cluster.yaml',
    'ssh host cat k3s.yaml | plumbline context import -',
  ])
    .option('--replace', 'replace what has the same names')
    .action(async (file: string, flags: EditFlags & { replace?: boolean }) => importContexts(file, flags, io))
  add(context, 'production <name>', 'mark a context as production: prune and delete ask for its name', [
    'plumbline context production prod-eu',
    'plumbline context production reproduction --off',
  ])
    .option('--off', 'say that it is none')
    .action(async (name: string, flags: EditFlags & { off?: boolean }) => markAsProduction(name, flags, io))
  context
    .command('undo <id>')
    .summary('take an edit of kubeconfig files back')
    .description('Each edit prints how to take it back. Refused where somebody has edited the file since.')
    .addHelpText('after', '\nExamples:\n  plumbline context undo 0a1b2c3d')
    .action(async (id: string) => undoEdit(id, io))
}

function add(context: Command, words: string, summary: string, examples: readonly string[]): Command {
  return context
    .command(words)
    .summary(summary)
    .option('--kubeconfig <file>', 'kubeconfig to work on instead of KUBECONFIG or ~/.kube/config')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
}
