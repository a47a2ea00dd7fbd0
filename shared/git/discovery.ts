import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { configValue, parseConfig } from './git-config.ts'
import type { ConfigEntry } from './git-config.ts'
import { GitError } from './git-error.ts'
import type { ObjectFormat } from './object-id.ts'

/** Where a repository keeps what; all paths are absolute and real. */
export interface RepositoryLayout {
  /** Holds HEAD and what else belongs to one worktree. */
  readonly gitDir: string
  /** Holds objects, refs and the configuration; the main repository's for a linked worktree. */
  readonly commonDir: string
  /** The top folder of the files; undefined in a bare repository. */
  readonly root: string | undefined
  readonly objectFormat: ObjectFormat
  readonly config: readonly ConfigEntry[]
  readonly shallow: boolean
  /** Some objects were left on the remote (`git clone --filter`). */
  readonly partial: boolean
}

/** Finds the repository that a file or folder lies in. @throws GitError not-a-repository, unsupported */
export async function discoverRepository(start: string): Promise<RepositoryLayout> {
  const from = await realpath(resolve(start)).catch((cause: unknown) => {
    throw new GitError('not-a-repository', `${start} does not exist`, cause)
  })
  for (let folder = from; ; folder = dirname(folder)) {
    const found = await layoutAt(folder)
    if (found !== undefined) return found
    if (folder === dirname(folder)) break
  }
  throw new GitError('not-a-repository', `${start} is in no Git repository`)
}

async function layoutAt(folder: string): Promise<RepositoryLayout | undefined> {
  const dotGit = join(folder, '.git')
  const kind = await kindOf(dotGit)
  if (kind === 'folder' && (await isGitDir(dotGit))) return describe(await realpath(dotGit), folder)
  if (kind === 'file') return describe(await followGitFile(dotGit), folder)
  if (await isGitDir(folder)) return describe(folder, undefined)
  return undefined
}

async function followGitFile(file: string): Promise<string> {
  const text = (await readIfThere(file)) ?? ''
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(text.slice(0, 8192))?.[1]
  if (target === undefined) throw new GitError('not-a-repository', `${file} does not name a repository`)
  const gitDir = resolve(dirname(file), target)
  if (await isGitDir(gitDir)) return realpath(gitDir)
  throw new GitError('not-a-repository', `${file} names ${gitDir}, which is not a repository`)
}

async function describe(gitDir: string, root: string | undefined): Promise<RepositoryLayout> {
  const common = (await readIfThere(join(gitDir, 'commondir')))?.trim()
  const commonDir = common === undefined ? gitDir : await realpath(resolve(gitDir, common))
  const config = parseConfig((await readIfThere(join(commonDir, 'config'))) ?? '')
  const refStorage = configValue(config, 'extensions', 'refstorage') ?? 'files'
  if (refStorage !== 'files') {
    throw new GitError('unsupported', `${gitDir} keeps its refs as ${refStorage}; only files are read`)
  }
  return {
    gitDir,
    commonDir,
    root: root ?? (await configuredRoot(gitDir, config)),
    objectFormat: objectFormatOf(config, gitDir),
    config,
    shallow: (await kindOf(join(commonDir, 'shallow'))) === 'file',
    partial: config.some(({ name }) => name === 'promisor' || name === 'partialclone'),
  }
}

function objectFormatOf(config: readonly ConfigEntry[], gitDir: string): ObjectFormat {
  const format = configValue(config, 'extensions', 'objectformat')?.toLowerCase() ?? 'sha1'
  if (format === 'sha1' || format === 'sha256') return format
  throw new GitError('unsupported', `${gitDir} has objects named by ${format}; sha1 and sha256 are read`)
}

/** A `.git` that was opened directly: a submodule's says where its files are, a plain one lies in its root. */
async function configuredRoot(gitDir: string, config: readonly ConfigEntry[]): Promise<string | undefined> {
  if (configValue(config, 'core', 'bare')?.toLowerCase() === 'true') return undefined
  const worktree = configValue(config, 'core', 'worktree')
  if (worktree !== undefined) return realpath(resolve(gitDir, worktree)).catch(() => undefined)
  return gitDir.endsWith('.git') && dirname(gitDir) !== gitDir && /[/\\]\.git$/.test(gitDir)
    ? dirname(gitDir)
    : undefined
}

/** git's own test (setup.c, is_git_directory): HEAD, objects, refs; a linked worktree has a commondir instead. */
async function isGitDir(folder: string): Promise<boolean> {
  if ((await kindOf(join(folder, 'HEAD'))) !== 'file') return false
  if ((await kindOf(join(folder, 'commondir'))) === 'file') return true
  return (await kindOf(join(folder, 'objects'))) === 'folder' && (await kindOf(join(folder, 'refs'))) === 'folder'
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'folder'
    return found.isFile() ? 'file' : undefined
  } catch {
    return undefined
  }
}

/** @returns the text of a file, undefined where there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
    throw new GitError('unusable', `${path} cannot be read`, error)
  }
}
