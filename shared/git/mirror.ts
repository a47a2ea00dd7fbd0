import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { abortable, throwIfAborted } from '../base/abort.ts'
import { redact } from '../base/redact.ts'
import { secretsOf } from './credentials.ts'
import type { Credentials, RemoteAccess } from './credentials.ts'
import { withFileLock } from './file-lock.ts'
import type { GitBinary } from './git-binary.ts'
import { GitError } from './git-error.ts'
import { GitTransport } from './git-transport.ts'
import { IsoTransport } from './iso-transport.ts'
import { isSafeRefName } from './refs.ts'
import type { Ref } from './refs.ts'
import type { Advertised, RemoteTransport } from './remote-transport.ts'
import type { RemoteUrl } from './remote-url.ts'
import { openRepository } from './repository.ts'
import type { Repository } from './repository.ts'
import type { ReadLimits } from './tree-checkout.ts'

type Remote = Extract<RemoteUrl, { readonly kind: 'remote' }>

interface Options {
  readonly signal?: AbortSignal | undefined
}

/** What the mirrors are made with. */
export interface MirrorOptions {
  /** The folder that holds them; made when it is first needed. */
  readonly folder: string
  readonly git: GitBinary | undefined
  readonly access: RemoteAccess
  readonly limits: ReadLimits
  /** Milliseconds for which the remote is not asked again. */
  readonly freshMs: number
}

const stampName = 'plumbline-fetched'

/**
 * Bare copies of remotes in the user's cache folder, one per remote, shared by all processes: made once under another
 * name and then moved into place, later fetched into under a lock.
 */
export class MirrorCache {
  private readonly options: MirrorOptions
  private readonly open = new Map<string, Promise<Repository>>()
  private readonly turns = new Map<string, Promise<unknown>>()
  private staleBefore = 0

  constructor(options: MirrorOptions) {
    this.options = options
  }

  /** The mirror, holding the revision if the remote has it. @throws GitError, CancelledError */
  async repository(remote: Remote, revision: string, options: Options): Promise<Repository> {
    const gitDir = this.pathOf(remote)
    // A whole sha means the same for ever, so a mirror that has it need not ask.
    if (isWholeSha(revision) && (await exists(gitDir)) && (await this.has(gitDir, revision, options))) {
      return this.opened(gitDir)
    }
    await this.inTurn(gitDir, options, async () => {
      throwIfAborted(options.signal)
      if (!(await this.isFresh(gitDir))) await this.refresh(remote, gitDir, options)
      const needed = isWholeSha(revision) ? !(await this.has(gitDir, revision, options)) : isOtherRef(revision)
      if (needed) await this.fetchOne(remote, gitDir, revision, options)
    })
    return this.opened(gitDir)
  }

  /** Asks a remote what it has, and keeps nothing. @throws GitError, CancelledError */
  async probe(remote: Remote, options: Options): Promise<Advertised> {
    const { folder } = this.options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return this.speak(remote, this.pathOf(remote), async (transport) => transport.advertised(options))
  }

  /** Makes the next use of every mirror ask its remote. */
  expire(): void {
    this.staleBefore = Date.now()
  }

  async dispose(): Promise<void> {
    const all = await Promise.allSettled(this.open.values())
    this.open.clear()
    for (const result of all) if (result.status === 'fulfilled') await result.value.dispose()
  }

