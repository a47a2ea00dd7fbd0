import { GitError } from './git-error.ts'
import type { ObjectType } from './object-id.ts'
import type { Found } from './objects.ts'

const lf = 10
const maxHeaderBytes = 4096
const types: ReadonlySet<string> = new Set<ObjectType>(['commit', 'tree', 'blob', 'tag'])

/**
 * Reads the stream of `git cat-file --batch` (git-cat-file(1), BATCH OUTPUT): `id SP type SP size LF content LF`, or
 * `name SP missing LF`. Takes chunks cut anywhere.
 */
export class BatchParser {
  private readonly found: (record: Found) => void
  /** The limit in bytes of the record whose header has just been read. */
  private readonly limit: () => number
  private header: Buffer = Buffer.alloc(0)
  private body: { readonly type: ObjectType; readonly size: number; readonly bytes: Buffer | undefined } | undefined
  private filled = 0

  constructor(found: (record: Found) => void, limit: () => number) {
    this.found = found
    this.limit = limit
  }

  /** @throws GitError when the stream is not of the format */
  push(chunk: Buffer): void {
    let rest = chunk
    while (rest.length > 0) rest = this.body === undefined ? this.takeHeader(rest) : this.takeBody(rest)
  }

  private takeHeader(chunk: Buffer): Buffer {
    const end = chunk.indexOf(lf)
    const part = end === -1 ? chunk : chunk.subarray(0, end)
    if (this.header.length + part.length > maxHeaderBytes) throw new GitError('unusable', 'git cat-file lost its way')
    if (end === -1) {
      this.header = Buffer.concat([this.header, part])
      return Buffer.alloc(0)
    }
    const line = (this.header.length === 0 ? part : Buffer.concat([this.header, part])).toString('latin1')
    this.header = Buffer.alloc(0)
    this.begin(line)
    return chunk.subarray(end + 1)
  }

  private begin(line: string): void {
    const [, second = '', third] = line.split(' ')
    const size = Number(third)
    if (third !== undefined && types.has(second) && Number.isSafeInteger(size)) {
      const type = second as ObjectType
      this.filled = 0
      this.body = { type, size, bytes: size <= this.limit() ? Buffer.allocUnsafeSlow(size) : undefined }
    } else if (second === 'missing' || second === 'ambiguous') {
      this.found({ kind: 'missing' })
    } else {
      throw new GitError('unusable', `git cat-file answered ${JSON.stringify(line.slice(0, 80))}`)
    }
  }

  private takeBody(chunk: Buffer): Buffer {
    if (this.body === undefined) return chunk
    const { type, size, bytes } = this.body
    const wanted = Math.min(size - this.filled, chunk.length)
    if (bytes !== undefined) chunk.copy(bytes, this.filled, 0, wanted)
    this.filled += wanted
    // The line end after the content belongs to the record.
    if (this.filled < size || wanted === chunk.length) return chunk.subarray(wanted)
    if (chunk[wanted] !== lf) throw new GitError('unusable', 'git cat-file lost its way')
    this.body = undefined
    this.found(bytes === undefined ? { kind: 'too-large', type, size } : { kind: 'object', type, bytes })
    return chunk.subarray(wanted + 1)
  }
}
