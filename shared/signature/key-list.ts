import type { AllowedSigner } from './allowed-signers.ts'
import type { Keyring } from './keyring.ts'
import type { OpenPgpKey } from './openpgp-key.ts'
import { printable } from './reason.ts'
import { algorithmOf } from './ssh-key.ts'

/** What a person must see of a key before it is trusted, and in a list. Times are milliseconds since 1970. */
export type KeyInfo = {
  readonly format: 'openpgp' | 'ssh' | 'x509'
  /** Of the primary key. */
  readonly fingerprint: string
  readonly keyId: string
  readonly algorithm: string
  /** User ids, principals, or a certificate's subject; fit for print. */
  readonly names: readonly string[]
  readonly createdAt?: number
  readonly validFrom?: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  /** `cert-authority`, namespaces. */
  readonly notes: readonly string[]
  readonly subkeys: readonly SubkeyInfo[]
}

export type SubkeyInfo = Pick<KeyInfo, 'fingerprint' | 'keyId' | 'algorithm' | 'createdAt' | 'expiresAt' | 'revokedAt'>

/** Every key of a keyring, OpenPGP primary keys with the subkeys that sign. */
export function listKeys(keyring: Keyring): readonly KeyInfo[] {
  const primaries = keyring.openpgp.filter((key) => key.isPrimary)
  return [
    ...primaries.map((key) => openPgpInfo(key, keyring.openpgp)),
    ...keyring.signers.map(signerInfo),
    ...keyring.roots.map(rootInfo),
  ]
}

function openPgpInfo(primary: OpenPgpKey, all: readonly OpenPgpKey[]): KeyInfo {
  const subkeys = all.filter((key) => !key.isPrimary && key.primaryFingerprint === primary.fingerprint)
  return {
    format: 'openpgp',
    ...keyInfo(primary),
    names: primary.userIds.map(printable),
    notes: primary.canSign ? [] : ['certifies only'],
    subkeys: subkeys.filter((key) => key.canSign).map(keyInfo),
  }
}

function keyInfo({ fingerprint, keyId, label, createdAt, expiresAt, revoked }: OpenPgpKey): SubkeyInfo {
  return {
    fingerprint,
    keyId,
    algorithm: label,
    createdAt,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(revoked !== undefined && { revokedAt: revoked.at }),
  }
}

function signerInfo(signer: AllowedSigner): KeyInfo {
  const { key, principals, isAuthority, namespaces, validAfter, validBefore } = signer
  return {
    format: 'ssh',
    fingerprint: key.fingerprint,
    keyId: key.fingerprint,
    algorithm: algorithmOf(key),
    names: principals.split(',').map(printable),
    ...(validAfter !== undefined && { validFrom: validAfter * 1000 }),
    ...(validBefore !== undefined && { expiresAt: validBefore * 1000 }),
    notes: [
      ...(isAuthority ? ['cert-authority'] : []),
      ...(namespaces === undefined ? [] : [`namespaces ${printable(namespaces)}`]),
    ],
    subkeys: [],
  }
}

function rootInfo(root: Keyring['roots'][number]): KeyInfo {
  const fingerprint = root.fingerprint256.replaceAll(':', '')
  return {
    format: 'x509',
    fingerprint,
    keyId: fingerprint.slice(-16),
    algorithm: root.publicKey.asymmetricKeyType ?? 'unknown',
    names: [printable(root.subject.replaceAll('\n', ', '))],
    validFrom: Date.parse(root.validFrom),
    expiresAt: Date.parse(root.validTo),
    notes: root.ca ? ['certificate authority'] : [],
    subkeys: [],
  }
}
