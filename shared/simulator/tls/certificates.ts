import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import {
  bitString,
  bool,
  context,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts'

/** A certificate and its private key, both PEM. */
export interface KeyedCertificate {
  readonly certPem: string
  readonly keyPem: string
}

interface Subject {
  readonly commonName: string
  readonly organization?: string
}

const oid = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  basicConstraints: '2.5.29.19',
  keyUsage: '2.5.29.15',
  extendedKeyUsage: '2.5.29.37',
  subjectAltName: '2.5.29.17',
  subjectKeyIdentifier: '2.5.29.14',
  authorityKeyIdentifier: '2.5.29.35',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
} as const

const year = 365 * 24 * 3_600_000

/** A certificate authority of its own for one server (RFC 5280; ECDSA P-256). */
export function createAuthority(commonName: string): KeyedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = { commonName }
  const extensions = [
    extension(oid.basicConstraints, true, sequence(bool(true))),
    // digitalSignature, keyCertSign, cRLSign
    extension(oid.keyUsage, true, bitString(Buffer.from([0b1000_0110]), 1)),
    extension(oid.subjectKeyIdentifier, false, octetString(keyId(publicKey))),
  ]
  return issue({ subject, issuer: subject, publicKey, privateKey, signer: privateKey, extensions, years: 10 })
}

/** A server certificate for these host names and addresses. */
export function createServerCertificate(
  authority: KeyedCertificate,
  authorityName: string,
  hosts: readonly string[],
): KeyedCertificate {
  const names = hosts.map((host) => {
    const family = isIP(host)
    return family === 0 ? context(2, Buffer.from(host), false) : context(7, addressBytes(host, family), false)
  })
  const extra = [extension(oid.subjectAltName, false, sequence(...names))]
  return createLeaf(authority, authorityName, { commonName: 'plumbline-api' }, oid.serverAuth, extra)
}

/** A client certificate: the common name is the user, the organization the group. */
export function createClientCertificate(
  authority: KeyedCertificate,
  authorityName: string,
  user: string,
  group: string,
): KeyedCertificate {
  return createLeaf(authority, authorityName, { commonName: user, organization: group }, oid.clientAuth, [])
}

function createLeaf(
  authority: KeyedCertificate,
  authorityName: string,
  subject: Subject,
  usage: string,
  extra: readonly Buffer[],
): KeyedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const signer = createPrivateKey(authority.keyPem)
  const extensions = [
    extension(oid.basicConstraints, true, sequence()),
    // digitalSignature
    extension(oid.keyUsage, true, bitString(Buffer.from([0b1000_0000]), 7)),
    extension(oid.extendedKeyUsage, false, sequence(objectIdentifier(usage))),
    extension(oid.authorityKeyIdentifier, false, sequence(context(0, keyId(createPublicKey(signer)), false))),
    ...extra,
  ]
  return issue({ subject, issuer: { commonName: authorityName }, publicKey, privateKey, signer, extensions, years: 5 })
}

/** A certificate for what a signing request asks, good for the seconds, as a client or a server or both. */
export function signCertificate(
  authority: KeyedCertificate,
  authorityName: string,
  asked: { readonly subject: Buffer; readonly publicKey: KeyObject },
  usages: readonly ('client' | 'server')[],
  seconds: number,
): string {
  const signer = createPrivateKey(authority.keyPem)
  const purposes = usages.map((usage) => objectIdentifier(usage === 'client' ? oid.clientAuth : oid.serverAuth))
  const extensions = [
    extension(oid.basicConstraints, true, sequence()),
    // digitalSignature, keyEncipherment
    extension(oid.keyUsage, true, bitString(Buffer.from([0b1010_0000]), 5)),
    ...(purposes.length === 0 ? [] : [extension(oid.extendedKeyUsage, false, sequence(...purposes))]),
    extension(oid.authorityKeyIdentifier, false, sequence(context(0, keyId(createPublicKey(signer)), false))),
  ]
  const issuer = distinguishedName({ commonName: authorityName })
  return certify({ ...asked, issuer, signer, extensions, seconds })
}

interface Request {
  readonly subject: Subject
  readonly issuer: Subject
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
  readonly signer: KeyObject
  readonly extensions: readonly Buffer[]
  readonly years: number
}

function issue({ subject, issuer, privateKey, years, ...rest }: Request): KeyedCertificate {
  const names = { subject: distinguishedName(subject), issuer: distinguishedName(issuer) }
  return {
    certPem: certify({ ...rest, ...names, seconds: (years * year) / 1000 }),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

interface Certified {
  /** Distinguished names, DER. */
  readonly subject: Buffer
  readonly issuer: Buffer
  readonly publicKey: KeyObject
  readonly signer: KeyObject
  readonly extensions: readonly Buffer[]
  readonly seconds: number
}

function certify({ subject, issuer, publicKey, signer, extensions, seconds }: Certified): string {
  const algorithm = sequence(objectIdentifier(oid.ecdsaWithSha256))
  const serial = randomBytes(16)
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40
  const now = Date.now()
  const body = sequence(
    context(0, integer(Buffer.from([2])), true),
    integer(serial),
    algorithm,
    issuer,
    // An hour back, for clocks that disagree.
    sequence(time(new Date(now - 3_600_000)), time(new Date(now + seconds * 1000))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(...extensions), true),
  )
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, signer)))
  return pem('CERTIFICATE', certificate)
}

function attribute(type: string, value: string): Buffer {
  return set(sequence(objectIdentifier(type), utf8String(value)))
}

function distinguishedName({ commonName, organization }: Subject): Buffer {
  return sequence(
    ...(organization === undefined ? [] : [attribute(oid.organization, organization)]),
    attribute(oid.commonName, commonName),
  )
}

function extension(type: string, critical: boolean, value: Uint8Array): Buffer {
  return sequence(objectIdentifier(type), ...(critical ? [bool(true)] : []), octetString(value))
}

function keyId(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
}

function addressBytes(host: string, family: number): Buffer {
  if (family === 4) return Buffer.from(host.split('.').map(Number))
  const [head = '', tail = ''] = host.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const middle = host.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : []
  return Buffer.from(
    [...before, ...middle, ...after].flatMap((group) => {
      const value = Number.parseInt(group, 16)
      return [value >> 8, value & 0xff]
    }),
  )
}

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/gu) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
