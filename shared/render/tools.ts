import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { CancelledError } from '../base/abort.ts'
import { assertNever } from '../base/assert-never.ts'
import { Limiter } from '../base/limiter.ts'
import { run } from '../base/process.ts'
import type { Completion } from '../base/process.ts'
import { redact } from '../base/redact.ts'
import type { Cancellable } from '../model/ports.ts'
import { RenderError } from './errors.ts'

type ToolName = 'kustomize' | 'kubectl' | 'helm'

export type ToolOptions = {
  /** Names on PATH or full paths; the tools' own names when absent. */
  readonly tools?: Readonly<Partial<Record<ToolName, string>>>
  /** Milliseconds that one run of a tool may take; 90 000 when absent, as in Argo CD. */
  readonly timeoutMs?: number
  /** Lets kustomize fetch bases by URL; else tools are kept off the network. */
  readonly allowRemoteBases?: boolean
}

/** How to make manifests of a kustomization here: the binary and the words before the folder. */
export type Command = { readonly binary: string; readonly words: readonly string[]; readonly version: string }

/** Runs at once: more would only wait for each other. */
const slotCount = Math.max(2, availableParallelism())
const maxOutputBytes = 64 * 1024 * 1024
const advice: Record<'kustomize' | 'helm', string> = {
  kustomize:
    'kustomize is not installed, and neither is kubectl, which has it built in; install one of them, or set the path of the binary in plumbline.tools.kustomize',
  helm: 'helm is not installed; install it (https://helm.sh/docs/intro/install), or set the path of the binary in plumbline.tools.helm',
}

/** The binaries that renderers run: found once, always with an argument array, a bare environment and a time limit. */
export class ToolBox {
  private readonly options: ToolOptions
  private readonly commands = new Map<string, Promise<Command>>()
  private readonly slots = new Limiter({ start: slotCount, floor: slotCount, ceiling: slotCount })

  constructor(options: ToolOptions) {
    this.options = options
  }

  async version(tool: 'kustomize' | 'helm', options: Cancellable): Promise<string> {
    return (await this.command(tool, options)).version
  }

  /** @throws RenderError `tool-missing`, saying what to install and what to set */
  async command(tool: 'kustomize' | 'helm', options: Cancellable): Promise<Command> {
    const known = this.commands.get(tool)
    if (known !== undefined) return known
    // Not remembered when it fails: the person may install the tool and try again.
    const asked = tool === 'helm' ? this.findHelm(options) : this.findKustomize(options)
    const kept = asked.catch((error: unknown) => {
      this.commands.delete(tool)
      throw error
    })
    this.commands.set(tool, kept)
    return kept
  }

  /** Waits for a turn, so that many applications at once do not start as many tools, each with its folder. */
  inTurn<T>(work: () => Promise<T>, options: Cancellable): Promise<T> {
    return this.slots.run(work, options)
  }

