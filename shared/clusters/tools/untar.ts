import { ClustersError } from '../clusters-error.ts'

const BLOCK = 512

/**
 * Takes wanted files out of a tar archive (POSIX.1-2017 pax, ustar headers; GNU long names are not needed by any release that
 * is fetched). @returns the contents by member name. @throws ClustersError `download` for a broken archive
 */
export function untar(archive: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>()
  let offset = 0
  while (offset + BLOCK <= archive.length) {
    const header = archive.subarray(offset, offset + BLOCK)
    if (header[0] === 0) break
    const size = Number.parseInt(textOf(header, 124, 12), 8)
    if (!Number.isSafeInteger(size) || size < 0 || offset + BLOCK + size > archive.length) throw broken()
    const prefix = textOf(header, 345, 155)
    const name = `${prefix === '' ? '' : `${prefix}/`}${textOf(header, 0, 100)}`.replace(/^\.\//, '')
    const type = String.fromCharCode(header[156] ?? 0)
    if ((type === '0' || type === '\0') && wanted.has(name)) {
      found.set(name, archive.subarray(offset + BLOCK, offset + BLOCK + size))
    }
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return found
}

function textOf(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length)
  const end = field.indexOf(0)
  return field
    .subarray(0, end === -1 ? length : end)
    .toString('utf8')
    .trim()
}

function broken(): ClustersError {
  return new ClustersError('download', 'the archive is cut off or is no tar archive')
}
