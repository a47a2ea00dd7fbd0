import { posix } from 'node:path'
import { GitError } from './git-error.ts'
import { isGitFolder } from './tree-parser.ts'

/**
 * Brings a path that somebody wrote into the one form used here: relative to the repository's root, forward slashes,
 * no `.`; the root is ''.
 * @throws GitError path-outside
 */
export function repoPath(path: string): string {
  if (path.includes('\0')) throw new GitError('path-outside', 'a path holds a NUL')
  if (path.startsWith('/') || path.startsWith('\\') || /^[A-Za-z]:[/\\]/.test(path)) throw outside(path)
  const normal = posix.normalize(path).replace(/\/+$/, '')
  if (normal === '.' || normal === '') return ''
  const parts = normal.split('/')
  if (parts[0] === '..') throw outside(path)
  // What git keeps for itself (credentials in its config among it) is not the repository's content.
  if (parts.some((part) => isGitFolder(part))) throw outside(path)
  return normal
}

/** @returns the steps that a link asks for, from the folder that holds it. @throws GitError path-outside */
export function linkParts(link: string, target: string): readonly string[] {
  const absolute = /^(?:[/\\]|[A-Za-z]:[/\\])/.test(target)
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  if (target !== '' && !absolute && !target.includes('\0') && !parts.some((part) => isGitFolder(part))) return parts
  throw new GitError(
    'path-outside',
    `link ${link} leads out of the repository, to ${JSON.stringify(target.slice(0, 300))}`,
  )
}

/**
 * One step from a folder without links, `..` among the steps: after a link that is the parent of where the link led
 * to, as the kernel has it, not of the link.
 * @throws GitError path-outside for the step above the root
 */
export function stepInto(folder: string, name: string, asked: string): string {
  if (name !== '..') return folder === '' ? name : `${folder}/${name}`
  if (folder === '') throw outside(asked)
  const parent = posix.dirname(folder)
  return parent === '.' ? '' : parent
}

/** @returns whether a path is the folder itself or lies below it; '' is the root. */
export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

/** Byte order, in which git sorts and which no locale changes. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function outside(path: string): GitError {
  return new GitError('path-outside', `${JSON.stringify(path.slice(0, 300))} is outside of the repository`)
}
