import {
  type CommitObject,
  type Header,
  formatOfId,
  headerDoubt,
  isOversized,
  objectId,
  readHeaders,
  readIdentity,
  signatureHeaders,
  textOf,
} from './git-object.ts'
import type { Reason } from './reason.ts'

/**
 * A commit object (its content, without the `commit <size>` prefix) split into payload and signature by git's rule
 * (commit.c, parse_buffer_signed_by_header): the repository's own signature header is the signature, every header that
 * begins with `gpgsig` is left out, everything else is signed byte for byte.
 */
export function readCommit(bytes: Uint8Array): CommitObject {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { headers, messageAt, isExcessive } = readHeaders(isOversized(bytes) ? buffer.subarray(0, 4096) : buffer)
  const objectFormat = formatOfId(textOf(headers[0])) ?? 'sha1'
  const own = signatureHeaders[objectFormat]
  const signature = headers.find((header) => header.name === own)
  const doubt = isOversized(bytes) || isExcessive ? 'too-large' : (shapeDoubt(headers) ?? headerDoubt(headers, own))
  return {
    kind: 'commit',
    sha: objectId('commit', bytes, objectFormat),
    objectFormat,
    payload: withoutHeaders(
      buffer,
      headers.filter((header) => header.name.startsWith('gpgsig')),
    ),
    ...(signature !== undefined && { signature: signature.value }),
    ...(doubt !== undefined && { doubt }),
    parents: headers.filter((header) => header.name === 'parent').map(textOf),
    author: readIdentity(headers.find((header) => header.name === 'author')?.value),
    committer: readIdentity(headers.find((header) => header.name === 'committer')?.value),
    message: buffer.subarray(messageAt),
    mergeTags: headers.filter((header) => header.name === 'mergetag').map((header) => header.value),
  }
}

/** The bytes without some of their headers; the same memory where there is nothing to leave out. */
export function withoutHeaders(buffer: Buffer, dropped: readonly Header[]): Buffer {
  if (dropped.length === 0) return buffer
  const kept: Buffer[] = []
  let at = 0
  for (const header of dropped) {
    kept.push(buffer.subarray(at, header.start))
    at = header.end
  }
  kept.push(buffer.subarray(at))
  return Buffer.concat(kept)
}

/** Git reads one tree, then parents, and ignores such headers further down; we refuse them, so that nobody reads another history. */
function shapeDoubt(headers: readonly Header[]): Reason | undefined {
  const [tree, ...rest] = headers
  if (tree?.name !== 'tree' || formatOfId(textOf(tree)) === undefined) return 'malformed-object'
  const length = textOf(tree).length
  const firstOther = rest.findIndex((header) => header.name !== 'parent')
  const parents = firstOther === -1 ? rest : rest.slice(0, firstOther)
  const others = rest.slice(parents.length)
  if (parents.some((header) => formatOfId(textOf(header)) === undefined || textOf(header).length !== length)) {
    return 'malformed-object'
  }
  if (others.some((header) => header.name === 'tree' || header.name === 'parent')) return 'malformed-object'
  for (const name of ['author', 'committer']) {
    if (others.filter((header) => header.name === name).length !== 1) return 'malformed-object'
  }
  return headers.some((header) => header.value.includes(0)) ? 'malformed-object' : undefined
}