  private pathOf({ protocol, user, host, port, path }: Remote): string {
    const login = protocol === 'ssh' ? (user ?? '') : ''
    const key = `${protocol}://${login}@${host}:${port ?? ''}/${path}`
    return join(this.options.folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.git`)
  }

  private opened(gitDir: string): Promise<Repository> {
    const known = this.open.get(gitDir)
    if (known !== undefined) return known
    const { git, limits } = this.options
    const opening = openRepository(gitDir, { git, limits })
    this.open.set(gitDir, opening)
    opening.catch(() => this.open.delete(gitDir))
    return opening
  }

  private async forget(gitDir: string): Promise<void> {
    const repository = await this.open.get(gitDir)?.catch(() => undefined)
    this.open.delete(gitDir)
    await repository?.dispose()
  }

  private async has(gitDir: string, sha: string, options: Options): Promise<boolean> {
    try {
      await (await this.opened(gitDir)).resolve(sha, options)
      return true
    } catch (error) {
      if (GitError.is(error, 'unknown-revision')) return false
      throw error
    }
  }

  /** Callers in this process wait for each other here; the lock file is for other processes. */
  private async inTurn(gitDir: string, options: Options, work: () => Promise<void>): Promise<void> {
    const before = this.turns.get(gitDir) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.turns.set(gitDir, mine)
    await abortable(mine, options)
  }

  private async isFresh(gitDir: string): Promise<boolean> {
    const stamp = await stat(join(gitDir, stampName)).catch(() => undefined)
    if (stamp === undefined || stamp.mtimeMs <= this.staleBefore) return false
    const age = Date.now() - stamp.mtimeMs
    return age >= 0 && age < this.options.freshMs
  }

  private async refresh(remote: Remote, gitDir: string, options: Options): Promise<void> {
    await this.locked(gitDir, options, async () => {
      if (await this.isFresh(gitDir)) return
      await this.speak(remote, gitDir, async (transport) => {
        const advertised = await transport.advertised(options)
        if (await exists(gitDir)) await this.update(gitDir, transport, advertised, options)
        else await this.create(gitDir, transport, advertised, options)
      })
    })
  }

  private async update(
    gitDir: string,
    transport: RemoteTransport,
    advertised: Advertised,
    options: Options,
  ): Promise<void> {
    try {
      const ours = await this.refsOf(gitDir)
      // The empty copy of an empty remote may have the wrong kind of ids for what came since.
      if (ours.length === 0 && advertised.refs.length > 0)
        return await this.recreate(gitDir, transport, advertised, options)
      if (differ(ours, advertised.refs)) await transport.fetch(gitDir, advertised, options)
    } catch (error) {
      // A damaged copy is worth nothing: the remote has it all.
      const damaged = (['corrupt', 'missing-object', 'not-a-repository'] as const).some((reason) =>
        GitError.is(error, reason),
      )
      if (!damaged) throw error
      return this.recreate(gitDir, transport, advertised, options)
    }
    await settle(gitDir, advertised)
  }

  private async recreate(
    gitDir: string,
    transport: RemoteTransport,
    advertised: Advertised,
    options: Options,
  ): Promise<void> {
    await this.forget(gitDir)
    await rm(gitDir, { recursive: true, force: true })
    await this.create(gitDir, transport, advertised, options)
  }

  private async create(
    gitDir: string,
    transport: RemoteTransport,
    advertised: Advertised,
    options: Options,
  ): Promise<void> {
    await this.removeLeftovers(gitDir)
    const fresh = `${gitDir}.new-${randomBytes(6).toString('hex')}`
    try {
      await transport.create(fresh, advertised, options)
      if (advertised.refs.length > 0) await transport.fetch(fresh, advertised, options)
      await settle(fresh, advertised)
      await rename(fresh, gitDir)
    } catch (error) {
      await rm(fresh, { recursive: true, force: true })
      throw error
    }
  }

  /** What a killed process began; the lock says that nobody else is at it. */
  private async removeLeftovers(gitDir: string): Promise<void> {
    const { folder } = this.options
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      if (path.startsWith(`${gitDir}.new-`)) await rm(path, { recursive: true, force: true })
    }
  }

  private async refsOf(gitDir: string): Promise<readonly Ref[]> {
    const repository = await this.opened(gitDir)
    return [...(await repository.refs('refs/heads/')), ...(await repository.refs('refs/tags/'))]
  }

  private async fetchOne(remote: Remote, gitDir: string, revision: string, options: Options): Promise<void> {
    const keepAs = isWholeSha(revision) ? `refs/plumbline/${revision}` : revision
    await this.locked(gitDir, options, () =>
      this.speak(remote, gitDir, async (transport) => {
        await transport.fetchOne(gitDir, revision, keepAs, options).catch((error: unknown) => {
          // Whether a remote gives out what no branch has is its own choice; either way it is not there for us.
          if (!GitError.is(error, 'unknown-revision') && !GitError.is(error, 'unusable')) throw error
          throw new GitError('unknown-revision', `${remote.url} has no revision ${revision}`, error)
        })
      }),
    )
  }

  private async locked(gitDir: string, options: Options, work: () => Promise<void>): Promise<void> {
    await mkdir(this.options.folder, { recursive: true, mode: 0o700 })
    await withFileLock(`${gitDir}.lock`, work, options)
  }

  private async speak<T>(remote: Remote, gitDir: string, work: (transport: RemoteTransport) => Promise<T>): Promise<T> {
    const { git, access } = this.options
    const credentials = (await access.credentialsFor?.(remote.url)) ?? fromUrl(remote, git)
    if (git === undefined && remote.protocol !== 'https' && remote.protocol !== 'http') {
      throw new GitError('no-git-binary', `${remote.url} is reached by ${remote.protocol}, which needs git; install it`)
    }
    const transport =
      git === undefined
        ? new IsoTransport({ remote, access, credentials })
        : new GitTransport({ git, remote, access, credentials, certificateFile: `${gitDir}.ca.pem` })
    try {
      return await work(transport)
    } catch (error) {
      if (!GitError.is(error)) throw error
      const message = redact(error.message, [...secretsOf(credentials), remote.password])
      throw new GitError(
        error.reason,
        message.includes(remote.host) ? message : `${remote.url}: ${message}`,
        error.cause,
      )
    }
  }
}

/** A password, or a token in the user's place. A user alone is left to git, whose helpers may know the rest. */
function fromUrl({ user, password, protocol }: Remote, git: GitBinary | undefined): Credentials | undefined {
  if (protocol !== 'https' && protocol !== 'http') return undefined
  const complete = password !== undefined || (user !== undefined && (git === undefined || redact(user) !== user))
  return complete ? { kind: 'basic', username: user ?? '', password: password ?? '' } : undefined
}

/** HEAD as the remote has it, and the time at which it was asked. */
async function settle(gitDir: string, { head }: Advertised): Promise<void> {
  const named = head?.startsWith('refs/heads/') === true && isSafeRefName(head)
  if (head !== undefined && (named || isWholeSha(head))) {
    const file = join(gitDir, 'HEAD')
    await writeFile(`${file}.new`, named ? `ref: ${head}\n` : `${head}\n`)
    await rename(`${file}.new`, file)
  }
  const stamp = join(gitDir, stampName)
  await writeFile(stamp, '')
  const now = new Date()
  await utimes(stamp, now, now)
}

function differ(ours: readonly Ref[], theirs: readonly Ref[]): boolean {
  const ids = new Map(theirs.map(({ name, id }) => [name, id]))
  return ours.length !== ids.size || ours.some(({ name, id }) => ids.get(name) !== id)
}

function isWholeSha(revision: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision)
}

/** A pull request's ref, say, which a mirror does not hold by itself. */
function isOtherRef(revision: string): boolean {
  return revision.startsWith('refs/') && !/^refs\/(?:heads|tags)\//.test(revision) && isSafeRefName(revision)
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}
