import { RenderError } from '../errors.ts'

/** Characters of one file that are read; a file of manifests beyond this is not one that a person keeps in Git. */
const maxFileBytes = 16 * 1024 * 1024

/**
 * The text of a manifest file: UTF-8, or UTF-16 with its byte order mark, as Argo CD reads files.
 * @throws RenderError `too-large`, `bad-encoding` with the place
 */
export function decodeText(bytes: Uint8Array, file: string): string {
  checkSize(bytes.byteLength, file)
  const encoding = encodingOf(bytes)
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    const { line, column } = firstBadByte(bytes)
    throw new RenderError('bad-encoding', `${file}:${line}:${column}: the file is not ${encoding.toUpperCase()} text`, {
      place: { file, line, column },
      cause,
    })
  }
}

/** @throws RenderError `too-large` */
export function checkSize(size: number, file: string): void {
  if (size <= maxFileBytes) return
  throw new RenderError(
    'too-large',
    `${file} has ${mebibytes(size)} MiB; a manifest file may have ${mebibytes(maxFileBytes)} MiB`,
    {
      place: { file, line: 1, column: 1 },
    },
  )
}

function mebibytes(bytes: number): string {
  return String(Math.round((bytes / 1024 / 1024) * 10) / 10)
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return 'utf-8'
}

function firstBadByte(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  const before = new TextDecoder('utf-8').decode(bytes).split('\uFFFD', 1)[0] ?? ''
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: before.length - lineStart + 1 }
}
