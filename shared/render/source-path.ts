import { posix } from 'node:path'
import { RenderError } from './errors.ts'

/**
 * A path that an application or a file of the repository names, relative to the repository's root; '' is the root.
 * @param from the folder that a relative path starts at
 * @param what the field that holds the path, for the message
 * @throws RenderError `path-outside`
 */
export function repositoryPath(path: string, from: string, what: string): string {
  const outside = (): RenderError =>
    new RenderError('path-outside', `${what}: "${path.slice(0, 300)}" leads out of the repository`)
  if (path.includes('\0') || /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path)) throw outside()
  const joined = posix.normalize(posix.join(from, path)).replace(/\/+$/, '')
  if (joined === '..' || joined.startsWith('../')) throw outside()
  return joined === '.' ? '' : joined
}

/** `base` below a folder, where '' is the root. */
export function below(folder: string, base: string): string {
  return folder === '' ? base : `${folder}/${base}`
}
