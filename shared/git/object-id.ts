import { createHash } from 'node:crypto'
import { GitError } from './git-error.ts'

/** The hash that names a repository's objects. */
export type ObjectFormat = 'sha1' | 'sha256'

/** git's four kinds of objects. */
export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** Bytes of a binary object id. */
export function idBytes(format: ObjectFormat): number {
  return format === 'sha1' ? 20 : 32
}

/** @returns whether a text is a whole object id of the format, in lower case. */
export function isObjectId(text: string, format: ObjectFormat): boolean {
  return text.length === idBytes(format) * 2 && /^[0-9a-f]+$/.test(text)
}

/** The id that git gives to content (gitformat: header `type SP size NUL`, then the bytes). */
export function objectId(type: ObjectType, bytes: Uint8Array, format: ObjectFormat): string {
  return createHash(format).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

/**
 * A commit that was judged names exactly these bytes, whichever reader fetched them.
 * @throws GitError corrupt
 */
export function verifyObject(id: string, type: ObjectType, bytes: Uint8Array, format: ObjectFormat): void {
  if (objectId(type, bytes, format) !== id)
    throw new GitError('corrupt', `${type} ${id} does not have the content it names`)
}
