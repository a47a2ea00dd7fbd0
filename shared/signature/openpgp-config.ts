import { type Config, config, enums } from 'openpgp'

/**
 * What openpgp.js may do: every algorithm that gpg verifies, no packet that it cannot read, weak hashes left to our own
 * rule so that the reason can name them.
 */
export const openPgpConfig: Config = {
  ...config,
  rejectHashAlgorithms: new Set([enums.hash.md5]),
  rejectMessageHashAlgorithms: new Set([enums.hash.md5]),
  rejectPublicKeyAlgorithms: new Set([enums.publicKey.elgamal]),
  rejectCurves: new Set(),
  minRSABits: 1024,
  ignoreUnsupportedPackets: true,
  ignoreMalformedPackets: false,
  maxUserIDLength: 1024 * 5,
}
