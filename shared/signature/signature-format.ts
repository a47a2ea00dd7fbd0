/** Git's own table of formats (gpg-interface.c): the armor label decides who checks. */
const labels = {
  'PGP SIGNATURE': 'openpgp',
  'PGP MESSAGE': 'openpgp',
  'SSH SIGNATURE': 'ssh',
  'SIGNED MESSAGE': 'x509',
} as const

export type SignatureFormat = (typeof labels)[keyof typeof labels]

export const armorLabels: readonly string[] = Object.keys(labels)

/** Undefined where the bytes begin with no armor that git knows. */
export function formatOfSignature(signature: Uint8Array): SignatureFormat | undefined {
  const head = Buffer.from(signature.buffer, signature.byteOffset, Math.min(signature.byteLength, 64)).toString(
    'latin1',
  )
  for (const [label, format] of Object.entries(labels)) {
    if (head.startsWith(`-----BEGIN ${label}-----`)) return format
  }
  return undefined
}
