import { createHash } from 'node:crypto'
import { readPublicKey } from './allowed-signers.ts'
import { isKrl, readKrl } from './ssh-krl.ts'
import type { SshCertificate } from './ssh-certificate.ts'
import type { SshKey } from './ssh-key.ts'
import { WireError } from './ssh-wire.ts'

/** Certificates of one authority that are revoked; of every authority where `authority` is undefined. */
export type RevokedCertificates = {
  readonly authority?: SshKey
  readonly serials: ReadonlySet<bigint>
  readonly ranges: readonly { readonly low: bigint; readonly high: bigint }[]
  readonly keyIds: ReadonlySet<string>
}

export type SshRevocations = {
  /** Hex of plain key blobs. */
  readonly blobs: ReadonlySet<string>
  /** Hex digests of plain key blobs. */
  readonly sha1: ReadonlySet<string>
  readonly sha256: ReadonlySet<string>
  readonly certificates: readonly RevokedCertificates[]
}

/**
 * Reads a key revocation list (OpenSSH PROTOCOL.krl) or a plain list, one public key a line.
 * @throws WireError where any part cannot be read: what may be revoked is then not known, so nothing may be trusted
 */
export function readRevocations(bytes: Uint8Array): SshRevocations {
  if (isKrl(bytes)) return readKrl(bytes)
  const blobs = new Set<string>()
  for (const line of Buffer.from(bytes).toString('utf8').split('\n')) {
    const content = line.trim()
    if (content === '' || content.startsWith('#')) continue
    const key = readPublicKey(content)
    if (key === undefined) throw new WireError('revocation list has a line that is no public key')
    blobs.add(key.key.blob.toString('hex'))
  }
  return { blobs, sha1: new Set(), sha256: new Set(), certificates: [] }
}

/** Whether a key is revoked: itself, its certificate, or the authority that certified it. */
export function isRevoked(list: SshRevocations, key: SshKey, certificate: SshCertificate | undefined): boolean {
  if (listsKey(list, key)) return true
  if (certificate === undefined) return false
  return listsKey(list, certificate.authority) || list.certificates.some((revoked) => lists(revoked, certificate))
}

function listsKey(list: SshRevocations, key: SshKey): boolean {
  return (
    list.blobs.has(key.blob.toString('hex')) ||
    (list.sha256.size > 0 && list.sha256.has(digest('sha256', key.blob))) ||
    (list.sha1.size > 0 && list.sha1.has(digest('sha1', key.blob)))
  )
}

/** Serial 0 means that the authority gave none, so it revokes nothing (krl.c, is_cert_revoked). */
function lists(revoked: RevokedCertificates, certificate: SshCertificate): boolean {
  if (revoked.authority !== undefined && !revoked.authority.blob.equals(certificate.authority.blob)) return false
  if (revoked.keyIds.has(certificate.keyId)) return true
  const { serial } = certificate
  if (serial === 0n) return false
  return revoked.serials.has(serial) || revoked.ranges.some((range) => range.low <= serial && serial <= range.high)
}

function digest(hash: 'sha1' | 'sha256', blob: Buffer): string {
  return createHash(hash).update(blob).digest('hex')
}
