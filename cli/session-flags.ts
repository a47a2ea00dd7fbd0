import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { stateFolder } from '../shared/base/folders.ts'
import { EMBEDDED_CONTEXT } from '../shared/clusters/embedded.ts'
import type { Application } from '../shared/model/application.ts'
import { Session } from '../shared/session.ts'
import { CliError } from './cli-error.ts'
import { say, type Io } from './io.ts'
import { secondsArgument } from './output.ts'

export type OutputFormat = 'table' | 'wide' | 'json' | 'yaml' | 'name'

export type SessionFlags = {
  readonly context?: string
  readonly kubeconfig?: string
  readonly apps?: string
  readonly output?: OutputFormat
  readonly trust?: readonly string[]
  /** Milliseconds. */
  readonly requestTimeout?: number
  /** Set by commands that stay: the cluster is watched. */
  readonly watch?: boolean
}

/** Flags that every command about applications takes. */
export function addSessionFlags(command: Command): Command {
  return command
    .option('--context <name>', 'kube context to act on; `embedded` is the built-in cluster')
    .option('--kubeconfig <file>', 'kubeconfig to read instead of KUBECONFIG or ~/.kube/config')
    .option('--apps <path>', 'folder or file with the Application files (default: the current repository)')
    .option('--request-timeout <time>', 'how long the server may take to answer: 30, 30s, 2m', secondsArgument)
    .option('--trust <manager...>', 'field managers whose fields are left alone')
}

/** Opens a session for one command; the caller disposes it. */
export async function openSession(flags: SessionFlags, io: Io): Promise<Session> {
  const context = flags.context ?? (flags.kubeconfig === undefined ? await chosenContext(io) : '')
  return Session.open({
    workspace: io.cwd,
    context,
    watch: flags.watch === true,
    trusted: flags.trust ?? [],
    signal: io.signal,
    ...(flags.apps === undefined ? {} : { apps: flags.apps }),
    ...(flags.requestTimeout === undefined ? {} : { requestTimeoutMs: flags.requestTimeout }),
    ...(flags.kubeconfig === undefined ? {} : { kubeconfig: path.resolve(io.cwd, flags.kubeconfig) }),
  })
}

/** Runs with a session and ends it whatever happens. */
export async function withSession<T>(flags: SessionFlags, io: Io, run: (session: Session) => Promise<T>): Promise<T> {
  const session = await openSession(flags, io)
  try {
    return await run(session)
  } finally {
    await session.dispose()
  }
}

/** The application of that name. @throws CliError `not-found`, naming those that there are */
export async function applicationNamed(session: Session, name: string, io: Io): Promise<Application> {
  const { applications, failures } = await session.applications({ signal: io.signal })
  const plain = name.replace(/^.*\//, '')
  const found = applications.find((application) => application.name === plain)
  if (found !== undefined) return found
  for (const failure of failures) say(io, `warning: ${failure.message}`)
  const names = applications.map((application) => application.name).join(', ')
  throw new CliError(
    'not-found',
    `there is no application ${name}`,
    names === '' ? 'no Application file was found; see --apps' : `there are: ${names}`,
  )
}

/** What `context use` chose, else the embedded cluster. */
export async function chosenContext(io: Io): Promise<string> {
  if (io.env['PLUMBLINE_CONTEXT']) return io.env['PLUMBLINE_CONTEXT']
  try {
    return (await readFile(contextFile(io), 'utf8')).trim() || EMBEDDED_CONTEXT
  } catch {
    return EMBEDDED_CONTEXT
  }
}

export function contextFile(io: Io): string {
  return path.join(stateFolder(io.env), 'context')
}
