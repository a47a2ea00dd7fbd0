import { abortable, throwIfAborted } from '../base/abort.ts'
import type { RunningProcess } from '../base/process.ts'
import { BatchParser } from './batch-parser.ts'
import { gitFailure, runGit, startGit } from './git-binary.ts'
import type { GitBinary } from './git-binary.ts'
import { GitError } from './git-error.ts'
import type { Found, ObjectReader, ReadOptions } from './objects.ts'

interface Request {
  readonly count: number
  readonly limit: number
  readonly results: Found[]
  readonly resolve: (results: readonly Found[]) => void
  readonly reject: (error: unknown) => void
}

const idleMs = 30_000

/**
 * Reads objects through one long-lived `git cat-file --batch`, which knows every kind of store (packs, multi-pack
 * indexes, alternates, SHA-256). The child starts with the first read and ends when nobody has asked for a while.
 */
export class BatchReader implements ObjectReader {
  private readonly git: GitBinary
  private readonly gitDir: string
  private child: RunningProcess | undefined
  private pending: Request[] = []
  private idle: NodeJS.Timeout | undefined
  private disposed = false

  constructor(git: GitBinary, gitDir: string) {
    this.git = git
    this.gitDir = gitDir
  }

  async readMany(ids: readonly string[], { maxBytes, signal }: ReadOptions): Promise<readonly Found[]> {
    throwIfAborted(signal)
    if (this.disposed) throw new GitError('unusable', 'the repository has been closed')
    if (ids.length === 0) return []
    const { promise, resolve, reject } = Promise.withResolvers<readonly Found[]>()
    const limit = maxBytes ?? Number.POSITIVE_INFINITY
    clearTimeout(this.idle)
    const child = this.running()
    this.pending.push({ count: ids.length, limit, results: [], resolve, reject })
    child.ref()
    child.write(`${ids.join('\n')}\n`)
    return abortable(promise, { signal })
  }

  async expand(prefix: string, { signal }: Pick<ReadOptions, 'signal'>): Promise<readonly string[]> {
    const args = ['rev-parse', `--disambiguate=${prefix}`]
    const out = await runGit(this.git, args, { gitDir: this.gitDir, signal })
    return out.toString('latin1').split('\n').filter(Boolean)
  }

  async dispose(): Promise<void> {
    this.disposed = true
    clearTimeout(this.idle)
    const child = this.child
    child?.kill()
    await child?.done
  }

  private running(): RunningProcess {
    if (this.child !== undefined) return this.child
    const parser = new BatchParser(this.take, () => this.pending[0]?.limit ?? 0)
    const child = startGit(this.git, ['cat-file', '--batch'], {
      gitDir: this.gitDir,
      onStdout: (chunk) => {
        try {
          parser.push(chunk)
        } catch (error) {
          this.fail(child, error)
          child.kill()
        }
      },
    })
    this.child = child
    void child.done.then((completion) => this.fail(child, gitFailure(completion, 'cat-file')))
    return child
  }

  private readonly take = (found: Found): void => {
    const request = this.pending[0]
    if (request === undefined) throw new GitError('unusable', 'git cat-file answered unasked')
    request.results.push(found)
    if (request.results.length < request.count) return
    this.pending.shift()
    request.resolve(request.results)
    if (this.pending.length > 0) return
    this.child?.unref()
    this.idle = setTimeout(() => this.rest(), idleMs).unref()
  }

  /** Ends the idle child; the next read starts another. */
  private rest(): void {
    this.child?.endInput()
    this.child = undefined
  }

  private fail(child: RunningProcess, error: unknown): void {
    if (this.child !== child) return
    this.child = undefined
    const { pending } = this
    this.pending = []
    for (const request of pending) request.reject(error)
  }
}
