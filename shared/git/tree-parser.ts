import { GitError } from './git-error.ts'
import { idBytes } from './object-id.ts'
import type { ObjectFormat } from './object-id.ts'

/** What a tree's entry is, by its mode. */
export type EntryKind = 'file' | 'executable' | 'link' | 'folder' | 'submodule'

/** One line of a tree object. */
export interface TreeEntry {
  readonly name: string
  readonly kind: EntryKind
  readonly id: string
}

const space = 32

/**
 * Reads a tree object: `mode SP name NUL id`, repeated. Names come from strangers and become paths, so what no honest
 * git writes is refused here, once for all readers.
 * @throws GitError corrupt
 */
export function parseTree(bytes: Buffer, format: ObjectFormat, id: string): readonly TreeEntry[] {
  const entries: TreeEntry[] = []
  const names = new Set<string>()
  for (let at = 0; at < bytes.length;) {
    const modeEnd = bytes.indexOf(space, at)
    const nameEnd = bytes.indexOf(0, modeEnd)
    const end = nameEnd + 1 + idBytes(format)
    if (modeEnd === -1 || nameEnd === -1 || end > bytes.length) throw new GitError('corrupt', `tree ${id} is cut off`)
    const name = bytes.toString('utf8', modeEnd + 1, nameEnd)
    if (!isSafeName(name) || names.has(name)) {
      throw new GitError('corrupt', `tree ${id} holds an entry named ${JSON.stringify(name.slice(0, 100))}`)
    }
    names.add(name)
    const kind = kindOfMode(bytes.toString('latin1', at, modeEnd))
    if (kind === undefined) throw new GitError('corrupt', `tree ${id} gives ${JSON.stringify(name)} an unknown mode`)
    entries.push({ name, kind, id: bytes.toString('hex', nameEnd + 1, end) })
    at = end
  }
  return entries
}

/** @returns what a mode in octal means; older gits wrote a few odd file modes, so only the first digits decide. */
export function kindOfMode(mode: string): EntryKind | undefined {
  const value = Number.parseInt(mode, 8)
  switch (value >> 12) {
    case 0o04:
      return 'folder'
    case 0o10:
      return (value & 0o100) === 0 ? 'file' : 'executable'
    case 0o12:
      return 'link'
    case 0o16:
      return 'submodule'
    default:
      return undefined
  }
}

/** A name that git itself refuses to check out (verify_path in git's read-cache.c) never becomes a path. */
function isSafeName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('/')) return false
  return !isGitFolder(name)
}

/** `.git` under any spelling that a file system may take for it: other case, NTFS short name, trailing dots. */
export function isGitFolder(name: string): boolean {
  return /^(?:\.git|git~1)[ .]*(?::.*)?$/i.test(name.replace(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, ''))
}