  /**
   * What a tool wrote to stdout.
   * @throws RenderError `tool-missing`, `tool-failed` with the tool's own message, `timed-out`, `too-large`;
   * CancelledError
   */
  async output(
    tool: 'kustomize' | 'helm',
    args: readonly string[],
    { cwd, signal }: Cancellable & { readonly cwd: string },
  ): Promise<string> {
    const { binary, words } = await this.command(tool, signal === undefined ? {} : { signal })
    const home = await mkdtemp(join(tmpdir(), 'plumbline-home-'))
    try {
      const timeoutMs = this.options.timeoutMs ?? 90_000
      const env = { ...bareEnvironment(home), ...(this.options.allowRemoteBases === true ? {} : offNetwork) }
      const done = await run(binary, [...words, ...args], { cwd, env, timeoutMs, maxOutputBytes, signal })
      return outputOf(done, tool, cwd, signal)
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  }

  private async findHelm(options: Cancellable): Promise<Command> {
    const binary = this.options.tools?.helm ?? 'helm'
    const version = await this.ask(binary, ['version', '--short'], options)
    if (version === undefined) throw new RenderError('tool-missing', missing('helm', binary))
    return { binary, words: [], version: `helm ${version}` }
  }

  private async findKustomize(options: Cancellable): Promise<Command> {
    const own = this.options.tools?.kustomize ?? 'kustomize'
    const version = await this.ask(own, ['version'], options)
    if (version !== undefined) return { binary: own, words: ['build'], version: `kustomize ${version}` }
    if (this.options.tools?.kustomize !== undefined) throw new RenderError('tool-missing', missing('kustomize', own))
    const kubectl = this.options.tools?.kubectl ?? 'kubectl'
    const builtIn = await this.ask(kubectl, ['version', '--client'], options)
    if (builtIn === undefined) throw new RenderError('tool-missing', advice.kustomize)
    return { binary: kubectl, words: ['kustomize'], version: `kubectl ${builtIn}` }
  }

  private async ask(binary: string, args: readonly string[], { signal }: Cancellable): Promise<string | undefined> {
    const done = await run(binary, args, { env: bareEnvironment(tmpdir()), timeoutMs: 20_000, signal })
    if (done.kind === 'cancelled') throw new CancelledError(signal?.reason)
    if (done.kind !== 'exited' || done.code !== 0) return undefined
    return done.stdout.toString('utf8').trim()
  }
}

/** @throws RenderError, CancelledError for everything but a run that ended well */
function outputOf(done: Completion, tool: 'kustomize' | 'helm', cwd: string, signal: AbortSignal | undefined): string {
  switch (done.kind) {
    case 'exited':
      if (done.code === 0) return done.stdout.toString('utf8')
      throw new RenderError('tool-failed', `${tool}: ${ownMessage(done.stderr, cwd) || `exit status ${done.code}`}`)
    case 'cancelled':
      throw new CancelledError(signal?.reason)
    case 'timed-out':
      throw new RenderError('timed-out', `${tool} took longer than ${done.timeoutMs / 1000} s and was stopped`)
    case 'too-much-output':
      throw new RenderError('too-large', `${tool} wrote more than ${done.limit / 1024 / 1024} MiB and was stopped`)
    case 'not-found':
      throw new RenderError('tool-missing', advice[tool])
    case 'failed':
      throw new RenderError('tool-failed', `${tool} could not be run: ${done.error.message}`, { cause: done.error })
    default:
      return assertNever(done)
  }
}

function missing(tool: 'kustomize' | 'helm', binary: string): string {
  if (binary === tool) return advice[tool]
  return `${tool} is set to ${binary}, which does not run; install ${tool} there, or correct plumbline.tools.${tool}`
}

/** Should a tool want the network in a way that nobody foresaw: a proxy that is none, and no transport for git. */
const offNetwork = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '',
  GIT_ALLOW_PROTOCOL: 'none',
}

/** Nothing of the person's own: no kubeconfig, no Helm repositories or plugins, no credentials, no proxy. */
function bareEnvironment(home: string): Record<string, string | undefined> {
  return {
    PATH: process.env['PATH'],
    SystemRoot: process.env['SystemRoot'],
    TMPDIR: tmpdir(),
    TEMP: process.env['TEMP'],
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: home,
    XDG_CACHE_HOME: home,
    XDG_DATA_HOME: home,
    KUBECONFIG: join(home, 'none'),
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** The tool's own words, without the folder that only we know, and without a flood. */
function ownMessage(stderr: string, cwd: string): string {
  const lines = stderr
    .replaceAll(`${cwd}/`, '')
    .replaceAll(cwd, '.')
    .split('\n')
    .map((line) => line.replace(/^(?:Error|error):\s*/, '').trimEnd())
    .filter((line) => line !== '' && !/^(?:goroutine \d|\t|# Warning|panic\.go|Use --debug flag)/.test(line))
  return redact(lines.join('\n').slice(-4000))
}
