import { type KeyObject, createHash, createPublicKey } from 'node:crypto'
import { limits } from './limits.ts'
import { WireError, WireReader, wireString } from './ssh-wire.ts'

/** The part of a key that verifies; certificates carry one too. */
export type SshKey = {
  readonly type: SshKeyType
  /** The plain public key blob, the identity of a key. */
  readonly blob: Buffer
  /** `SHA256:` and unpadded base64, as ssh-keygen prints it. */
  readonly fingerprint: string
  readonly crypto: KeyObject
  /** The relying party of a security key. */
  readonly application?: string
  readonly bits: number
}

export type SshKeyType =
  | 'ssh-ed25519'
  | 'ssh-rsa'
  | 'ssh-dss'
  | 'ecdsa-sha2-nistp256'
  | 'ecdsa-sha2-nistp384'
  | 'ecdsa-sha2-nistp521'
  | 'sk-ssh-ed25519@openssh.com'
  | 'sk-ecdsa-sha2-nistp256@openssh.com'

/** JWK name, name on the wire, bytes of a coordinate. */
const curves = {
  'ecdsa-sha2-nistp256': { jwk: 'P-256', name: 'nistp256', size: 32, bits: 256 },
  'ecdsa-sha2-nistp384': { jwk: 'P-384', name: 'nistp384', size: 48, bits: 384 },
  'ecdsa-sha2-nistp521': { jwk: 'P-521', name: 'nistp521', size: 66, bits: 521 },
  'sk-ecdsa-sha2-nistp256@openssh.com': { jwk: 'P-256', name: 'nistp256', size: 32, bits: 256 },
} as const

const algorithmNames: { readonly [type in SshKeyType]: string } = {
  'ssh-ed25519': 'ED25519',
  'ssh-rsa': 'RSA',
  'ssh-dss': 'DSA',
  'ecdsa-sha2-nistp256': 'ECDSA',
  'ecdsa-sha2-nistp384': 'ECDSA',
  'ecdsa-sha2-nistp521': 'ECDSA',
  'sk-ssh-ed25519@openssh.com': 'ED25519-SK',
  'sk-ecdsa-sha2-nistp256@openssh.com': 'ECDSA-SK',
}

/** `RSA 3072`, in ssh-keygen's words. */
export function algorithmOf(key: SshKey): string {
  return `${algorithmNames[key.type]} ${key.bits}`
}

export function isSshKeyType(type: string): type is SshKeyType {
  return Object.hasOwn(algorithmNames, type)
}

/** Bytes of one half of an ECDSA signature; undefined for other keys. */
export function coordinateSize(type: SshKeyType): number | undefined {
  return isCurve(type) ? curves[type].size : undefined
}

/** @throws WireError where the blob is no plain key that we know, or has absurd parameters */
export function readSshKey(blob: Uint8Array): SshKey {
  const reader = new WireReader(blob)
  const key = readSshKeyFields(reader.text(), reader)
  reader.finish()
  return key
}

/** Reads the fields that follow the type, as they stand in a plain key and in a certificate. */
export function readSshKeyFields(type: string, reader: WireReader): SshKey {
  if (!isSshKeyType(type)) throw new WireError(`unknown key type ${type.slice(0, 64)}`)
  if (type === 'ssh-rsa') return rsaKey(reader)
  if (type === 'ssh-dss') return dsaKey(reader)
  if (isCurve(type)) return ecdsaKey(type, reader)
  return edKey(type, reader)
}

function isCurve(type: SshKeyType): type is keyof typeof curves {
  return Object.hasOwn(curves, type)
}

function edKey(type: SshKeyType, reader: WireReader): SshKey {
  const point = reader.string()
  if (point.length !== 32) throw new WireError('ed25519 key of wrong length')
  const fields = [wireString(type), wireString(point)]
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') }
  return withApplication(type, fields, jwk, 256, reader)
}

function ecdsaKey(type: keyof typeof curves, reader: WireReader): SshKey {
  const curve = curves[type]
  if (reader.text() !== curve.name) throw new WireError('curve differs from key type')
  const point = reader.string()
  if (point.length !== 1 + 2 * curve.size || point[0] !== 4) throw new WireError('point is not uncompressed')
  const x = point.subarray(1, 1 + curve.size).toString('base64url')
  const y = point.subarray(1 + curve.size).toString('base64url')
  const fields = [wireString(type), wireString(curve.name), wireString(point)]
  return withApplication(type, fields, { kty: 'EC', crv: curve.jwk, x, y }, curve.bits, reader)
}

function rsaKey(reader: WireReader): SshKey {
  const e = reader.mpint()
  const n = reader.mpint()
  const bits = bitLength(n)
  if (bits > limits.rsaBits || bits < limits.rsaMinBits) throw new WireError(`RSA key of ${bits} bits`)
  if (bitLength(e) > limits.rsaExponentBits || e.length === 0) throw new WireError('RSA key with an absurd exponent')
  const fields = [wireString('ssh-rsa'), wireMpint(e), wireMpint(n)]
  const jwk = { kty: 'RSA', e: e.toString('base64url'), n: n.toString('base64url') }
  return build('ssh-rsa', fields, jwk, bits)
}

/** Read so that it can be named and revoked; a signature by it is refused, since it is over SHA-1 always. */
function dsaKey(reader: WireReader): SshKey {
  const fields = [reader.mpint(), reader.mpint(), reader.mpint(), reader.mpint()]
  const bits = bitLength(fields[0] ?? Buffer.alloc(0))
  if (bits !== 1024) throw new WireError(`DSA key of ${bits} bits`)
  const blob = Buffer.concat([wireString('ssh-dss'), ...fields.map(wireMpint)])
  return { type: 'ssh-dss', blob, fingerprint: sshFingerprint(blob), crypto: neverVerifies, bits }
}

/** Stands where a key must stand that no signature is ever checked with. */
const neverVerifies = createPublicKey({
  key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 1).toString('base64url') },
  format: 'jwk',
})

function withApplication(
  type: SshKeyType,
  fields: readonly Buffer[],
  jwk: Jwk,
  bits: number,
  reader: WireReader,
): SshKey {
  if (!type.startsWith('sk-')) return build(type, fields, jwk, bits)
  const application = reader.text()
  return { ...build(type, [...fields, wireString(application)], jwk, bits), application }
}

type Jwk = { readonly kty: string; readonly [field: string]: string }

function build(type: SshKeyType, fields: readonly Buffer[], jwk: Jwk, bits: number): SshKey {
  const blob = Buffer.concat(fields)
  return { type, blob, fingerprint: sshFingerprint(blob), crypto: importKey(jwk), bits }
}

function importKey(jwk: Jwk): KeyObject {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' })
  } catch (cause) {
    throw new WireError('no such public key', { cause })
  }
}

export function sshFingerprint(blob: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`
}

function wireMpint(value: Buffer): Buffer {
  const [first = 0] = value
  return wireString((first & 0x80) === 0 ? value : Buffer.concat([Buffer.alloc(1), value]))
}

function bitLength(value: Buffer): number {
  const [first] = value
  return first === undefined ? 0 : value.length * 8 - Math.clz32(first) + 24
}
