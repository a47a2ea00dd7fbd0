import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { stateFolder } from '../shared/base/folders.ts'
import { isProduction, readMarks } from '../shared/clusters/production-marks.ts'
import { CliError } from './cli-error.ts'
import type { Io } from './io.ts'

export type ProductionFlags = { readonly confirmContext?: string }

/** The flag of commands that delete something. */
export function addProductionFlag(command: Command): Command {
  return command.option('--confirm-context <name>', "the context's name once more, where it is marked as production")
}

/**
 * Asks for the context's name to be typed before something is deleted in production.
 * @throws CliError `refused` where it is another name, or nobody is there to type it
 */
export async function guardProduction(context: string, { confirmContext }: ProductionFlags, io: Io): Promise<void> {
  if (!isProduction(context, await readMarks(stateFolder(io.env)))) return
  const typed = confirmContext ?? (io.stdin.isTTY === true ? await typedName(context, io) : undefined)
  if (typed === context) return
  const said = typed === undefined || typed === '' ? '' : `, and "${typed}" is not its name`
  throw new CliError('refused', `${context} is a production context${said}`, `say --confirm-context ${context}`)
}

async function typedName(context: string, io: Io): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: io.stderr as NodeJS.WritableStream })
  try {
    return (
      await lines.question(`${context} is a production context. Type its name to go on: `, { signal: io.signal })
    ).trim()
  } finally {
    lines.close()
  }
}
