import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfThere } from './discovery.ts'
import type { RepositoryLayout } from './discovery.ts'
import { isObjectId } from './object-id.ts'
import { comparePaths } from './repo-path.ts'

/** A ref and the object it names, which for an annotated tag is the tag object. */
export interface Ref {
  readonly name: string
  readonly id: string
}

const maxSymbolicDepth = 5

/** Reads refs from their files (gitrepository-layout(5)); every call sees the present state. */
export class RefStore {
  private readonly layout: RepositoryLayout
  private packed: { readonly stamp: string; readonly refs: ReadonlyMap<string, string> } | undefined

  constructor(layout: RepositoryLayout) {
    this.layout = layout
  }

  /** @returns the object that a full ref name (or HEAD) names, through symbolic refs; undefined where there is none. */
  async read(name: string): Promise<string | undefined> {
    let current = name
    for (let depth = 0; depth <= maxSymbolicDepth; depth += 1) {
      const value = await this.readLoose(current)
      if (value === undefined) return (await this.packedRefs()).get(current)
      if (!value.startsWith('ref:')) return isObjectId(value, this.layout.objectFormat) ? value : undefined
      current = value.slice('ref:'.length).trim()
    }
    return undefined
  }

  /** @returns the ref that a symbolic ref names, undefined for a ref that holds an id (a detached HEAD). */
  async symbolicTarget(name: string): Promise<string | undefined> {
    const value = await this.readLoose(name)
    return value?.startsWith('ref:') === true ? value.slice('ref:'.length).trim() : undefined
  }

  /** All refs below a prefix such as `refs/heads/`, sorted by name. */
  async list(prefix: string): Promise<readonly Ref[]> {
    // A loose ref stands before the packed one of its name; of the others no file is asked for.
    const ids = new Map([...(await this.packedRefs())].filter(([name]) => name.startsWith(prefix)))
    for (const name of await this.looseNames(prefix.replace(/\/$/, ''))) {
      const id = await this.read(name)
      if (id !== undefined) ids.set(name, id)
    }
    return [...ids].map(([name, id]) => ({ name, id })).sort((a, b) => comparePaths(a.name, b.name))
  }

  private async readLoose(name: string): Promise<string | undefined> {
    if (!isSafeRefName(name)) return undefined
    const text = await readIfThere(join(this.folderOf(name), ...name.split('/')))
    return text?.slice(0, 4096).trim()
  }

  private async looseNames(folder: string): Promise<readonly string[]> {
    const entries = await readdir(join(this.layout.commonDir, folder), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    const root = this.layout.commonDir
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      )
  }

  /** HEAD and its like belong to one worktree, branches and tags to all. */
  private folderOf(name: string): string {
    const own = !name.startsWith('refs/') || /^refs\/(?:bisect|worktree|rewritten)\//.test(name)
    return own ? this.layout.gitDir : this.layout.commonDir
  }

  private async packedRefs(): Promise<ReadonlyMap<string, string>> {
    const file = join(this.layout.commonDir, 'packed-refs')
    const found = await lstat(file, { bigint: true }).catch(() => undefined)
    const stamp = found === undefined ? '' : `${found.mtimeNs}:${found.size}:${found.ino}`
    if (this.packed?.stamp === stamp) return this.packed.refs
    const refs = parsePackedRefs((await readIfThere(file)) ?? '')
    this.packed = { stamp, refs }
    return refs
  }
}

/** Reads the text of `packed-refs`: `id SP name` a line; comments and peeled values (`^id`) are passed over. */
export function parsePackedRefs(text: string): ReadonlyMap<string, string> {
  const refs = new Map<string, string>()
  for (const line of text.split('\n')) {
    const match = /^([0-9a-f]{40,64}) (\S.*)$/.exec(line.trimEnd())
    if (match?.[1] !== undefined && match[2] !== undefined) refs.set(match[2], match[1])
  }
  return refs
}

/** Whether a name may become a path below the git folder (git-check-ref-format(1), the parts that matter to a path). */
export function isSafeRefName(name: string): boolean {
  if (name === '' || name.length > 1024 || name.startsWith('/') || name.endsWith('/') || name.includes('//'))
    return false
  if (name.includes('\0') || name.includes('\\') || name.includes(':') || /[\s~^?*[]/.test(name) || name.includes('@{'))
    return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock') && part !== '')
}
