import { GitError } from './git-error.ts'

/** A person and a time, as a commit or tag names them. */
interface Identity {
  readonly name: string
  readonly email: string
  /** Seconds since 1970. */
  readonly time: number
}

/** What a commit object says; its signature is read elsewhere, from `raw`. */
export interface Commit {
  readonly sha: string
  /** The whole object, byte for byte: what a signature signs. */
  readonly raw: Buffer
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Identity
  readonly committer: Identity
  /** First paragraph, joined to one line, as git's %s. */
  readonly subject: string
}

/** Where an annotated tag points. */
export interface Tag {
  readonly target: string
  readonly targetType: string
}

/** @throws GitError corrupt */
export function parseCommit(sha: string, raw: Buffer): Commit {
  const { headers, body } = split(raw)
  const tree = headers.find(([name]) => name === 'tree')?.[1]
  if (tree === undefined || !/^[0-9a-f]{40,64}$/.test(tree))
    throw new GitError('corrupt', `commit ${sha} names no tree`)
  const first = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? ''
  const decode = decoderFor(first('encoding'))
  return {
    sha,
    raw,
    tree,
    parents: headers
      .filter(([name, value]) => name === 'parent' && /^[0-9a-f]{40,64}$/.test(value))
      .map(([, id]) => id),
    author: parseIdentity(decode(first('author'))),
    committer: parseIdentity(decode(first('committer'))),
    subject: subjectOf(decode(body)),
  }
}

/** @throws GitError corrupt */
export function parseTag(sha: string, raw: Buffer): Tag {
  const { headers } = split(raw)
  const target = headers.find(([name]) => name === 'object')?.[1]
  if (target === undefined || !/^[0-9a-f]{40,64}$/.test(target))
    throw new GitError('corrupt', `tag ${sha} names nothing`)
  return { target, targetType: headers.find(([name]) => name === 'type')?.[1] ?? '' }
}

/** Headers stand before the first empty line; a line that begins with a space goes on with the header above it. */
function split(raw: Buffer): { readonly headers: readonly (readonly [string, string])[]; readonly body: string } {
  const end = raw.indexOf('\n\n')
  const text = raw.toString('latin1', 0, end === -1 ? raw.length : end)
  const headers = text
    .split('\n')
    .filter((line) => !line.startsWith(' '))
    .map((line): readonly [string, string] => {
      const space = line.indexOf(' ')
      return space === -1 ? [line, ''] : [line.slice(0, space), line.slice(space + 1)]
    })
  // A subject is all that is read of the message, and nobody writes one of many kilobytes.
  return { headers, body: end === -1 ? '' : raw.toString('latin1', end + 2, end + 2 + 16_384) }
}

/** Takes text read as latin1, that is as bytes, to what its encoding means. */
function decoderFor(encoding: string): (bytes: string) => string {
  let decoder = new TextDecoder()
  try {
    if (encoding !== '') decoder = new TextDecoder(encoding)
  } catch {
    // An encoding that nobody knows is shown as UTF-8.
  }
  return (bytes) => decoder.decode(Buffer.from(bytes, 'latin1'))
}

function parseIdentity(line: string): Identity {
  const match = /^(.*?)\s*<([^>]*)>\s*(-?\d+)?/.exec(line)
  return { name: match?.[1] ?? line, email: match?.[2] ?? '', time: Number(match?.[3] ?? 0) }
}

function subjectOf(message: string): string {
  const lines = message.replace(/^\s*\n/, '').split('\n')
  const end = lines.findIndex((line) => line.trim() === '')
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line) => line.trim())
    .join(' ')
}
