import { createAuthority, createServerCertificate } from './certificates.ts'
import type { KeyedCertificate } from './certificates.ts'

/** What a server proves itself with, and what its administrator does. */
export interface ServerIdentity {
  readonly authority: KeyedCertificate
  readonly server: KeyedCertificate
  readonly token: string
}

export const authorityName = 'plumbline-embedded-ca'

const hosts = ['127.0.0.1', '::1', 'localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc']

/** A new authority and a server certificate for loopback. */
export function createIdentity(token: string): ServerIdentity {
  const authority = createAuthority(authorityName)
  return { authority, server: createServerCertificate(authority, authorityName, hosts), token }
}
