import { createHash } from 'node:crypto'
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '../../shared/base/process.ts'

/** A real repository made by the real git, the same on every run: fixed people, fixed times. */
export interface Scaffold {
  /** Real path of the working tree, or of a bare repository. */
  readonly folder: string
  /** Runs git in the folder. @returns stdout without its last line end. */
  git(...args: readonly string[]): Promise<string>
  /** Writes files by path; the value is the content. */
  write(
    files: Readonly<Record<string, string | Uint8Array>>,
    options?: { readonly executable?: boolean },
  ): Promise<void>
  link(path: string, target: string): Promise<void>
  remove(path: string): Promise<void>
  /** Stages everything and commits it. @returns the sha. */
  commit(message: string, extra?: readonly string[]): Promise<string>
  /** Another repository beside this one, removed with it. */
  sibling(name: string): Promise<Scaffold>
  /** A path beside this repository, removed with it. */
  beside(name: string): string
  dispose(): Promise<void>
}

/** How a repository is made. */
export interface ScaffoldOptions {
  readonly bare?: boolean
  readonly objectFormat?: 'sha1' | 'sha256'
  /** Configuration that git takes for the person's own. */
  readonly globalConfig?: string
}

const firstCommit = Date.UTC(2026, 0, 1) / 1000

/** @returns why a test that needs git cannot run, undefined when it can. */
export async function gitIsMissing(): Promise<string | undefined> {
  const found = await run('git', ['--version'], { timeoutMs: 10_000 })
  return found.kind === 'exited' && found.code === 0 ? undefined : 'skipped: no git on PATH'
}

/** Makes an empty repository on branch `main`; the caller disposes it. */
export async function scaffoldRepository(options: ScaffoldOptions = {}): Promise<Scaffold> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'plumbline-test-')))
  await writeFile(join(home, '.gitconfig'), options.globalConfig ?? '')
  return init(home, 'repository', options, () => rm(home, { recursive: true, force: true, maxRetries: 3 }))
}

async function init(
  home: string,
  name: string,
  { bare = false, objectFormat = 'sha1' }: ScaffoldOptions,
  dispose: () => Promise<void>,
): Promise<Scaffold> {
  const folder = join(home, name)
  await mkdir(folder, { recursive: true })
  const scaffold = at(home, folder, dispose)
  const flags = [...(bare ? ['--bare'] : []), `--object-format=${objectFormat}`]
  await scaffold.git('init', '--quiet', '--initial-branch=main', '--template=', ...flags)
  return scaffold
}

function at(home: string, folder: string, dispose: () => Promise<void>): Scaffold {
  let commits = 0
  const scaffold: Scaffold = {
    folder,
    git: (...args) => runGit(home, folder, firstCommit + commits * 60, args),
    async write(files, { executable = false } = {}) {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, path)
        await mkdir(dirname(file), { recursive: true })
        await writeFile(file, content)
        if (executable) await chmod(file, 0o755)
      }
    },
    async link(path, target) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await symlink(target, join(folder, path))
    },
    remove: (path) => rm(join(folder, path), { recursive: true, force: true }),
    async commit(message, extra = []) {
      commits += 1
      await scaffold.git('add', '--all')
      await scaffold.git('commit', '--quiet', '--allow-empty', `--message=${message}`, ...extra)
      return scaffold.git('rev-parse', 'HEAD')
    },
    sibling: (name) => init(home, name, {}, async () => undefined),
    beside: (name) => join(home, name),
    dispose,
  }
  return scaffold
}

async function runGit(home: string, cwd: string, time: number, args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    SystemRoot: process.env['SystemRoot'],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_AUTHOR_NAME: 'Ada Example',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_AUTHOR_DATE: `${time} +0000`,
    GIT_COMMITTER_NAME: 'Carl Example',
    GIT_COMMITTER_EMAIL: 'carl@example.com',
    GIT_COMMITTER_DATE: `${time} +0000`,
  }
  const done = await run('git', args, { cwd, env, timeoutMs: 60_000 })
  if (done.kind === 'exited' && done.code === 0) return done.stdout.toString('utf8').replace(/\n$/, '')
  throw new Error(`git ${args.join(' ')}: ${'stderr' in done ? done.stderr : done.kind}`)
}

/** A digest of every name, mode, time and byte below a folder: equal before and after means that nothing was written. */
export async function fingerprint(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort()
  for (const path of [folder, ...paths]) {
    const stat = await lstat(path, { bigint: true })
    hash.update(`${path}\0${stat.mode}\0${stat.mtimeNs}\0${stat.size}\0`)
    if (stat.isFile()) hash.update(await readFile(path))
    if (stat.isSymbolicLink()) hash.update(await readlink(path))
  }
  return hash.digest('hex')
}
