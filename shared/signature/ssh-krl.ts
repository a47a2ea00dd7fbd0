import { readSshKey } from './ssh-key.ts'
import type { RevokedCertificates, SshRevocations } from './ssh-revocation.ts'
import { WireError, WireReader } from './ssh-wire.ts'

const magic = Buffer.from('SSHKRL\n\0', 'latin1')

const section = { certificates: 1, explicitKey: 2, sha1: 3, signature: 4, sha256: 5, extension: 255 } as const
const certificateSection = {
  serialList: 0x20,
  serialRange: 0x21,
  serialBitmap: 0x22,
  keyId: 0x23,
  extension: 0x39,
} as const

/** Longest bitmap that OpenSSH reads (krl.c), bytes. */
const maxBitmap = 0x20_0000 / 8

export function isKrl(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, magic.length)).equals(magic)
}

type Draft = { blobs: Set<string>; sha1: Set<string>; sha256: Set<string>; certificates: RevokedCertificates[] }

/**
 * Reads OpenSSH's binary key revocation list (PROTOCOL.krl, version 1).
 * @throws WireError where it is malformed or holds what we must understand and do not
 */
export function readKrl(bytes: Uint8Array): SshRevocations {
  const reader = new WireReader(bytes)
  if (!reader.raw(magic.length).equals(magic)) throw new WireError('not a KRL')
  if (reader.u32() !== 1) throw new WireError('KRL of unknown version')
  reader.u64() // its version
  reader.u64() // its date
  reader.u64() // flags
  reader.string() // reserved
  reader.string() // comment
  const draft: Draft = { blobs: new Set(), sha1: new Set(), sha256: new Set(), certificates: [] }
  let signed = false
  while (!reader.done) {
    const type = reader.u8()
    const body = reader.string()
    if (type === section.signature) {
      // A section by type 4 holds the signer's key and is followed by the signature itself; nothing else may follow.
      reader.string()
      signed = true
    } else if (signed) {
      throw new WireError('KRL section after its signature')
    } else {
      readSection(draft, type, body)
    }
  }
  return draft
}

function readSection(draft: Draft, type: number, body: Buffer): void {
  switch (type) {
    case section.certificates:
      draft.certificates.push(readCertificates(body))
      return
    case section.explicitKey:
      for (const blob of new WireReader(body).strings()) draft.blobs.add(blob.toString('hex'))
      return
    case section.sha1:
      for (const digest of digests(body, 20)) draft.sha1.add(digest)
      return
    case section.sha256:
      for (const digest of digests(body, 32)) draft.sha256.add(digest)
      return
    case section.extension:
      readExtension(body)
      return
    default:
      throw new WireError(`KRL section of unknown type ${type}`)
  }
}

function digests(body: Buffer, size: number): readonly string[] {
  return new WireReader(body).strings().map((digest) => {
    if (digest.length !== size) throw new WireError('KRL digest of wrong length')
    return digest.toString('hex')
  })
}

function readCertificates(body: Buffer): RevokedCertificates {
  const reader = new WireReader(body)
  const authority = reader.string()
  reader.string() // reserved
  const serials = new Set<bigint>()
  const ranges: { low: bigint; high: bigint }[] = []
  const keyIds = new Set<string>()
  while (!reader.done) {
    const type = reader.u8()
    const content = new WireReader(reader.string())
    switch (type) {
      case certificateSection.serialList:
        while (!content.done) serials.add(content.u64())
        break
      case certificateSection.serialRange:
        ranges.push({ low: content.u64(), high: content.u64() })
        content.finish()
        break
      case certificateSection.serialBitmap:
        for (const serial of bitmap(content.u64(), content.mpint())) serials.add(serial)
        content.finish()
        break
      case certificateSection.keyId:
        while (!content.done) keyIds.add(content.text())
        break
      case certificateSection.extension:
        readExtension(content.raw(content.left))
        break
      default:
        throw new WireError(`KRL certificate section of unknown type ${type}`)
    }
  }
  return { ...(authority.length > 0 && { authority: readSshKey(authority) }), serials, ranges, keyIds }
}

/** Bit 0, the lowest of the last byte, stands for the first serial. */
function* bitmap(first: bigint, bits: Buffer): Generator<bigint> {
  if (bits.length > maxBitmap) throw new WireError('KRL bitmap too large')
  for (let index = 0; index < bits.length * 8; index++) {
    const byte = bits[bits.length - 1 - (index >> 3)] ?? 0
    if ((byte & (1 << (index & 7))) !== 0) yield first + BigInt(index)
  }
}

/** An extension may be skipped unless it is marked critical. */
function readExtension(body: Buffer): void {
  const reader = new WireReader(body)
  const name = reader.text()
  if (reader.u8() !== 0) throw new WireError(`KRL has the critical extension ${name.slice(0, 64)}`)
}
