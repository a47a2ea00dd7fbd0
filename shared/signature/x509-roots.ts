import { X509Certificate } from 'node:crypto'

const block = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** Certificates of a PEM file. */
export function readRoots(bytes: Uint8Array): {
  readonly roots: readonly X509Certificate[]
  readonly problem?: string
} {
  const blocks = Buffer.from(bytes).toString('latin1').match(block) ?? []
  if (blocks.length === 0) return { roots: [], problem: 'no certificate' }
  try {
    return { roots: blocks.map((pem) => new X509Certificate(pem)) }
  } catch {
    return { roots: [], problem: 'unreadable certificate' }
  }
}
