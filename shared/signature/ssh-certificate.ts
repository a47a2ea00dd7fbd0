import { passesNow } from './crypto-check.ts'
import { limits } from './limits.ts'
import { type SshKey, readSshKey, readSshKeyFields } from './ssh-key.ts'
import { readRawSignature } from './ssh-raw-signature.ts'
import { WireError, WireReader } from './ssh-wire.ts'

/** An OpenSSH certificate (PROTOCOL.certkeys) whose authority's signature is sound. */
export type SshCertificate = {
  readonly blob: Buffer
  readonly key: SshKey
  readonly authority: SshKey
  readonly serial: bigint
  readonly type: 'user' | 'host' | 'unknown'
  readonly keyId: string
  readonly principals: readonly string[]
  /** Seconds since 1970. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly criticalOptions: readonly string[]
}

const suffix = '-cert-v01@openssh.com'

export function isCertificateType(type: string): boolean {
  return type.endsWith(suffix)
}

/** @throws WireError where the blob is malformed or its authority's signature is not sound */
export function readSshCertificate(blob: Buffer): SshCertificate {
  const reader = new WireReader(blob)
  const type = reader.text()
  if (!isCertificateType(type)) throw new WireError('not a certificate')
  reader.string() // the nonce
  const key = readSshKeyFields(plainType(type), reader)
  const serial = reader.u64()
  const kind = reader.u32()
  const keyId = reader.text()
  const principals = new WireReader(reader.string()).strings().map(textOf)
  const validAfter = reader.u64()
  const validBefore = reader.u64()
  const criticalOptions = optionNames(reader.string())
  optionNames(reader.string())
  reader.string() // reserved
  const authority = readSshKey(reader.string())
  const signed = blob.subarray(0, reader.offset)
  const signature = reader.string()
  reader.finish()
  if (principals.length > limits.principals) throw new WireError('too many principals')
  const raw = readRawSignature(authority, signature, signed)
  if (raw.kind === 'refused' || !passesNow(raw.check)) {
    throw new WireError('certificate is not signed by its authority')
  }
  const kinds: { readonly [kind: number]: SshCertificate['type'] } = { 1: 'user', 2: 'host' }
  const holder = kinds[kind] ?? 'unknown'
  return { blob, key, authority, serial, type: holder, keyId, principals, validAfter, validBefore, criticalOptions }
}

/** Options that only restrict a login; ssh-keygen does not apply them to signatures. Others must be understood. */
const loginOptions: ReadonlySet<string> = new Set(['force-command', 'source-address', 'verify-required'])

/** Why a certificate may not be relied upon at a time, whoever its principals are; undefined where it may. */
export function certificateDoubt(
  certificate: SshCertificate,
  seconds: number,
): 'expired-key' | 'key-not-yet-valid' | 'wrong-certificate' | undefined {
  if (certificate.type !== 'user') return 'wrong-certificate'
  if (certificate.principals.length === 0) return 'wrong-certificate'
  if (certificate.criticalOptions.some((name) => !loginOptions.has(name))) return 'wrong-certificate'
  if (BigInt(seconds) < certificate.validAfter) return 'key-not-yet-valid'
  return BigInt(seconds) >= certificate.validBefore ? 'expired-key' : undefined
}

/** `sk-ssh-ed25519-cert-v01@openssh.com` certifies a `sk-ssh-ed25519@openssh.com`. */
function plainType(type: string): string {
  const stem = type.slice(0, -suffix.length)
  return stem.startsWith('sk-') ? `${stem}@openssh.com` : stem
}

function optionNames(blob: Buffer): readonly string[] {
  const reader = new WireReader(blob)
  const names: string[] = []
  while (!reader.done) {
    names.push(reader.text())
    reader.string()
  }
  return names
}

function textOf(value: Buffer): string {
  if (value.includes(0)) throw new WireError('NUL in text')
  return value.toString('utf8')
}
