import { createHash } from 'node:crypto'
import { cp, lstat, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Checkout, FileEntry, MaterializedFolder } from '../../shared/model/ports.ts'
import type { Revision } from '../../shared/model/revision.ts'

/** A double of a Git checkout: real files of a folder on disk, read afresh at each call, no Git. */
export class FolderCheckout implements Checkout {
  readonly revision: Revision
  /** Paths that were read, for tests that say what a render may read. */
  readonly reads: string[] = []
  private readonly root: string

  constructor(root: string, revision: Revision) {
    this.root = root
    this.revision = revision
  }

  async treeId(path: string): Promise<string | undefined> {
    const at = this.inside(path)
    const info = await lstat(at).catch(() => undefined)
    if (info === undefined) return undefined
    if (!info.isDirectory()) return digest(await readFile(at))
    const entries = await this.list(path)
    return digest(entries.map(({ path, id }) => `${path} ${id}`).join('\n'))
  }

  async list(path: string): Promise<readonly FileEntry[]> {
    const at = this.inside(path)
    const info = await lstat(at).catch(() => undefined)
    if (info === undefined) return []
    if (!info.isDirectory()) return [await this.entry(at)]
    const found = await readdir(at, { recursive: true, withFileTypes: true })
    const files = found.filter((each) => !each.isDirectory()).map((each) => join(each.parentPath, each.name))
    const entries = await Promise.all(files.map((file) => this.entry(file)))
    return entries.sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async read(path: string): Promise<Uint8Array> {
    this.reads.push(path)
    return readFile(this.inside(path))
  }

  async materialize(paths: readonly string[]): Promise<MaterializedFolder> {
    const folder = await mkdtemp(join(tmpdir(), 'folder-checkout-'))
    for (const path of paths) {
      const target = join(folder, path)
      await mkdir(dirname(target), { recursive: true })
      await cp(this.inside(path), target, { recursive: true, verbatimSymlinks: true })
    }
    return { folder, dispose: () => rm(folder, { recursive: true, force: true }) }
  }

  private async entry(file: string): Promise<FileEntry> {
    const info = await lstat(file)
    const kind = info.isSymbolicLink() ? 'link' : 'file'
    const path = relative(this.root, file).split(sep).join('/')
    return { path, kind, id: digest(await readFile(file)), size: info.size }
  }

  private inside(path: string): string {
    const at = resolve(this.root, path)
    if (at !== this.root && !at.startsWith(this.root + sep)) throw new Error(`${path} is outside`)
    return at
  }
}

/** A checkout of a new temporary folder with the given files, and its removal. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<{ readonly root: string; readonly checkout: FolderCheckout; readonly dispose: () => Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), 'folder-with-'))
  await writeFiles(root, files)
  return { root, checkout: checkoutOf(root), dispose: () => rm(root, { recursive: true, force: true }) }
}

export async function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}

function digest(content: string | Uint8Array): string {
  return createHash('sha1').update(content).digest('hex')
}

export function checkoutOf(root: string): FolderCheckout {
  return new FolderCheckout(root, {
    sha: '',
    name: 'WORKTREE',
    kind: 'worktree',
    subject: '',
    author: '',
    authorEmail: '',
    committedAt: '2026-01-01T00:00:00Z',
  })
}
