import { withoutHeaders } from './commit-object.ts'
import {
  type TagObject,
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
import { armorLabels } from './signature-format.ts'

/**
 * An annotated tag object (its content) split by git's rule (gpg-interface.c, parse_signed_buffer): the signature runs
 * from the last line that begins with a known armor header to the end; signature headers for another hash are left out
 * of the payload.
 */
export function readTag(bytes: Uint8Array): TagObject {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readable = isOversized(bytes) ? buffer.subarray(0, 4096) : buffer
  const { headers, isExcessive } = readHeaders(readable)
  const signatureAt = isOversized(bytes) ? -1 : lastArmorLine(buffer)
  const target = textOf(headers[0])
  const objectFormat = formatOfId(target) ?? 'sha1'
  const known: readonly string[] = Object.values(signatureHeaders)
  const dropped = headers.filter((header) => known.includes(header.name))
  const named = (name: string) => headers.find((header) => header.name === name)
  const doubt = isOversized(bytes) || isExcessive ? 'too-large' : tagDoubt(headers, target)
  const signed = signatureAt === -1 ? buffer : buffer.subarray(0, signatureAt)
  return {
    kind: 'tag',
    sha: objectId('tag', bytes, objectFormat),
    objectFormat,
    payload: withoutHeaders(signed, dropped),
    ...(signatureAt !== -1 && { signature: buffer.subarray(signatureAt) }),
    ...(doubt !== undefined && { doubt }),
    target,
    targetType: textOf(named('type')),
    name: textOf(named('tag')),
    tagger: readIdentity(named('tagger')?.value),
  }
}

function tagDoubt(headers: ReturnType<typeof readHeaders>['headers'], target: string): Reason | undefined {
  const [object, type, tag, ...rest] = headers
  if (object?.name !== 'object' || type?.name !== 'type' || tag?.name !== 'tag') return 'malformed-object'
  if (formatOfId(target) === undefined) return 'malformed-object'
  if (rest.some((header) => header.name === 'object' || header.name === 'type' || header.name === 'tag')) {
    return 'malformed-object'
  }
  if (headers.some((header) => header.value.includes(0))) return 'malformed-object'
  return headerDoubt(headers, undefined)
}

function lastArmorLine(buffer: Buffer): number {
  let last = -1
  for (const label of armorLabels) {
    const marker = `-----BEGIN ${label}-----`
    if (buffer.subarray(0, marker.length).equals(Buffer.from(marker))) last = Math.max(last, 0)
    const at = buffer.lastIndexOf(`\n${marker}`)
    if (at !== -1) last = Math.max(last, at + 1)
  }
  return last
}
