import { mock } from 'node:test'
import {
  createAuthority,
  createClientCertificate,
  createServerCertificate,
} from '../../../shared/simulator/tls/certificates.ts'

const name = 'test authority'
const trusted = createAuthority(name)
const stranger = createAuthority(name)

/** The authority that `serverCertificate` signs with, as a kubeconfig holds it. */
export function authority(): string {
  return base64(trusted.certPem)
}

/** An authority that signed nothing here. */
export function otherAuthority(): string {
  return base64(stranger.certPem)
}

export function serverCertificate(hosts: readonly string[]): { readonly cert: string; readonly key: string } {
  const { certPem, keyPem } = createServerCertificate(trusted, name, hosts)
  return { cert: certPem, key: keyPem }
}

/** One whose time was over long ago. */
export function expiredCertificate(hosts: readonly string[]): { readonly cert: string; readonly key: string } {
  mock.timers.enable({ apis: ['Date'], now: Date.UTC(2001, 0, 1) })
  try {
    return serverCertificate(hosts)
  } finally {
    mock.timers.reset()
  }
}

/** A user's, in the form of a kubeconfig. */
export function clientCertificate(user: string): object {
  const { certPem, keyPem } = createClientCertificate(trusted, name, user, 'people')
  return { 'client-certificate-data': base64(certPem), 'client-key-data': base64(keyPem) }
}

/** PEM of the authority, for a server that asks its clients for certificates. */
export const authorityPem = trusted.certPem

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
