import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import ignoreModule from 'ignore'
import type { Ignore } from 'ignore'
import { throwIfAborted } from '../base/abort.ts'
import { maxListedFiles, tooMany } from './commit-view.ts'
import { readIfThere } from './discovery.ts'
import type { RepositoryLayout } from './discovery.ts'
import { runGit } from './git-binary.ts'
import type { GitBinary } from './git-binary.ts'
import { configValue } from './git-config.ts'
import { GitError } from './git-error.ts'
import { parseIndex } from './index-file.ts'
import { isGitFolder } from './tree-parser.ts'

/** The package is CommonJS with an `exports.default`, which Node's loader does not unwrap. */
const ignore = ignoreModule.default

interface Options {
  readonly signal?: AbortSignal | undefined
}

/** What git takes for the content of a working tree. */
export interface WorktreeNames {
  /** Tracked or not ignored; a tracked file may be gone from the disk. */
  readonly paths: ReadonlySet<string>
  /** Submodules with the commit that is staged for each. */
  readonly submodules: ReadonlyMap<string, string>
}

/** Lists by git where there is one, since ignore rules and index formats are git's own; else by what follows here. */
export async function worktreeNames(
  layout: RepositoryLayout,
  root: string,
  git: GitBinary | undefined,
  options: Options,
): Promise<WorktreeNames> {
  return git === undefined ? namesByUs(layout, root, options) : namesByGit(layout, root, git, options)
}

async function namesByGit(
  { gitDir }: RepositoryLayout,
  root: string,
  git: GitBinary,
  { signal }: Options,
): Promise<WorktreeNames> {
  const call = { gitDir, workTree: root, cwd: root, signal, config: [['core.untrackedCache', 'false']] as const }
  const [staged, others] = await Promise.all([
    runGit(git, ['ls-files', '-z', '--stage'], call),
    runGit(git, ['ls-files', '-z', '--others', '--exclude-standard'], call),
  ])
  const paths = new Set<string>()
  const submodules = new Map<string, string>()
  for (const line of staged.toString('utf8').split('\0')) {
    const match = /^(\d+) ([0-9a-f]+) \d\t(.+)$/s.exec(line)
    if (match?.[3] === undefined) continue
    if (match[1] === '160000') submodules.set(match[3], match[2] ?? '')
    else paths.add(match[3])
  }
  // A repository inside of this one is listed as a folder, with a slash, and is not ours to read.
  for (const path of others.toString('utf8').split('\0')) if (path !== '' && !path.endsWith('/')) paths.add(path)
  if (paths.size > maxListedFiles) throw tooMany()
  return { paths, submodules }
}

async function namesByUs(layout: RepositoryLayout, root: string, options: Options): Promise<WorktreeNames> {
  const paths = new Set<string>()
  const submodules = new Map<string, string>()
  const staged = await readFile(join(layout.gitDir, 'index')).catch(() => undefined)
  for (const { path, mode, id } of staged === undefined ? [] : parseIndex(staged, layout.objectFormat)) {
    if (mode === '160000') submodules.set(path, id)
    else paths.add(path)
  }
  const walk: Walk = { root, paths, submodules, signal: options.signal }
  await addUntracked('', [...(await sharedRules(layout))], walk)
  return { paths, submodules }
}

interface Rules {
  /** The folder that the patterns are relative to, with a slash, or ''. */
  readonly base: string
  readonly patterns: Ignore
}

interface Walk {
  readonly root: string
  readonly paths: Set<string>
  readonly submodules: ReadonlyMap<string, string>
  readonly signal: AbortSignal | undefined
}

/** gitignore(5): of all patterns the last that matches decides; a file below an ignored folder cannot come back. */
async function addUntracked(folder: string, above: readonly Rules[], walk: Walk): Promise<void> {
  throwIfAborted(walk.signal)
  const text = await readIfThere(join(walk.root, folder, '.gitignore')).catch(() => undefined)
  const rules = text === undefined ? above : [...above, { base: folder, patterns: ignore().add(text) }]
  const entries = await readdir(join(walk.root, folder), { withFileTypes: true }).catch((cause: unknown) => {
    throw new GitError('unusable', `folder ${folder} cannot be read`, cause)
  })
  for (const entry of entries) {
    const path = folder + entry.name
    if (isGitFolder(entry.name) || walk.submodules.has(path)) continue
    if (entry.isDirectory()) {
      const nested = existsSync(join(walk.root, path, '.git'))
      if (!nested && !isIgnored(`${path}/`, rules)) await addUntracked(`${path}/`, rules, walk)
    } else if (!walk.paths.has(path) && (entry.isFile() || entry.isSymbolicLink()) && !isIgnored(path, rules)) {
      walk.paths.add(path)
      if (walk.paths.size > maxListedFiles) throw tooMany()
    }
  }
}

function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { base, patterns } of rules.toReversed()) {
    const { ignored, unignored } = patterns.test(path.slice(base.length))
    if (ignored) return true
    if (unignored) return false
  }
  return false
}

/** From the weakest: the person's own file, then the clone's `info/exclude`. */
async function sharedRules(layout: RepositoryLayout): Promise<readonly Rules[]> {
  const config = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  const own = configValue(layout.config, 'core', 'excludesfile')?.replace(/^~(?=\/)/, homedir())
  const texts = [
    await readIfThere(own ?? join(config, 'git', 'ignore')).catch(() => undefined),
    await readIfThere(join(layout.commonDir, 'info', 'exclude')).catch(() => undefined),
  ]
  return texts.filter((text) => text !== undefined).map((text) => ({ base: '', patterns: ignore().add(text) }))
}
