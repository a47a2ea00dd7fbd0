import { createInterface } from 'node:readline/promises'
import { CliError } from './cli-error.ts'
import type { Io } from './io.ts'

/**
 * Asks a yes-or-no question on the terminal.
 * @param flag says yes where there is nobody to ask
 * @throws CliError where there is nobody to ask
 */
export async function confirm(question: string, io: Io, flag = '--yes'): Promise<boolean> {
  if (io.stdin.isTTY !== true) throw new CliError('usage', 'there is no terminal to ask on', `say ${flag}`)
  const lines = createInterface({ input: io.stdin, output: io.stderr as NodeJS.WritableStream })
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: io.signal })
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}
