import { createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { DerError, oidText, readAll, readDer } from './der-reader.ts'

/** What a certificate signing request (PKCS#10, RFC 2986) asks for. */
export interface SigningRequest {
  /** The subject as it stands in the request, DER. */
  readonly subject: Buffer
  readonly publicKey: KeyObject
  readonly organizations: readonly string[]
}

const hashes: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
}
const organization = '2.5.4.10'

/** A request that cannot be read, or was not signed by the key it names. */
export class SigningRequestError extends Error {
  static is(error: unknown): error is SigningRequestError {
    return error instanceof SigningRequestError
  }
}

/** @throws SigningRequestError */
export function readSigningRequest(pem: string): SigningRequest {
  const base64 = /-----BEGIN CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]*)-----END CERTIFICATE REQUEST-----/u.exec(
    pem,
  )?.[1]
  if (base64 === undefined) throw new SigningRequestError('PEM block type must be CERTIFICATE REQUEST')
  try {
    return read(Buffer.from(base64, 'base64'))
  } catch (error) {
    if (SigningRequestError.is(error)) throw error
    const problem = DerError.is(error) ? error.message : 'asn1: structure error: malformed request'
    throw new SigningRequestError(problem, { cause: error })
  }
}

function read(der: Buffer): SigningRequest {
  const [info, algorithm, signature] = readAll(readDer(der).content)
  if (info === undefined || algorithm === undefined || signature === undefined)
    throw new DerError('asn1: syntax error: sequence truncated')
  const [, subject, spki] = readAll(info.content)
  const [algorithmId] = readAll(algorithm.content)
  if (subject === undefined || spki === undefined || algorithmId === undefined) {
    throw new DerError('asn1: syntax error: sequence truncated')
  }
  const publicKey = createPublicKey({ key: spki.whole, format: 'der', type: 'spki' })
  const hash = hashes[oidText(algorithmId)]
  if (hash === undefined) throw new SigningRequestError('x509: cannot verify signature: algorithm unimplemented')
  // The first byte of a bit string counts the bits that are not used.
  if (!verify(hash, info.whole, publicKey, signature.content.subarray(1))) {
    const what =
      publicKey.asymmetricKeyType === 'ec' ? 'x509: ECDSA verification failure' : 'crypto/rsa: verification error'
    throw new SigningRequestError(what)
  }
  return { subject: subject.whole, publicKey, organizations: organizationsIn(subject.content) }
}

function organizationsIn(name: Buffer): readonly string[] {
  return readAll(name).flatMap((set) =>
    readAll(set.content).flatMap((attribute) => {
      const [type, value] = readAll(attribute.content)
      return type !== undefined && value !== undefined && oidText(type) === organization
        ? [value.content.toString()]
        : []
    }),
  )
}
