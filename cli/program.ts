import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { agentCommands } from './commands/agent.ts'
import { apiCommand } from './commands/api.ts'
import { appCommands } from './commands/app.ts'
import { clusterCommands } from './commands/cluster.ts'
import { commitCommands } from './commands/commit.ts'
import { completionCommand } from './commands/completion.ts'
import { contextCommands } from './commands/context.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCommands } from './commands/key.ts'
import { renderCommand } from './commands/render.ts'
import { serveCommand } from './commands/serve.ts'
import { tourCommand } from './commands/tour.ts'
import type { ExitCode, Io, SetExit } from './io.ts'

/** The whole command line as one value; help, completion and tests read it. */
export function buildProgram(io: Io, setExit: SetExit): Command {
  const program = new Command('plumbline')
    .description(
      'GitOps for the desk: holds a Git repository against a live Kubernetes cluster, and brings the cluster back to Git.',
    )
    .version(manifest.version)
    .option('--verbose', 'show where an error came from')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showSuggestionAfterError()
    .enablePositionalOptions()
  appCommands(program, io, setExit)
  renderCommand(program, io)
  commitCommands(program, io, setExit)
  keyCommands(program, io)
  contextCommands(program, io)
  clusterCommands(program, io)
  agentCommands(program, io, setExit)
  apiCommand(program, io)
  serveCommand(program, io)
  tourCommand(program, async (words, at) => runInside(words, at), io)
  doctorCommand(program, io, setExit)
  completionCommand(program, io)
  return program
}

/** One command line run inside another, with its own exit status. */
async function runInside(words: readonly string[], io: Io): Promise<ExitCode> {
  let exit: ExitCode = 0
  await buildProgram(io, (code) => void (exit = code)).parseAsync([...words], { from: 'user' })
  return exit
}

/** The exit status of a commander error (help shown, bad usage), or undefined for errors that are not its. */
export function isUsageExit(error: unknown): ExitCode | undefined {
  if (!(error instanceof CommanderError)) return undefined
  return error.exitCode === 0 ? 0 : 2
}
