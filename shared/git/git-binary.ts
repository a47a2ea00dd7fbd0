import { devNull } from 'node:os'
import { CancelledError } from '../base/abort.ts'
import { assertNever } from '../base/assert-never.ts'
import { run, start, successText } from '../base/process.ts'
import type { Completion, RunningProcess, StartOptions } from '../base/process.ts'
import { classifyStderr } from './classify-stderr.ts'
import { GitError } from './git-error.ts'

/** The `git` program that was found. */
export interface GitBinary {
  readonly path: string
  readonly version: string
}

/** Options of one call of the binary. */
export interface GitCall {
  /** The repository, named outright, so that no folder above decides which one it is. */
  readonly gitDir?: string | undefined
  readonly workTree?: string | undefined
  readonly cwd?: string | undefined
  readonly input?: string | undefined
  /** Configuration for this call alone. It travels in the environment, where no process list shows it. */
  readonly config?: readonly (readonly [key: string, value: string])[] | undefined
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Transports that the call may use, none when absent: a read of a partial clone must not fetch into it. */
  readonly protocols?: readonly string[] | undefined
  readonly timeoutMs?: number | undefined
  readonly maxOutputBytes?: number | undefined
  readonly successCodes?: readonly number[] | undefined
  readonly signal?: AbortSignal | undefined
}

/** @returns undefined where there is no git. */
export async function findGit(
  path = 'git',
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<GitBinary | undefined> {
  const version = successText(await run(path, ['--version'], { timeoutMs: 10_000, signal, env: environment({}) }))
  if (version === undefined) return undefined
  return { path, version: /\d+(?:\.\d+)+/.exec(version)?.[0] ?? version.trim() }
}

/** Runs git to its end. @returns stdout. @throws GitError, CancelledError */
export async function runGit(git: GitBinary, args: readonly string[], call: GitCall): Promise<Buffer> {
  const completion = await run(git.path, args, {
    cwd: call.cwd,
    env: environment(call),
    input: call.input,
    timeoutMs: call.timeoutMs,
    maxOutputBytes: call.maxOutputBytes,
    signal: call.signal,
  })
  if (completion.kind === 'exited' && (call.successCodes ?? [0]).includes(completion.code)) return completion.stdout
  throw gitFailure(completion, args[0] ?? 'git')
}

/** Starts a git that is spoken to over its pipes. */
export function startGit(
  git: GitBinary,
  args: readonly string[],
  call: GitCall & Pick<StartOptions, 'onStdout' | 'onStderr'>,
): RunningProcess {
  const { onStdout, onStderr } = call
  return start(git.path, args, { cwd: call.cwd, env: environment(call), signal: call.signal, onStdout, onStderr })
}

/** @returns the error of a run that did not succeed. */
export function gitFailure(completion: Completion, verb: string): Error {
  switch (completion.kind) {
    case 'cancelled':
      return new CancelledError()
    case 'timed-out':
      return new GitError('timed-out', `git ${verb} took longer than ${completion.timeoutMs / 1000} s`)
    case 'too-much-output':
      return new GitError('too-large', `git ${verb} printed more than ${completion.limit} bytes`)
    case 'not-found':
      return new GitError('no-git-binary', `there is no ${completion.binary} on the PATH`)
    case 'failed':
      return new GitError('unusable', `git ${verb} failed`, completion.error)
    case 'exited':
      return classifyStderr(completion.stderr, `git ${verb} ended with code ${completion.code}`)
    default:
      return assertNever(completion)
  }
}

/**
 * What the caller's own environment says of repositories (we may run inside a hook) must not reach a call, nor a
 * question to a person who is not there.
 */
const dropped = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_GRAFT_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_QUARANTINE_PATH',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_CEILING_DIRECTORIES',
  'GIT_DEFAULT_HASH',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'GIT_EXTERNAL_DIFF',
]

function environment(call: GitCall): Record<string, string> {
  const env: Record<string, string | undefined> = { ...process.env }
  for (const name of dropped) delete env[name]
  Object.assign(env, {
    LC_ALL: 'C',
    LANGUAGE: undefined,
    TERM: 'dumb',
    GIT_TERMINAL_PROMPT: '0',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_PAGER: 'cat',
    // Reading must not take index.lock, follow refs/replace (a sha must mean its own bytes), or fetch lazily.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    // Older gits do not know GIT_NO_LAZY_FETCH; with no transport allowed their lazy fetch dies before it writes.
    GIT_ALLOW_PROTOCOL: (call.protocols ?? ['none']).join(':'),
    GIT_LITERAL_PATHSPECS: '1',
    GIT_DIR: call.gitDir,
    GIT_WORK_TREE: call.workTree,
    ...call.env,
    ...configEnvironment(call.config ?? []),
  })
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return Object.fromEntries(kept)
}

function configEnvironment(config: readonly (readonly [string, string])[]): Record<string, string> {
  // Nothing of a repository may run a program of its choice: no hook, no file system monitor.
  const all = [...config, ['core.hooksPath', devNull], ['core.fsmonitor', 'false'], ['core.askPass', '']]
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(all.length) }
  for (const [index, [key = '', value = '']] of all.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  return env
}
