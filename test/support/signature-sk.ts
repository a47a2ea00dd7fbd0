import { type KeyObject, createHash, generateKeyPairSync, sign } from 'node:crypto'

/**
 * A security key in software. No authenticator is at hand, so the blobs are made here by OpenSSH's PROTOCOL.u2f and
 * PROTOCOL.sshsig; the judge is real ssh-keygen all the same.
 */
export class SoftSecurityKey {
  readonly type: 'sk-ssh-ed25519@openssh.com' | 'sk-ecdsa-sha2-nistp256@openssh.com'
  readonly blob: Buffer
  private readonly privateKey: KeyObject

  constructor(kind: 'ed25519' | 'ecdsa') {
    const pair =
      kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.privateKey = pair.privateKey
    const jwk = pair.publicKey.export({ format: 'jwk' })
    const x = Buffer.from(String(jwk['x']), 'base64url')
    if (kind === 'ed25519') {
      this.type = 'sk-ssh-ed25519@openssh.com'
      this.blob = Buffer.concat([wire(this.type), wire(x), wire('ssh:')])
    } else {
      this.type = 'sk-ecdsa-sha2-nistp256@openssh.com'
      const point = Buffer.concat([Buffer.from([4]), x, Buffer.from(String(jwk['y']), 'base64url')])
      this.blob = Buffer.concat([wire(this.type), wire('nistp256'), wire(point), wire('ssh:')])
    }
  }

  get publicLine(): string {
    return `${this.type} ${this.blob.toString('base64')}`
  }

  /** An armored SSHSIG over a payload, with the given flags (1 touched, 4 verified). */
  sign(payload: Uint8Array, flags: number): string {
    const message = sshsigData('git', 'sha512', payload)
    const rest = Buffer.from([flags, 0, 0, 0, 7])
    const signed = Buffer.concat([sha256('ssh:'), rest, sha256(message)])
    const raw = this.type.includes('ed25519') ? sign(null, signed, this.privateKey) : this.ecdsa(signed)
    return armorSshsig(this.blob, 'git', 'sha512', Buffer.concat([wire(this.type), wire(raw), rest]))
  }

  private ecdsa(signed: Buffer): Buffer {
    const pair = sign('sha256', signed, { key: this.privateKey, dsaEncoding: 'ieee-p1363' })
    return Buffer.concat([wireInteger(pair.subarray(0, 32)), wireInteger(pair.subarray(32))])
  }
}

/** What an SSHSIG signs. */
export function sshsigData(namespace: string, hash: string, payload: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from('SSHSIG'),
    wire(namespace),
    wire(''),
    wire(hash),
    wire(createHash(hash).update(payload).digest()),
  ])
}

export function armorSshsig(
  publicKey: Uint8Array,
  namespace: string,
  hash: string,
  signature: Uint8Array,
  version = 1,
): string {
  const head = Buffer.from([0, 0, 0, version])
  const blob = Buffer.concat([
    Buffer.from('SSHSIG'),
    head,
    wire(publicKey),
    wire(namespace),
    wire(''),
    wire(hash),
    wire(signature),
  ])
  return armorBlob(blob)
}

export function armorBlob(blob: Uint8Array): string {
  const lines =
    Buffer.from(blob)
      .toString('base64')
      .match(/.{1,70}/g) ?? []
  return `-----BEGIN SSH SIGNATURE-----\n${lines.join('\n')}\n-----END SSH SIGNATURE-----\n`
}

export function wire(value: Uint8Array | string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

export function wireInteger(value: Buffer): Buffer {
  let start = 0
  while (start < value.length - 1 && value[start] === 0) start++
  const digits = value.subarray(start)
  return wire((digits[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits)
}

function sha256(data: Uint8Array | string): Buffer {
  return createHash('sha256').update(data).digest()
}
