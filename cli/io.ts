/** What a command may touch of its terminal; tests give their own. */
export type Io = {
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted by the first interrupt; a second one ends the process. */
  readonly signal: AbortSignal
}

export type Output = {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** What a process exits with: done, a difference was found, an error. */
export type ExitCode = 0 | 1 | 2

/** Tells the process what to exit with when a command ends well but found something. */
export type SetExit = (code: ExitCode) => void

/** Writes a line for people. */
export function say(io: Io, line: string): void {
  io.stderr.write(`${line}\n`)
}

/** Writes data. */
export function print(io: Io, text: string): void {
  io.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
}
